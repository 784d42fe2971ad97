# A robot that walks on a platform and carries boxes (thesis section 12.3): an arm of seven axes, the same from both ends,
# with an end effector at each. The one that holds the platform carries the arm, the other one carries boxes; when they swap
# their roles the chain of joints between them is turned around.
#
# Shows: nothing is attached at the beginning, so a segment of hardly any length follows the other until the robot and the six boxes
# are fastened. Two stacks are moved over to two boxes, with either end effector, and in between the robot takes two steps. Angles
# come from inverse kinematics, a function of this file; gears are springs with dampers between a planned angle and the joint.
# Expect: 18 segments in 86 s, one translation. Boxes and feet end within 0.01 mm of their places.
using Modia3D
using Test
@usingModiaPlot
include("$(Modia3D.modelsPath)/AllModels.jl")

side = 0.2                                   # of a box [m]
arm, foot = 0.8, 0.25                        # length of upper arm and forearm, from a lock to the axis next to it [m]
at(x, y) = [0.4*x, 0.4*y, 0.0]               # places on the platform
stacked(x, y, z) = at(x, y) + [0.0, 0.0, side*z]   # the top of box z of a stack
above(r) = r + [0.0, 0.0, 0.25]

# The angles at which the blue lock is at one place and the green one at the other, both from above. Axes 1 and 7 turn
# the plane of the arm, 2, 4 and 6 bend it, 3 and 5 stay.
function bridge(blue, green)
    d = green - blue
    turn, across, q4 = atan(d[2], d[1]), hypot(d[1], d[2]), acos((d[1]^2 + d[2]^2 + d[3]^2)/(2.0*arm^2) - 1.0)
    q2 = atan(across, d[3]) - q4/2.0
    return [turn, q2, 0.0, q4, 0.0, pi - q2 - q4, turn]'
end
stand, step, far = at(3, 3), at(2, 3), at(4, 3)   # of the blue end effector, of the green one, and of the blue one again
pick1, put1 = stacked(1, 1, 2), stacked(5, 1, 2)
pick2, put2 = stacked(1, 2, 2), stacked(5, 2, 2)
pick3, put3 = stacked(1, 1, 1), stacked(5, 1, 3)
pick4, put4 = stacked(1, 2, 1), stacked(5, 2, 3)
start = bridge(stand, above(at(3, 1)))

settle = 2.0                                 # [s] until the springs have come to rest
function walk(actions)
    addReferencePath(actions, names = ["q$k" for k in 1:7], position = vec(start), v_max = fill(1.0, 7), a_max = fill(0.8, 7))
    ActionAttach(actions, "blueLock", "platform.lockX3Y3")
    EventAfterPeriod(actions, 1e-10)
    for (box, place) in [("boxX1Y1Z1", "platform.lockX1Y1"), ("boxX1Y1Z2", "boxX1Y1Z1.lockZpos"), ("boxX1Y2Z1", "platform.lockX1Y2"),
                         ("boxX1Y2Z2", "boxX1Y2Z1.lockZpos"), ("boxX5Y1Z1", "platform.lockX5Y1"), ("boxX5Y2Z1", "platform.lockX5Y2")]
        ActionAttach(actions, "$box.lockZneg", place)
        EventAfterPeriod(actions, 1e-10)
    end
    # The green end effector takes a box and puts it on another one.
    ptpJointSpace(actions, [bridge(stand, above(pick1)); bridge(stand, pick1)])
    EventAfterPeriod(actions, settle)
    ActionReleaseAndAttach(actions, "boxX1Y1Z2.lockZpos", "greenLock")
    ptpJointSpace(actions, [bridge(stand, above(pick1)); bridge(stand, above(put1)); bridge(stand, put1)])
    EventAfterPeriod(actions, settle)
    ActionReleaseAndAttach(actions, "boxX1Y1Z2.lockZneg", "boxX5Y1Z1.lockZpos")
    # It steps on the platform, and the blue one is free to move.
    ptpJointSpace(actions, [bridge(stand, above(put1)); bridge(stand, above(step)); bridge(stand, step)])
    EventAfterPeriod(actions, settle)
    ActionFlipChain(actions, "greenLock", "platform.lockX2Y3", "blueLock")
    # The blue one does the same with the other box.
    ptpJointSpace(actions, [bridge(above(stand), step); bridge(above(pick2), step); bridge(pick2, step)])
    EventAfterPeriod(actions, settle)
    ActionReleaseAndAttach(actions, "boxX1Y2Z2.lockZpos", "blueLock")
    ptpJointSpace(actions, [bridge(above(pick2), step); bridge(above(put2), step); bridge(put2, step)])
    EventAfterPeriod(actions, settle)
    ActionReleaseAndAttach(actions, "boxX1Y2Z2.lockZneg", "boxX5Y2Z1.lockZpos")
    # The next step: the blue one holds the platform again, and the green one fetches what is left.
    ptpJointSpace(actions, [bridge(above(put2), step); bridge(above(far), step); bridge(far, step)])
    EventAfterPeriod(actions, settle)
    ActionFlipChain(actions, "blueLock", "platform.lockX4Y3", "greenLock")
    ptpJointSpace(actions, [bridge(far, above(step)); bridge(far, above(pick3)); bridge(far, pick3)])
    EventAfterPeriod(actions, settle)
    ActionReleaseAndAttach(actions, "boxX1Y1Z1.lockZpos", "greenLock")
    ptpJointSpace(actions, [bridge(far, above(pick3)); bridge(far, above(put3)); bridge(far, put3)])
    EventAfterPeriod(actions, settle)
    ActionReleaseAndAttach(actions, "boxX1Y1Z1.lockZneg", "boxX1Y1Z2.lockZpos")
    ptpJointSpace(actions, [bridge(far, above(put3)); bridge(far, above(pick4)); bridge(far, pick4)])
    EventAfterPeriod(actions, settle)
    ActionReleaseAndAttach(actions, "boxX1Y2Z1.lockZpos", "greenLock")
    ptpJointSpace(actions, [bridge(far, above(pick4)); bridge(far, above(put4)); bridge(far, put4)])
    EventAfterPeriod(actions, settle)
    ActionReleaseAndAttach(actions, "boxX1Y2Z1.lockZneg", "boxX1Y2Z2.lockZpos")
    ptpJointSpace(actions, bridge(far, above(put4)))
