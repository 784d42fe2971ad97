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
include("parts/transport.jl")

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

Transport = Scenery(program)

# When the commands are executed follows from the limits of the path.
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
