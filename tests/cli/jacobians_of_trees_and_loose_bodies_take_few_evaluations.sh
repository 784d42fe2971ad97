# Jacobians follow the structure of what moves.
#
# A mobile of 46 joints under CVODE_BDF: the Jacobian comes from the mass matrix of the tree and takes a handful
# of evaluations, not one for each of its 92 states. With a filter behind an acceleration it takes all of them.
sed -e 's/^depth = 3/depth = 5/' -e '/^plot/d' "$SG_SOURCE_DIR/examples/mechanics/mobile.jl" > mobile.jl
value() { awk -v name="$1" '$1 == name { number = $3 } END { print number }' out; }
few() { # evaluations: predictor and corrector of each step, and at most six for a Jacobian
    [ "$(value nJac)" -gt 2 ] || fail "no Jacobians: $(value nJac)"
    [ "$(value nf_integrator)" -lt $((3 * $(value nAcceptedSteps) / 2 + 6 * $(value nJac))) ] ||
        fail "$(value nf_integrator) evaluations for $(value nJac) Jacobians"
}
status 0 "$SEGUE" run --log statistics --stop 1 mobile.jl
few
# The sums of the balance depend on all states, but no state on them: they change nothing.
status 0 "$SEGUE" run --log statistics --stop 1 --balance mobile.jl
has out "the balance closes"
few
cat >> mobile.jl <<'EOF'
Filtered = Mobile(depth) | Map(f = Var(init = 0.0), equations = :[0.1*der(f) = der(top.joint.w) - f])
filtered = @instantiateModel(Filtered, unitless = true)
simulate!(filtered, stopTime = 1.0, log = true)
EOF
sed -i 's/^simulate!(mobile.*//' mobile.jl
status 0 "$SEGUE" run --log statistics mobile.jl
[ "$(value nf_integrator)" -gt $((93 * $(value nJac))) ] || fail "too few evaluations for a full Jacobian"
# Free bodies with force elements between neighbors: a few colors instead of 156 columns.
sed 's/CVODE_BDF(), IDA()/CVODE_BDF()/' "$SG_SOURCE_DIR/tests/models/loose_bodies.jl" > loose.jl
status 0 "$SEGUE" run --log statistics loose.jl
[ "$(value nf_integrator)" -lt $((3 * $(value nAcceptedSteps) / 2 + 62 * $(value nJac))) ] ||
    fail "$(value nf_integrator) evaluations for $(value nJac) Jacobians of loose bodies"
