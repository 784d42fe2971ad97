# Which torques does a motion need? The arm of servo_arm.jl is led along a given motion, and its torques come out.
#
# Shows: inverse dynamics. A flange whose angle is prescribed makes the torque there the unknown; the model has no
# states. The equations are differentiated twice to get at the accelerations, so the motion must be smooth.
# Expect: at the ends of the motion, where the arm rests, the torques carry its weight. What they did on the way, the
# arm has won in height.
module InverseDynamics

using Modia3D
using Test
@usingModiaPlot

include("$(Modia3D.modelsPath)/AllModels.jl")
include("parts/arm.jl")

T = 2.0
from = [0.0, 1.2, 0.9, 0.0, 0.6, 0.0]
to = [1.5, 0.3, 0.4, -0.8, 0.2, 1.0]

# From one angle to the other, with speed and acceleration zero at both ends.
Motion(k) = Model(
    flange = Flange,
    equations = :[
        s = time/$T
        flange.phi = $(from[k]) + $(to[k] - from[k])*(10.0*s^3 - 15.0*s^4 + 6.0*s^5)
    ]
)

robot = @instantiateModel(Robot(fill(nothing, 6), Motion), unitless = true)
simulate!(robot, stopTime = T, interval = T/2000)
@test length(get_xNames(robot)) == 0

# Work of the torques, by the trapezoidal rule, and the height that the weights have won.
function work(k)
    power = getValues(robot, "arm.rev$k.flange.tau").*getValues(robot, "arm.rev$k.w")
    t = getValues(robot, "time")
    return sum((power[i] + power[i-1])/2*(t[i] - t[i-1]) for i in 2:length(t))
end
height(name) = getValues(robot, "arm.$name.r_abs")[:, 2]
lifted = sum(masses[k]*9.81*(height(bodies[k])[end] - height(bodies[k])[1]) for k in 1:7)
done = sum(work(k) for k in 1:6)
println("the torques did ", round(done, digits = 3), " J of work, the weight was lifted by ", round(lifted, digits = 3), " J")
@test abs(done - lifted) < 1e-3

plot(robot, [("arm.rev1.phi", "arm.rev2.phi", "arm.rev3.phi", "arm.rev4.phi", "arm.rev5.phi", "arm.rev6.phi"),
             ("arm.rev1.flange.tau", "arm.rev2.flange.tau", "arm.rev3.flange.tau"),
             ("arm.rev4.flange.tau", "arm.rev5.flange.tau", "arm.rev6.flange.tau")],
     heading = "Torques of a given motion")

end
