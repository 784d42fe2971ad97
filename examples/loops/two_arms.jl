# Two arms of three joints each hold one box and lift it together.
#
# Shows: a loop with four driven joints, servos that pull towards angles on a path. The hinges of the hands are free; the
# last of them closes the loop. Where both arms ask for slightly different places of the box, they strain against each other,
# which the forces in the hands show.
# Expect: the box is lifted by 0.3 m and stays level.
using Modia3D
using Test
@usingModiaPlot

include("$(Modia.modelsPath)/AllModels.jl")

look(shape, color) = Visual(shape = shape, visualMaterial = VisualMaterial(color = color))
Link(L, color) = Model(
    obj1 = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [L/2, 0.0, 0.0], Ixx = 0.005, Iyy = 2*L^2/12, Izz = 2*L^2/12))),
    shape = Object3D(parent = :obj1, translation = [L/2, 0.0, 0.0], feature = look(Capsule(axis = 1, diameter = 0.08, length = L), color)),
    obj2 = Object3D(parent = :obj1, translation = [L, 0.0, 0.0])
)
Arms = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0, -1, 0]), enableContactDetection = false, nominalLength = 2.0)),
    ground = Object3D(parent = :world, translation = [0.0, -0.03, 0.0], feature = look(Box(lengthX = 2.4, lengthY = 0.06, lengthZ = 0.6), "LightGrey")),
    leftBase = Object3D(parent = :world, translation = [-0.8, 0.0, 0.0]),
    rightBase = Object3D(parent = :world, translation = [0.8, 0.0, 0.0]),
    upper1 = Link(0.6, "Red"), lower1 = Link(0.6, "Orange"), upper2 = Link(0.6, "Blue"), lower2 = Link(0.6, "LightBlue"),
    box = Object3D(feature = Solid(shape = Box(lengthX = 0.5, lengthY = 0.3, lengthZ = 0.3), massProperties = MassPropertiesFromShapeAndMass(mass = 5.0), visualMaterial = VisualMaterial(color = "Green"))),
    left = Object3D(parent = :box, translation = [-0.25, 0.0, 0.0]),
    right = Object3D(parent = :box, translation = [0.25, 0.0, 0.0]),
    shoulder1 = RevoluteWithFlange(obj1 = :leftBase, obj2 = :(upper1.obj1), phi = Var(init = 1.5209)),
    elbow1 = RevoluteWithFlange(obj1 = :(upper1.obj2), obj2 = :(lower1.obj1), phi = Var(init = -2.0430)),
    wrist1 = Revolute(obj1 = :(lower1.obj2), obj2 = :left, phi = Var(init = 0.5222)),
    shoulder2 = RevoluteWithFlange(obj1 = :rightBase, obj2 = :(upper2.obj1), phi = Var(init = pi - 1.5209)),
    elbow2 = RevoluteWithFlange(obj1 = :(upper2.obj2), obj2 = :(lower2.obj1), phi = Var(init = 2.0429)),
    wrist2 = Revolute(obj1 = :(lower2.obj2), obj2 = :right)
)

# Angles of shoulder and elbow that bring the end of two links of 0.6 m to (x, y), with the elbow above.
function angles(x, y)
    d = sqrt(x^2 + y^2)
    bend = 2*acos(d/1.2)
    return (atan(y, x) + bend/2, -bend)
end
path(t) = t <= 0 ? 0.0 : t >= 2 ? 1.0 : 0.5 - 0.5*cos(pi*t/2)
height(t) = 0.3 + 0.3*path(t)
shoulderAngle(t) = angles(0.55, height(t))[1]
elbowAngle(t) = angles(0.55, height(t))[2]
Servo(reference) = Model(flange = Flange, w = Var(init = nothing), wanted = Var(start = 0.0), equations = :[
    w = der(flange.phi)
    wanted = $reference
    flange.tau = 3000.0*(flange.phi - wanted) + 150.0*w
])
System = Model(
    arms = Arms,
    servo1 = Servo(:(shoulderAngle(time))), servo2 = Servo(:(elbowAngle(time))),
    servo3 = Servo(:(pi - shoulderAngle(time))), servo4 = Servo(:(-elbowAngle(time))),
    connect = :[
        (servo1.flange, arms.shoulder1.flange)
        (servo2.flange, arms.elbow1.flange)
        (servo3.flange, arms.shoulder2.flange)
        (servo4.flange, arms.elbow2.flange)
    ]
)

system = @instantiateModel(System, unitless = true)
simulate!(system, stopTime = 4.0, tolerance = 1e-8)
plot(system, ["arms.box.r_abs", ("arms.shoulder1.flange.tau", "arms.shoulder2.flange.tau"), "arms.wrist2.reactionForce"], figure = 1)

# Lifted, level, in the middle; half of the weight in each hand.
box = getValues(system, "arms.box.r_abs")
@test abs(box[end, 2] - box[1, 2] - 0.3) < 0.02 && abs(box[end, 1]) < 1e-3
@test maximum(abs.(getValues(system, "arms.box.rot123_abs"))) < 1e-3
@test abs(abs(getValues(system, "arms.wrist2.reactionForce")[end, 2]) - 2.5*9.81) < 0.01
