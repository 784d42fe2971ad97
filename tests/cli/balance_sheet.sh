# --balance: a sheet after each run, signals in the result, and the same required final states.
cat > swing.jl <<'EOF'
using Modia3D
Swing = Model3D(
    world = Object3D(feature = Scene()),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [1.0, 0.0, 0.0],
                    feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 2.0)),
    spring = SpringDamperPtP(obj1 = :world, obj2 = :ball, springForceLaw = 50.0, damperForceLaw = 1.0)
)
swing = @instantiateModel(Swing, unitless = true)
x = [0.0*i for i in 1:12]
simulate!(swing, stopTime = 1.0, tolerance = 1e-8, requiredFinalStates = x, requiredFinalStates_atol = 100.0)
EOF
status 0 "$SEGUE" run swing.jl
lacks out "balance"
status 0 "$SEGUE" run --balance -o results --result-format csv swing.jl
has out "balance from 0 s to 1 s"
has out "kinetic energy [J]                   0"
has out "spring energy [J]                   25"
has out "energy not accounted for:"
head -n 1 results/*.csv > header
has header "balance.dissipatedEnergy"
has header "balance.angularMomentum"
# What is not accounted for is small.
awk '/not accounted/ { exit !($9 + 0 < 1e-5) }' out || fail "the balance does not close: $(cat out)"
status 0 "$SEGUE" run --help
has out "--balance"
# The sums that --balance adds are no states of the model, unless its Scene asks for a balance.
cat >> swing.jl <<'EOF2'
println("states: ", length(get_xNames(swing)), " and ", getStateNames(swing))
EOF2
status 0 "$SEGUE" run --balance swing.jl
has out "states: 12 and "
lacks out "balance.dissipatedEnergy"
sed 's/Scene()/Scene(balance = true)/' swing.jl > asked.jl
status 0 "$SEGUE" run asked.jl
has out "states: 14 and "
has out '"balance.dissipatedEnergy", "balance.suppliedEnergy"'
status 0 "$SEGUE" run --balance asked.jl
has out "states: 14 and "
status 0 "$SEGUE" run --balance "$SG_SOURCE_DIR/tests/models/c1_pendulum.jl"
