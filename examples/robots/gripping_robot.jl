# A robot of five axes carries a sphere from place to place without a single contact (thesis section 12.2, scenario 4).
#
# Shows: the sphere is rigidly attached to the plate where it rests and to the gripper while it is carried; each change
# begins a segment, and the model is translated once. Each axis is a motor with a cascade controller behind a gear that
# gives way like a spring with a damper (section 12.3), so the arm sags a little under its weight. The action program
# waits where the gripper closes and opens, so that what is joined stands still.
# Expect: six segments, the first of no length. The sphere is put down within 0.1 mm of its places, and stays there to
# the last digit.
module GrippingRobot

using Modia3D
using Test
@usingModiaPlot

include("$(Modia3D.modelsPath)/AllModels.jl")
include("$(Modia3D.modelsPath)/Translational.jl")
include("parts/gripper_arm.jl")

diameter = 0.05
open, closed = diameter + 0.02, diameter

# Places of the sphere on the plate, and points of the path there.
left, right = [0.25, 0.15], [0.30, -0.12]
rest(place) = [place[1], place[2], plateTop + diameter/2]
above(place, width) = [reach(rest(place) + [0.0, 0.0, 0.12]); width]'
down(place, width) = [reach(rest(place)); width]'

start = [0.0, 0.3, 0.8, 0.6, 0.0, open]
v_max = [2.7, 2.7, 4.9, 5.9, 5.9, 0.2]
a_max = [3.0, 3.0, 3.0, 3.0, 3.0, 0.5]
fetch(place) = [above(place, open); down(place, open); down(place, closed)]
carry(from, to) = [above(from, closed); above(to, closed); down(to, closed)]
leave(place) = [down(place, open); above(place, open)]

settle = 0.3   # [s] until the controllers have come to rest
function program(actions)
    addReferencePath(actions, names = axes, position = start, v_max = v_max, a_max = a_max)
    ActionAttach(actions, "sphereLock", "leftPlace")
    for (from, to, depot) in [(left, right, "rightPlace"), (right, left, "leftPlace")]
        ptpJointSpace(actions, fetch(from))
        ActionWait(actions, settle)
        ActionReleaseAndAttach(actions, "sphereLock", "robot.hand")
        ptpJointSpace(actions, carry(from, to))
        ActionWait(actions, settle)
        ActionReleaseAndAttach(actions, "sphereLock", depot)
        ptpJointSpace(actions, leave(to))
    end
    ptpJointSpace(actions, start')
end

Transport = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), gap = 1e-3,
                                     enableContactDetection = false, animationFile = "gripping_robot.json", nominalLength = 0.3)),
    plate = Object3D(parent = :world, translation = [0.3, 0.0, plateTop - 0.01],
                     feature = Visual(shape = Box(lengthX = 0.2, lengthY = 0.5, lengthZ = 0.02))),
    leftPlace = Object3D(parent = :world, lockable = true, translation = rest(left)),
    rightPlace = Object3D(parent = :world, lockable = true, translation = rest(right)),
    sphere = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = rest(left),
                      feature = Solid(shape = Sphere(diameter = diameter), solidMaterial = "DryWood",
                                      visualMaterial = VisualMaterial(color = "Dark Orange"))),
    sphereLock = Object3D(parent = :sphere, lockable = true),
    robot = Robot(start),
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
    ]
)

# When the commands are executed follows from the limits of the path.
duration(points...) = pathEndTime(PTP_path(axes, positions = vcat(points...), v_max = v_max, a_max = a_max))
t1 = duration(start', fetch(left)) + settle                            # it is taken from the left,
t2 = t1 + duration(down(left, closed), carry(left, right)) + settle    # put down at the right,
t3 = t2 + duration(down(right, closed), leave(right), fetch(right)) + settle
t4 = t3 + duration(down(right, closed), carry(right, left)) + settle   # and brought back
stop = t4 + duration(down(left, closed), leave(left), start') + settle

transport = @instantiateModel(Transport, unitless = true)
simulate!(transport, stopTime = stop)

# Where the sphere is, and where its gripper, at the stored point next to a time.
times = getValues(transport, "time", unit = false)
row(t) = findfirst(x -> x >= t, times)
place(name, t) = getValues(transport, name, unit = false)[row(t), :]
println("the sphere is put down at ", round.(place("sphere.r_abs", t2 + 0.1), digits = 5), ", planned were ", rest(right))
println("and brought back to       ", round.(place("sphere.r_abs", stop), digits = 5), ", planned were ", rest(left))
@test place("sphere.r_abs", t1 - 0.1) == rest(left)
@test isapprox(place("sphere.r_abs", t2 + 0.1), rest(right), atol = 1e-4)
@test place("sphere.r_abs", t3 - 0.1) == place("sphere.r_abs", t2 + 0.1)
@test isapprox(place("sphere.r_abs", stop), rest(left), atol = 1e-4)
for t in [t1 + 0.1, t2 - 0.1, t3 + 0.1, t4 - 0.1]   # carried: it is where the hand is
    @test isapprox(place("sphere.r_abs", t), place("robot.hand.r_abs", t), atol = 4e-4)
end
# It never moved freely: states of its own existed at the start only.
@test all(ismissing.(getValues(transport, "sphere.translation")[2:end, 1]))

# At rest the motors are where they should be, and the gears give way by torque over stiffness. Axis 2 carries the weight of
# all that is behind it.
for k in 1:5
    angle, torque = getLastValue(transport, "robot.rev$k.phi"), getLastValue(transport, "robot.rev$k.flange.tau")
    @test abs(getLastValue(transport, "robot.drive$k.rotor.phi")/ratio[k] - start[k]) < 1e-5
    @test abs(angle + torque/stiffness[k] - start[k]) < 1e-5
end
lever(body) = getLastValue(transport, "robot.$body.r_abs", unit = false)[1]
weight = 9.81*sum(mass*lever(body) for (body, mass) in loads)
@test abs(getLastValue(transport, "robot.rev2.phi") - start[2] - weight/stiffness[2]) < 1e-5
println("axis 2 gives way by ", round(1000.0*weight/stiffness[2], digits = 2), " mrad")
@test abs(getLastValue(transport, "robot.grip.s") - open) < 1e-5

plot(transport, ["sphere.r_abs", ("robot.rev1.phi", "robot.rev2.phi", "robot.rev3.phi", "robot.rev4.phi"), "robot.grip.s"],
     heading = "A sphere is carried to and fro")

end
