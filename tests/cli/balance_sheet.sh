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
has out "the balance closes"
lacks err "E0909"
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
has out '"balance.takenEnergy", "balance.suppliedEnergy"'
status 0 "$SEGUE" run --balance asked.jl
has out "states: 14 and "
status 0 "$SEGUE" run --balance "$SG_SOURCE_DIR/tests/models/c1_pendulum.jl"

# What the published program does to the Coriolis acceleration makes energy, and the sheet says so.
cat > turntable.jl <<'EOF3'
using Modia3D
Turntable = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    table = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.4, Iyy = 0.4, Izz = 0.5))),
    mass = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0))),
    turn = Revolute(obj1 = :world, obj2 = :table, w = Var(init = 3.0)),
    slide = Prismatic(obj1 = :table, obj2 = :mass, s = Var(init = 0.1)))
turntable = @instantiateModel(Turntable, unitless = true)
simulate!(turntable, stopTime = 1.0)
EOF3
status 0 "$SEGUE" run --balance turntable.jl
has out "the balance closes"
status 0 "$SEGUE" run --balance --compat single-coriolis turntable.jl
has out "the balance does not close"
has err "turntable.jl:9:1: warning[E0909]: the balance of energy does not close"

# A model without a 3D part has no sheet; somebody who asks for one is told.
printf 'using Modia\nM = Model(x = Var(init = 1.0), equations = :[der(x) = -x])\nm = @instantiateModel(M)\nsimulate!(m, stopTime = 1.0)\n' > plain.jl
status 0 "$SEGUE" run --balance plain.jl
lacks out "balance from"
has err "plain.jl:4:1: note: --balance: this model has no Model3D part"

# The sums go on over full restarts, and keep their names.
status 0 "$SEGUE" run --balance --summary restart.json "$SG_SOURCE_DIR/tests/models/restart_3d.jl"
lacks out "does not close"
[ "$(grep -o '"part.balance.suppliedEnergy"' restart.json | wc -l)" -eq 2 ] || fail "names of states: $(cat restart.json)"
