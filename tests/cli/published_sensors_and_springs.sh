# Peculiarities of the published program in sensors and springs: off by default, reported when on.
cat > sensor.jl <<'EOF'
using Modia3D
Turning = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    disc = Object3D(feature = Solid(shape = Cylinder(), massProperties = 5.0)),
    seat = Object3D(parent = :disc, translation = [2.0, 0.0, 0.0]),
    frame = Object3D(parent = :world, rotation = [0.0, 0.0, pi/2]),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [3.0, 0.0, 0.0],
                    feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    axle = Revolute(obj1 = :world, obj2 = :disc, w = Var(init = 1.0)),
    spring = SpringDamperPtP(obj1 = :frame, obj2 = :ball, springForceLaw = 1.0),
    seen = SensorResult(object = :seat),
    ridden = SensorResult(object = :ball, objectOrigin = :disc)
)
turning = @instantiateModel(Turning, unitless = true)
simulate!(turning, stopTime = 0.001, tolerance = 1e-9)
show3(name) = println(name, " ", round.(getValues(turning, name)[1, :], digits = 6) .+ 0.0)
show3("seen.velocity")
show3("ridden.acceleration")
show3("ball.der(velocity)")
EOF
status 0 "$SEGUE" run sensor.jl
has out "seen.velocity [0.0, 2.0, 0.0]"
has out "ridden.acceleration [-4.5, 0.0, 0.0]"     # -3/2 of the spring, and -3 that the observer adds
has out "ball.der(velocity) [-1.5, 0.0, 0.0]"
lacks err "compat"
status 0 "$SEGUE" run --compat still-frames sensor.jl
has out "seen.velocity [0.0, 0.0, 0.0]"
has out "ridden.acceleration [-4.5, 0.0, 0.0]"
has err "--compat still-frames: in this model sensors see frames"
status 0 "$SEGUE" run --compat sensor-acceleration sensor.jl
has out "ridden.acceleration [-1.5, 0.0, 0.0]"
has err "--compat sensor-acceleration"
status 0 "$SEGUE" run --compat spring-direction sensor.jl
has out "ball.der(velocity) [0.0, -1.5, 0.0]"
has err "--compat spring-direction"
