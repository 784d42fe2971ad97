# A sling whose cord breaks: the structure changes when the model says so, not at a planned time.
#
# Shows: ActionWaitUntil. A motor turns the arm faster and faster; when the cord bears more than 68 N the stone flies off, and
# where it touches the ground it stays. Both instants are state events of the run.
# Expect: the cord breaks where m (g sin + w^2 r) says so, the stone flies along the parabola of a point, and sticks in the ground.
using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/AllModels.jl")

(mass, radius, height, g, strength) = (0.2, 0.8, 2.0, 9.81, 68.0)
ground = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                  feature = Solid(shape = Box(lengthX = 60.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true,
                                  visualMaterial = VisualMaterial(color = "Dark Green")))

function program(actions)
    ActionWaitUntil(actions, "stoneLock"; force = strength)
    ActionRelease(actions, "stoneLock")
    ActionWaitUntil(actions, "stone", "ground"; contact = true)
    ActionDelete(actions, "stoneLock")
end

# The arm turns in the plane x-z. The motor gives way as it becomes faster.
Sling = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, 0, -1]), animationFile = "sling.json", nominalLength = 2.0)),
    ground = ground,
    axle = Object3D(parent = :world, translation = [0.0, 0.0, height]),
    arm = Object3D(feature = Solid(shape = Cylinder(axis = 3, diameter = 0.03, length = 0.3),
                                   massProperties = MassProperties(mass = 1.0, Ixx = 0.2, Iyy = 0.2, Izz = 0.2))),
    stone = Object3D(parent = :arm, assemblyRoot = true, translation = [radius, 0.0, 0.0],
                     feature = Solid(shape = Sphere(diameter = 0.06), massProperties = MassPropertiesFromShapeAndMass(mass = mass),
                                     solidMaterial = "DryWood", collision = true)),
    stoneLock = Object3D(parent = :stone, lockable = true),
    rev = RevoluteWithFlange(obj1 = :axle, obj2 = :arm, axis = 2),
    motor = UnitlessTorque,
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[
        motor.tau = 12.0 - 0.3*rev.w
        now = executeActions(actions)
    ],
    connect = :[(motor.flange, rev.flange)]
)
sling = @instantiateModel(Sling, unitless = true)
simulate!(sling, stopTime = 5.0, interval = 0.01, tolerance = 1e-8)

# The stone moves freely from the break to the ground; each event is stored twice, before and behind.
values(name) = getValues(sling, name, unit = false)
flight = findall(x -> !ismissing(x), values("stone.translation")[:, 1])
(off, down) = (flight[1], flight[end])
(t, r, v) = (values("time"), values("stone.r_abs"), values("stone.velocity"))
println("the cord breaks at ", round(t[off], digits = 4), " s, with ", round(norm(v[off, :]), digits = 3), " m/s")
println("the stone lands at ", round(t[down], digits = 4), " s, x = ", round(r[down, 1], digits = 4), " m")

# What the cord bore then: weight and centripetal force along it, tangential acceleration across.
(phi, w, dw) = (values("rev.phi")[off - 1], values("rev.w")[off - 1], values("rev.der(w)")[off - 1])
along = mass*(w^2*radius + g*sin(phi))         # phi turns x toward -z
across = mass*(dw*radius - g*cos(phi))
@test isapprox(hypot(along, across), strength, rtol = 1e-6)
# The parabola of a point.
T = t[down] - t[off]
@test isapprox(r[down, :], r[off, :] + v[off, :]*T - [0.0, 0.0, g*T^2/2], atol = 1e-6)
@test isapprox(r[down, 3], 0.03, atol = 1e-6)
plot(sling, ["rev.w", "stone.r_abs"], heading = "A sling whose cord breaks")
