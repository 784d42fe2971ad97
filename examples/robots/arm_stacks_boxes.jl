# A robot arm grips a box between its flat fingers, carries it and sets it on another box.
#
# Shows: flat contacts and actions in one run. The box stands freely on the plate and is held by friction between two faces when the arm lifts it; then an action fixes it
# to the hand while it is carried. Above the other box it is released into the grip again, set down, and let go. Contacts are on all the time.
# Expect: three segments. While only friction holds it, the box does not slip; in the end it stands on the other one within half a millimeter of its middle, at rest.
module ArmStacksBoxes

using Modia3D
using Test
@usingModiaPlot

include("$(Modia3D.modelsPath)/AllModels.jl")
include("$(Modia3D.modelsPath)/Translational.jl")
include("parts/gripper_arm.jl")
include("parts/transport.jl")
Modia3D.loadPalettes!(contactPairMaterialPalette = "parts/pads.txt")

side = diameter      # of both boxes [m]
tight = side - 0.004 # what the finger wants; its drive makes a force of the rest
settle = 0.3         # [s] until the controllers have come to rest
turned(place) = [0.0, 0.0, atan(place[2], place[1])]           # as the hand stands there
onTop(place) = rest(place) + [0.0, 0.0, side]
at(r, width) = [reach(r); width]'
up(h) = [0.0, 0.0, h]
aside(place) = 0.004/hypot(place[1], place[2])*[place[2], -place[1], 0.0]     # the fixed finger comes down beside the box

function program(a)
    addReferencePath(a, names = axes, position = start, v_max = v_max, a_max = a_max)
    ptpJointSpace(a, [at(rest(left) + aside(left) + up(0.12), open); at(rest(left) + aside(left), open); at(rest(left), open); at(rest(left), tight)])
    ActionWait(a, settle)
    ptpJointSpace(a, at(rest(left) + up(0.01), tight))
    ActionWait(a, settle)
    ActionAttach(a, "lock", "robot.hand")
    ptpJointSpace(a, [at(rest(left) + up(0.12), tight); at(onTop(right) + up(0.06), tight); at(onTop(right) + up(0.003), tight)])
    ActionWait(a, settle)
    ActionRelease(a, "lock")
    ActionWait(a, settle)
    ptpJointSpace(a, [at(onTop(right) + up(0.0002), tight); at(onTop(right) + up(0.0002), open)])
    ActionWait(a, settle)
    ptpJointSpace(a, at(onTop(right) + aside(right) + up(0.0002), open))
    ptpJointSpace(a, at(onTop(right) + aside(right) + up(0.1), open))
    ActionWait(a, settle)
end

wood(shape, color) = Solid(shape = shape, solidMaterial = "DryWood", collision = true, visualMaterial = VisualMaterial(color = color))
cube(color) = wood(Box(lengthX = side, lengthY = side, lengthZ = side), color)
Stacking = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), gap = 0.01, animationFile = "arm_stacks_boxes.json", nominalLength = 0.3)),
    plate = Object3D(parent = :world, translation = [0.3, 0.0, plateTop - 0.01], feature = wood(board, "BurlyWood")),
    lower = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = rest(right), rotation = turned(right), feature = cube("Peru")),
    box = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = rest(left), rotation = turned(left), feature = cube("Tomato")),
    lock = Object3D(parent = :box, lockable = true),
    robot = Robot(start, pads = true),
    grip1 = ContactResult(object1 = :box, object2 = :(robot.leftFinger)), grip2 = ContactResult(object1 = :box, object2 = :(robot.rightFinger)),
    under = ContactResult(object1 = :box, object2 = :lower),
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[
        now = executeActions(actions)
        robot.drive1.ref = getRefPathPosition(now, 1)
        robot.drive2.ref = getRefPathPosition(now, 2)
        robot.drive3.ref = getRefPathPosition(now, 3)
        robot.drive4.ref = getRefPathPosition(now, 4)
        robot.drive5.ref = getRefPathPosition(now, 5)
        robot.finger.ref = getRefPathPosition(now, 6)
    ])
stacking = @instantiateModel(Stacking, unitless = true)
simulate!(stacking, stopTime = 8.5, tolerance = 1e-6, interval = 0.02)
t, box, finger = getValues(stacking, "time"), getValues(stacking, "box.r_abs"), getValues(stacking, "robot.rightFinger.r_abs")
row(time) = findfirst(x -> x >= time, t)
# Lifted by friction alone, before the action takes over.
apart(k) = norm(box[k, :] - finger[k, :])
lifted, held = row(2.75), row(3.3)
println("lifted by ", round(1000*(box[held, 3] - box[1, 3]), digits = 2), " mm it has moved by ", round(1e6*abs(apart(held) - apart(lifted)), digits = 2), " um in the grip, with ",
        round(100*maximum(getValues(stacking, "grip1.frictionShare")[lifted:held]), digits = 1), " % of the friction used")
weight = getValues(stacking, "under.normalForce")[end]
println("set down ", round(1000*norm(box[end, 1:2] - right), digits = 2), " mm from the middle, it presses with ", round(weight, digits = 4), " N of ", round(9.81*700*side^3, digits = 4),
        " N over ", round(1e4*getValues(stacking, "under.contactPatchArea")[end], digits = 2), " cm2")
@test box[held, 3] - box[1, 3] > 0.009 && abs(apart(held) - apart(lifted)) < 1e-5
@test minimum(getValues(stacking, "grip1.sticking")[lifted:held]) == 1.0
@test norm(box[end, :] - onTop(right)) < 5e-4
@test abs(weight/(9.81*700*side^3) - 1) < 1e-3 && getValues(stacking, "under.sticking")[end] == 1.0
@test maximum([norm(box[k, :] - box[end, :]) for k in row(7.5):length(t)]) < 1e-9
@test getValues(stacking, "grip1.normalForce")[end] == 0.0

plot(stacking, ["box.r_abs", ("grip1.normalForce", "under.normalForce")], heading = "A robot arm sets a box on a box")

end
