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

Servo(k; ratio, inertia, gain) = Model(
    flange = Flange,
    motor = UnitlessTorque,
    rotor = Inertia | Map(J = inertia, phi = Var(init = nothing), w = Var(init = nothing)),
    gear = IdealGear | Map(ratio = ratio),
    late = Var(init = 0.0),                     # what the speed lagged behind, summed up
    equations = :[
        phi_ref = reference($k, time)
        lag = 20.0*(phi_ref - gear.phi_b) - der(gear.phi_b)
        der(late) = lag
        motor.tau = $gain*(lag + 10.0*late)/$ratio
    ],
    connect = :[
        (motor.flange, rotor.flange_a)
        (rotor.flange_b, gear.flange_a)
        (gear.flange_b, flange)
    ]
)

Robot = Model(
    arm = Arm(points[1, :]),
    servo1 = Servo(1, ratio = 120.0, inertia = 2.0e-4, gain = 300.0),
    servo2 = Servo(2, ratio = 120.0, inertia = 2.0e-4, gain = 300.0),
    servo3 = Servo(3, ratio = 100.0, inertia = 1.0e-4, gain = 100.0),
    servo4 = Servo(4, ratio = 100.0, inertia = 2.0e-5, gain = 20.0),
    servo5 = Servo(5, ratio = 80.0, inertia = 2.0e-5, gain = 20.0),
    servo6 = Servo(6, ratio = 80.0, inertia = 1.0e-5, gain = 5.0),
    connect = :[
        (servo1.flange, arm.rev1.flange)
        (servo2.flange, arm.rev2.flange)
        (servo3.flange, arm.rev3.flange)
        (servo4.flange, arm.rev4.flange)
        (servo5.flange, arm.rev5.flange)
        (servo6.flange, arm.rev6.flange)
    ]
)

robot = @instantiateModel(Robot, unitless = true)
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

plot(robot, [("servo1.phi_ref", "arm.rev1.phi", "servo2.phi_ref", "arm.rev2.phi", "servo3.phi_ref", "arm.rev3.phi"),
             ("arm.rev1.flange.tau", "arm.rev2.flange.tau", "arm.rev3.flange.tau"), "arm.load.r_abs"])

end
