# A stop with spring and damper neither pulls nor jumps. While it lets go its force is zero, be it as the difference of two numbers that cancel, and a
# condition behind a system of equations that this force goes into (the arm's gear) is not looked at a thousand times in each step (10,851 looks before).
cat > stops.jl <<'EOF'
using Modia3D
include("$(Modia3D.modelsPath)/Mechanics3D.jl")
block(m) = Solid(shape = Box(lengthX = 0.4, lengthY = 0.2, lengthZ = 0.5), massProperties = MassPropertiesFromShapeAndMass(mass = m))
Ready = Model(
    bodies = Model3D(
        world = Object3D(feature = Scene()),
        box = Object3D(feature = block(4.0)),
        drawer = PrismaticWithStops(obj1 = :world, obj2 = :box, axis = 3, v = Var(init = 0.8), s_min = -0.01, s_max = 0.1, d = 500.0),
        bar = Object3D(feature = block(3.0)), root = Object3D(parent = :bar, translation = [-0.5, 0.0, 0.0]),
        arm = RevoluteWithMotor(obj1 = :world, obj2 = :root, axis = 3, ratio = 200.0, eta = 0.4)),
    u = ConstantVoltage | Map(V = 0.0), g = Ground,
    connect = :[(u.p, bodies.arm.p); (u.n, bodies.arm.n, g.p)])
ready = @instantiateModel(Ready, unitless = true)
simulate!(ready, stopTime = 0.3, tolerance = 1e-8, log = true)
println("drawer ", round(getLastValue(ready, "bodies.drawer.s", unit = false), sigdigits = 8))
EOF
looks() { # name
    status 0 "$SEGUE" run "$1.jl"
    n=$(sed -n 's/.*nf_zeroCrossings *= *\([0-9]*\).*/\1/p' out)
    [ "$n" -gt 0 ] && [ "$n" -lt "$2" ] || fail "$1: $n looks at the conditions"
    sed -n '/^drawer/p' out >"$1.end"
}
looks stops 2000
# As it was written before, and as people may write it.
sed '/^include/a \
pressed(s, d) = max(s, 0*s) + clamp(d, -max(s, 0*s), max(s, 0*s)) \
pressedTogether(s, d) = max(s, 0*s) + clamp(d, -max(s, 0*s), max(s, 0*s))' stops.jl >written.jl
looks written 2000
cmp stops.end written.end || fail "both stops differ: $(cat stops.end written.end)"
