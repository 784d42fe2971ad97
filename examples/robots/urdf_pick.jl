# An arm from a URDF file picks a box between its flat fingers, turns, and holds it
#
# Shows: URDF("picker.urdf") with servo drives, inverseKinematics! for the poses, a mimic joint that closes both fingers, contacts of flat sides that stick.
# Expect: the box hangs between the fingers by friction: it comes up with the hand, and goes around with it. The grip presses with half of the drive's 30 N on each side.
module UrdfPick

using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/Mechanics3D.jl")

wood(shape, m, color) = Solid(shape = shape, solidMaterial = "DryWood", massProperties = m, visualMaterial = VisualMaterial(color = color), collision = true)
Bodies = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0.0, 0.0, -1.0]), nominalLength = 0.8)),
    table = Object3D(parent = :world, translation = [0.45, 0.0, -0.02], feature = Solid(shape = Box(lengthX = 0.3, lengthY = 0.4, lengthZ = 0.04), solidMaterial = "DryWood", visualMaterial = VisualMaterial(color = "BurlyWood"), collision = true)),
    box = Object3D(parent = :world, fixedToParent = false, translation = [0.4, 0.0, 0.025], feature = wood(Box(lengthX = 0.04, lengthY = 0.05, lengthZ = 0.05), 0.2, "Tomato")),
    robot = URDF("parts/picker.urdf", material = "DryWood"),
    touch = ContactResult(object1 = :box, object2 = :(robot.left_finger_collision1)))

# Poses with the tool pointing down: above the box, and at it.
poser = @instantiateModel(Bodies, unitless = true)
names = coordinateNames(poser)
down = [-1.0 0.0 0.0; 0.0 1.0 0.0; 0.0 0.0 -1.0]
start = [name == "robot.shoulder.phi" ? 0.3 : name == "robot.elbow.phi" ? 1.5 : name == "robot.wrist.phi" ? 1.3 : 0.0 for name in names]
pose(r) = (q = inverseKinematics!(poser, "robot.tool", (r, down), start); [q[findfirst(n -> n == "robot." * j * ".phi", names)] for j in ["turn", "shoulder", "elbow", "wrist"]])
above, at = pose([0.4, 0.0, 0.2]), pose([0.4, 0.0, 0.04])

# A servo that leads its joint smoothly: from `a` to `b` and back, and around by `c` at the end.
Servo = Model(flange = Flange, k = 2000.0, d = 100.0, a = 0.0, b = 0.0, c = 0.0, phi = Var(start = 0.0),
              equations = :[
                  phi = flange.phi
                  w = der(phi)
                  x = min(max(time/1.0, 0.0), 1.0)
                  y = min(max((time - 2.0)/1.0, 0.0), 1.0)
                  z = min(max((time - 3.0)/1.5, 0.0), 1.0)
                  aim = a + (b - a)*(x^2*(3 - 2*x) - y^2*(3 - 2*y)) + c*z^2*(3 - 2*z)
                  flange.tau = -(k*(aim - phi) - d*w)
              ])
servo(i; keywords...) = Servo | Map(; a = above[i], b = at[i], keywords...)
Grip = Model(flange = TranslationalFlange, equations = :[flange.f = -(if time < 1.2; 0.0 else 30.0*(1 - exp(-(time - 1.2)/0.1)) end)])
Pick = Model(
    bodies = Bodies | Map(robot = Map(turn = Map(phi = Var(init = above[1])), shoulder = Map(phi = Var(init = above[2])), elbow = Map(phi = Var(init = above[3])), wrist = Map(phi = Var(init = above[4])))),
    turn = servo(1, c = 0.8, k = 500.0, d = 50.0), shoulder = servo(2), elbow = servo(3), wrist = servo(4, k = 200.0, d = 10.0), grip = Grip,
    connect = :[
        (turn.flange, bodies.robot.turn_flange)
        (shoulder.flange, bodies.robot.shoulder_flange)
        (elbow.flange, bodies.robot.elbow_flange)
        (wrist.flange, bodies.robot.wrist_flange)
        (grip.flange, bodies.robot.grip_flange)
    ])
pick = @instantiateModel(Pick, unitless = true)
simulate!(pick, stopTime = 5.5, tolerance = 1e-6, interval = 0.01)
plot(pick, [("bodies.box.translation"), ("bodies.touch.normalForce"), ("turn.phi", "shoulder.phi", "elbow.phi", "wrist.phi")], heading = "An arm from URDF picks a box")

box, hand = getValues(pick, "bodies.box.translation"), getValues(pick, "bodies.robot.tool.r_abs")
force = getLastValue(pick, "bodies.touch.normalForce", unit = false)
radius, angle = sqrt(box[end, 1]^2 + box[end, 2]^2), atan(box[end, 2], box[end, 1])
println("the box is ", round(box[end, 3], digits = 4), " m high, ", round(angle, digits = 4), " rad around; each finger presses with ", round(force, digits = 2), " N")
@test abs(force - 15.0) < 0.2
@test abs((box[end, 3] - 0.025) - (hand[end, 3] - hand[150, 3])) < 1e-3 && abs(angle - 0.8) < 0.01 && abs(radius - 0.4) < 0.01
# It does not slip: in the last second it stays where it is in the hand.
@test norm((box[end, :] - hand[end, :]) - (box[end - 50, :] - hand[end - 50, :])) < 1e-4

end