end

Lock(x, y) = Object3D(parent = :plate, lockable = true, translation = at(x, y))
Platform = Model(
    plate = Object3D(parent = :world, feature = Visual(shape = Grid(axis = 3, length = 4.0, width = 3.0, distance = 0.2))),
    lockX1Y1 = Lock(1, 1), lockX1Y2 = Lock(1, 2), lockX5Y1 = Lock(5, 1), lockX5Y2 = Lock(5, 2), lockX3Y3 = Lock(3, 3), lockX2Y3 = Lock(2, 3), lockX4Y3 = Lock(4, 3)
)
Cargo(x, y, z) = Model(
    body = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = stacked(x, y, z - 0.5),
                    feature = Solid(shape = Box(lengthX = side, lengthY = side, lengthZ = side),
                                    massProperties = MassPropertiesFromShapeAndMass(mass = 6.0),
                                    visualMaterial = VisualMaterial(color = "Dark Orange"))),
    lockZneg = Object3D(parent = :body, lockable = true, translation = [0.0, 0.0, -side/2]),
    lockZpos = Object3D(parent = :body, lockable = true, translation = [0.0, 0.0, side/2])
)
# From one axis to the next along z.
Link(length, mass) = Model(
    base = Object3D(),
    body = Object3D(parent = :base, translation = [0.0, 0.0, length/2],
                    feature = Solid(shape = Cylinder(axis = 3, diameter = 0.1, length = length),
                                    massProperties = MassPropertiesFromShapeAndMass(mass = mass))),
    tip = Object3D(parent = :base, translation = [0.0, 0.0, length])
)
Effector(color) = Solid(shape = Cylinder(axis = 3, diameter = 0.12, length = 0.1), massProperties = MassPropertiesFromShapeAndMass(mass = 2.0),
                        visualMaterial = VisualMaterial(color = color))
# The gear holds the joint at the planned angle like a spring with a damper.
Drive = Model(
    ref = input,
    flange = Flange,
    equations = :[flange.tau = 4000.0*(flange.phi - ref) + 600.0*der(flange.phi)]
)
Axis(obj1, obj2, axis, k) = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, phi = Var(init = start[k]), w = Var(init = 0.0))

