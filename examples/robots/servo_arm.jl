# Six servo drives move a robot arm from place to place (thesis, section 3.3).
#
# Shows: a path planned between points, drives of equations (controller, motor, gear) on the flanges of the 3D joints.
# A rotor turns as many times faster as its gear says, so its inertia counts with the square of that number.
# Expect: all joints start and stop together; each is late by a few hundredths of a second, as its controller is. At the
# end the arm rests, and the torques are those that carry its weight.
module ServoArm

using Modia3D
using Test
@usingModiaPlot

include("$(Modia3D.modelsPath)/AllModels.jl")
include("parts/arm.jl")

names = ["phi1", "phi2", "phi3", "phi4", "phi5", "phi6"]
points = [0.0  0.2   0.4  0.0   0.3  0.0
          1.2  1.0   0.9  0.5  -0.6  1.0
          0.0  0.6  -1.2  0.0   0.6  0.0]
path = PTP_path(names, positions = points, v_max = fill(2.0, 6), a_max = fill(4.0, 6))
reference(k, t) = getPosition(path, k, t)

ratio = [120.0, 120.0, 100.0, 100.0, 80.0, 80.0]
inertia = [2.0e-4, 2.0e-4, 1.0e-4, 2.0e-5, 2.0e-5, 1.0e-5]
gain = [300.0, 300.0, 100.0, 20.0, 20.0, 5.0]

Servo(k) = Model(
    flange = Flange,
    motor = UnitlessTorque,
    rotor = Inertia | Map(J = inertia[k], phi = Var(init = nothing), w = Var(init = nothing)),
    gear = IdealGear | Map(ratio = ratio[k]),
    late = Var(init = 0.0),                     # what the speed lagged behind, summed up
    equations = :[
        phi_ref = reference($k, time)
        lag = 20.0*(phi_ref - gear.phi_b) - der(gear.phi_b)
        der(late) = lag
        motor.tau = $(gain[k])*(lag + 10.0*late)/$(ratio[k])
    ],
    connect = :[
        (motor.flange, rotor.flange_a)
        (rotor.flange_b, gear.flange_a)
        (gear.flange_b, flange)
    ]
)

robot = @instantiateModel(Robot(points[1, :], Servo), unitless = true)
simulate!(robot, stopTime = pathEndTime(path) + 3.0)

# The arm is where it should be, and joint 2 holds the weight of all that it carries.
for k in 1:6
    @test abs(getLastValue(robot, "arm.rev$k.phi") - points[3, k]) < 1e-3
end
place(name) = getLastValue(robot, "arm.$name.r_abs", unit = false)
weight = sum(masses[k]*9.81*(place(bodies[k])[1] - place("link2.base")[1]) for k in 2:7)
torque = getLastValue(robot, "arm.rev2.flange.tau")
println("joint 2 carries ", round(torque, digits = 2), " N*m, the weight asks for ", round(weight, digits = 2), " N*m")
@test abs(torque - weight) < 0.01

plot(robot, [("drive1.phi_ref", "arm.rev1.phi", "drive2.phi_ref", "arm.rev2.phi", "drive3.phi_ref", "arm.rev3.phi"),
             ("arm.rev1.flange.tau", "arm.rev2.flange.tau", "arm.rev3.flange.tau"), "arm.load.r_abs"],
     heading = "Six servo drives")

end
