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
# With a balance likewise, and a direction in each iteration.
status 0 "$SEGUE" run --log statistics --balance loose.jl
has out "the balance closes"
[ "$(value nf_integrator)" -lt $((3 * $(value nAcceptedSteps) + 62 * $(value nJac))) ] ||
    fail "$(value nf_integrator) evaluations for $(value nJac) Jacobians of loose bodies with a balance"

# Free bodies in a row whose controllers see themselves and the next one: a few colors instead of 300 columns.
cat > row.jl <<'EOF'
using Modia3D
body(i) = Object3D(parent = :world, fixedToParent = false, translation = [1.0*i, 0.0, 0.0],
                   feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.12, Izz = 0.15)))
Control = Model(r = Var(), v = Var(), next = Var(), f = Var(), sum = Var(init = zeros(3)),
                equations = :[der(sum) = next - r - [1.0, 0.0, 0.0]; f = 500.0*(next - r - [1.0, 0.0, 0.0]) + 20.0*sum - 20.0*v])
Row = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())), b21 = Object3D(parent = :world, translation = [21.5, 0.0, 0.0]))
for i in 1:20
    global Row = Row | Map(; Symbol("b$i") => body(i), Symbol("c$i") => Control, Symbol("f$i") => WorldForce(objectApply = Symbol("b$i")))
end
EOF
for i in $(seq 20); do
    echo "Row = Row | Map(equations = :[c$i.r = b$i.r_abs; c$i.v = b$i.v_abs; c$i.next = b$((i + 1)).r_abs; f$i.force = c$i.f])" >> row.jl
done
cat >> row.jl <<'EOF'
row = @instantiateModel(Row, unitless = true)
simulate!(row, stopTime = 3.0, tolerance = 1e-6, log = true)
EOF
status 0 "$SEGUE" run row.jl
[ "$(value nStates)" -eq 300 ] || fail "$(value nStates) states"
[ "$(value nf_integrator)" -lt $((3 * $(value nAcceptedSteps) / 2 + 40 * $(value nJac))) ] ||
    fail "$(value nf_integrator) evaluations for $(value nJac) Jacobians of bodies with controllers"
# Nothing is missing in these Jacobians: steps are as many as with a full one, which an acceleration in an equation takes.
# A method of Rosenbrock feels every missing entry.
cp "$SG_SOURCE_DIR/tests/models/scenes/crowd.jl" .
cat > crowd_run.jl <<'EOF'
include("crowd.jl")
crowd = @instantiateModel(Crowd | Map(equations = :[EXTRA]), unitless = true)
simulate!(crowd, Rodas5P(), stopTime = 2.0, tolerance = 1e-6, log = true)
simulate!(crowd, CVODE_BDF(), stopTime = 2.0, tolerance = 1e-6, log = true)
EOF
steps() { # steps EXTRA: accepted and rejected steps of both runs together
    sed "s/EXTRA/$1/" crowd_run.jl > crowd_now.jl
    status 0 "$SEGUE" run crowd_now.jl
    awk '$1 == "nAcceptedSteps" || $1 == "nRejectedSteps" { sum += $3 } END { print sum }' out
}
loose=$(steps 'u = b1.v_abs')
n_loose=$(value nf_integrator)
full=$(steps 'u = b1.a_abs')
[ "$full" -gt 1000 ] && [ "$loose" -lt $((full + full / 50)) ] || fail "$loose steps with a pattern, $full without"
[ "$n_loose" -lt "$(value nf_integrator)" ] || fail "$n_loose evaluations, $(value nf_integrator) of a full one"