WalkingRobot = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), enableContactDetection = false,
                                     animationFile = "walking_robot.json", nominalLength = 2.0)),
    platform = Platform,
    boxX1Y1Z1 = Cargo(1, 1, 1), boxX1Y1Z2 = Cargo(1, 1, 2), boxX1Y2Z1 = Cargo(1, 2, 1), boxX1Y2Z2 = Cargo(1, 2, 2),
    boxX5Y1Z1 = Cargo(5, 1, 1), boxX5Y2Z1 = Cargo(5, 2, 1),
    blue = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = stand + [0.0, 0.0, 0.05], feature = Effector("Blue")),
    blueLock = Object3D(parent = :blue, lockable = true, translation = [0.0, 0.0, -0.05]),
    blueTip = Object3D(parent = :blue, translation = [0.0, 0.0, 0.05]),
    link1 = Link(foot - 0.1, 3.0), link2 = Link(arm/2, 4.0), link3 = Link(arm/2, 4.0),
    link4 = Link(arm/2, 4.0), link5 = Link(arm/2, 4.0), link6 = Link(foot - 0.1, 3.0),
    green = Object3D(assemblyRoot = true, feature = Effector("Green")),
    greenLock = Object3D(parent = :green, lockable = true, translation = [0.0, 0.0, 0.05]),
    greenEnd = Object3D(parent = :green, translation = [0.0, 0.0, -0.05]),
    rev1 = Axis(:blueTip, :(link1.base), 3, 1),
    rev2 = Axis(:(link1.tip), :(link2.base), 2, 2),
    rev3 = Axis(:(link2.tip), :(link3.base), 3, 3),
    rev4 = Axis(:(link3.tip), :(link4.base), 2, 4),
    rev5 = Axis(:(link4.tip), :(link5.base), 3, 5),
    rev6 = Axis(:(link5.tip), :(link6.base), 2, 6),
    rev7 = Axis(:(link6.tip), :greenEnd, 3, 7),
    drive1 = Drive, drive2 = Drive, drive3 = Drive, drive4 = Drive, drive5 = Drive, drive6 = Drive, drive7 = Drive,
    connect = :[
        (drive1.flange, rev1.flange)
        (drive2.flange, rev2.flange)
        (drive3.flange, rev3.flange)
        (drive4.flange, rev4.flange)
        (drive5.flange, rev5.flange)
        (drive6.flange, rev6.flange)
        (drive7.flange, rev7.flange)
    ],
    actions = ModelActions(world = :world, actions = walk),
    now = Var(hideResult = true),
    equations = :[
        now = executeActions(actions)
        drive1.ref = getRefPathPosition(now, 1)
        drive2.ref = getRefPathPosition(now, 2)
        drive3.ref = getRefPathPosition(now, 3)
        drive4.ref = getRefPathPosition(now, 4)
        drive5.ref = getRefPathPosition(now, 5)
        drive6.ref = getRefPathPosition(now, 6)
        drive7.ref = getRefPathPosition(now, 7)
    ]
)
robot = @instantiateModel(WalkingRobot, unitless = true)
simulate!(robot, stopTime = 86.0)

# Two stacks of three boxes, as planned, and not turned; the blue end effector holds the platform, the green one is above the
# last box.
last(name) = getLastValue(robot, name, unit = false)
for (box, top) in [("boxX1Y1Z2", put1), ("boxX1Y2Z2", put2), ("boxX1Y1Z1", put3), ("boxX1Y2Z1", put4)]
    println(box, " is at ", round.(last("$box.lockZpos.r_abs"), digits = 5), ", planned was ", top)
    @test isapprox(last("$box.lockZpos.r_abs"), top, atol = 1e-6)
    @test isapprox(last("$box.body.rot123_abs"), zeros(3), atol = 1e-6)
end
@test isapprox(last("blueLock.r_abs"), far, atol = 1e-6)
@test isapprox(last("greenLock.r_abs"), above(put4), atol = 1e-5)

# Nothing jumps when it changes hands or the chain is turned around.
function jump(name)
    (t, r) = getValues(robot, "time", unit = false), getValues(robot, name, unit = false)
    maximum(maximum(abs.(r[k + 1, :] - r[k, :])) for k in 1:length(t)-1 if t[k] == t[k + 1])
end
for name in ["blueLock", "link2.body", "link4.body", "greenLock", "boxX1Y1Z2.body", "boxX1Y2Z2.body", "boxX1Y1Z1.body", "boxX1Y2Z1.body"]
    @test jump("$name.r_abs") < 1e-12
end

plot(robot, [("blueLock.r_abs[3]", "greenLock.r_abs[3]", "boxX1Y1Z2.body.r_abs[3]", "boxX1Y2Z2.body.r_abs[3]"),
             ("rev1.phi", "rev2.phi", "rev4.phi", "rev6.phi", "rev7.phi")], heading = "A robot walks and stacks boxes")
