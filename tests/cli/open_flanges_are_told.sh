# A flange that nothing is connected to feels no force, unless the motion is prescribed; either is said, at the joint.
cat > arm.jl <<'EOF'
using Modia3D
Arm = Model3D(
    world = Object3D(feature = Scene()),
    bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.5, 0, 0]))),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar, phi = Var(), w = Var()),
    equations = :[rev.phi = 0.5*time]
)
arm = @instantiateModel(Arm, unitless = true)
simulate!(arm, stopTime = 1.0)
println(getValues(arm, "rev.flange.tau")[1])
EOF
status 0 "$SEGUE" run arm.jl
has out 9.81
has err "arm.jl:5:5: note: nothing is connected to 'rev.flange', and yet 'rev.flange.tau' is not zero"
lacks err "is set to zero"
status 0 "$SEGUE" run --compat open-flows arm.jl
lacks err "nothing is connected"
# What is too much remains an error: the torque cannot make up for two angles.
sed 's/rev.phi = 0.5\*time/rev.phi = 0.5*time; rev.phi = sin(time)/' arm.jl > twice.jl
status 2 "$SEGUE" run twice.jl
has err "1 equation too many"
sed 's/rev.phi = 0.5\*time/seen = rev.flange.phi/' arm.jl > loose.jl
status 0 "$SEGUE" run loose.jl
has out 0.0
has err "loose.jl:5:5: note: nothing is connected to 'rev.flange': its flow is set to zero"
# Without a flange there is no room for the torque; the message says so, and where.
sed 's/RevoluteWithFlange/Revolute/' arm.jl > without.jl
status 2 "$SEGUE" run without.jl
has err "without.jl:6:19: note: this prescribes 'rev.phi', which follows from the forces; a joint needs a flange for that: make it a RevoluteWithFlange"
has err "without.jl:5:5: note: der(rev.w) = "