# Arms in a row that strike each other and, at its end, balls on the ground: those that touch depend on each other, so
# a dozen colors instead of 40 columns. With drives the joints' own states come along, in two parts with contacts each.
arms() { # arms JOINT EQUATIONS
    cat > arms.jl <<EOF
using Modia3D
steel() = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)
Row = Model3D(world = Object3D(feature = Scene()),
    floor = Object3D(parent = :world, translation = [0.0, -0.6, 0.0],
                     feature = Solid(shape = Box(lengthX = 4.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = "Steel", collision = true)),
    b1 = Object3D(parent = :world, fixedToParent = false, translation = [0.8, -0.5, 0.0], feature = steel()),
    b2 = Object3D(parent = :world, fixedToParent = false, translation = [0.91, -0.5, 0.0], feature = steel()))
for i in 1:8
    global Row = Row | Model(; (Symbol("arm", i) => Object3D(feature = Solid(massProperties = MassProperties(mass = 0.1, Ixx = 1e-3, Iyy = 1e-3, Izz = 1e-3))),
        Symbol("base", i) => Object3D(parent = :world, translation = [0.1*(i - 1), 0.0, 0.0]),
        Symbol("bob", i) => Object3D(parent = Symbol("arm", i), translation = [0.0, -0.5, 0.0], feature = steel()),
        Symbol("joint", i) => $1(obj1 = Symbol("base", i), obj2 = Symbol("arm", i), axis = 3, phi = Var(init = i == 1 ? -0.8 : 0.0), w = Var(init = 0.0)))...)
end
$2
simulate!(row, CVODE_BDF(), stopTime = 0.5, tolerance = 1e-7, log = true)
EOF
    status 0 "$SEGUE" run arms.jl
    [ "$(value nJac)" -gt 50 ] || fail "no Jacobians: $(value nJac)"
    # Where bodies touch, a small correction of Newton's method is judged by its residual: 7/4 evaluations a step.
    [ "$(value nf_integrator)" -lt $((7 * $(value nAcceptedSteps) / 4 + $3 * $(value nJac))) ] ||
        fail "$(value nf_integrator) evaluations, $(value nAcceptedSteps) steps and $(value nJac) Jacobians of arms"
}
arms Revolute 'row = @instantiateModel(Row, unitless = true)' 28
[ "$(value nStates)" -eq 40 ] || fail "$(value nStates) states"
arms RevoluteWithFlange 'Flange = Model(phi = potential, tau = flow)
Drive = Model(flange = Flange, i = Var(init = 0.0), equations = :[0.01*der(i) = -flange.phi - i; flange.tau = -0.05*i])
names = [Symbol("d", i) for i in 1:8]
Half = Model(r = Row; (n => Drive for n in names)...) | Map(connect = :[
    (d1.flange, r.joint1.flange); (d2.flange, r.joint2.flange); (d3.flange, r.joint3.flange); (d4.flange, r.joint4.flange)
    (d5.flange, r.joint5.flange); (d6.flange, r.joint6.flange); (d7.flange, r.joint7.flange); (d8.flange, r.joint8.flange)])
row = @instantiateModel(Model(left = Half, right = Half), unitless = true)' 26
[ "$(value nStates)" -eq 96 ] || fail "$(value nStates) states"

# A row of twenty fourbars: through the forces in its loops all depends on all, 124 columns. With the forces among the unknowns only
# neighbors do, so that the number of evaluations is that of a short row. They pass a singular position at 0.7 s.
fourbars() { # fourbars METHOD OPTIONS MOST: of 20 of them; so many evaluations a Jacobian
    cat > fourbars.jl <<EOF
using Modia3D
rod(d) = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = 0.5*d, Ixx = d[1] > 0.5 ? 1e-4 : 1/12, Iyy = d[2] > 0.5 ? 1e-4 : 1/12, Izz = 1/12))
m = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]))))
for i in 0:20
    m[Symbol("pivot\$i")] = Object3D(parent = :world, translation = [1.0*i, 0.0, 0.0])
    m[Symbol("crank\$i")] = Object3D(feature = rod([0.0, 1.0, 0.0]))
    m[Symbol("top\$i")] = Object3D(parent = Symbol("crank\$i"), translation = [0.0, 1.0, 0.0])
    m[Symbol("foot\$i")] = Revolute(obj1 = Symbol("pivot\$i"), obj2 = Symbol("crank\$i"), w = Var(init = -1.0))
    if i > 0
        m[Symbol("bar\$i")] = Object3D(feature = rod([1.0, 0.0, 0.0]))
        m[Symbol("end\$i")] = Object3D(parent = Symbol("bar\$i"), translation = [1.0, 0.0, 0.0])
        m[Symbol("head\$i")] = Revolute(obj1 = Symbol("top\$(i - 1)"), obj2 = Symbol("bar\$i"), w = Var(init = 1.0))
        m[Symbol("tail\$i")] = Revolute(obj1 = Symbol("top\$i"), obj2 = Symbol("end\$i"), w = Var(init = 1.0))
    end
end
row = @instantiateModel(m, unitless = true)
simulate!(row, $1(), stopTime = 1.5, tolerance = 1e-8, log = true)
println("phi = ", getLastValue(row, "foot7.phi"))
EOF
    status 0 "$SEGUE" run $2 fourbars.jl
    # DP8 at 1e-11
    awk '$1 == "phi" { d = $3 + 5.61448385631; n++ } END { exit !(n == 1 && d*d < 1e-12) }' out || fail "fourbars by $1: $(grep "^phi" out)"
    [ -z "$3" ] || [ "$(value nf_integrator)" -lt $((3 * $(value nAcceptedSteps) + $3 * $(value nJac))) ] ||
        fail "$(value nf_integrator) evaluations, $(value nAcceptedSteps) steps and $(value nJac) Jacobians of fourbars by $1"
}
fourbars IDA '' 30
fourbars CVODE_BDF '' 30
fourbars IDA --check-patterns ''
fourbars CVODE_BDF --check-patterns ''
# Stages of Runge-Kutta methods need the full matrix near the singular position: with the other one 200 steps failed.
fourbars KenCarp4 '' ''
[ "$(value nRejectedSteps)" -lt 40 ] || fail "$(value nRejectedSteps) steps of fourbars failed by KenCarp4"
