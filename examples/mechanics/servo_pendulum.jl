# A bar that a position controller swings up: bodies, a motor behind an ideal gear and a controller in one
# model (thesis, section 3.3).
#
# Shows: a joint with a flange, a drive whose rotor inertia counts with the square of the gear ratio, and
# the torque that the controller asks for. The angle follows the ramp and ends at 1.2 rad; the torque there
# is what holds the bar against gravity.
module ServoPendulum

using Modia3D

include("$(Modia3D.modelsPath)/AllModels.jl")

Controller = Model(
    phi_ref = input,
    phi = input,
    w = input,
    tau = output,
    k_position = 8.0,
    k_speed = 40.0,
    T = 0.2,
    x = Var(init = 0.0),
    equations = :[
        e = k_position*(phi_ref - phi) - w
        T*der(x) = e
        tau = k_speed*(e + x)
    ]
)

Servo = Model(
    ratio = 50.0,
    flange = Flange,
    phi_ref = input,
    controller = Controller,
    torque = UnitlessTorque,
    rotor = Inertia | Map(J = 2.0e-4, phi = Var(init = nothing), w = Var(init = nothing)),
    gear = IdealGear | Map(ratio = :ratio),
    equations = :[
        controller.phi_ref = phi_ref
        controller.phi = gear.phi_b
        controller.w = der(controller.phi)
        torque.tau = controller.tau/ratio
    ],
    connect = :[
        (torque.flange, rotor.flange_a)
        (rotor.flange_b, gear.flange_a)
        (gear.flange_b, flange)
    ]
)

ServoSystem = Model(
    arm = Model3D(
        world = Object3D(feature = Scene()),
        bar = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0, width = 0.1, thickness = 0.1),
                                       massProperties = MassPropertiesFromShapeAndMass(mass = 2.0))),
        hinge = Object3D(parent = :bar, translation = [-0.5, 0.0, 0.0]),
        rev = RevoluteWithFlange(obj1 = :world, obj2 = :hinge, phi = Var(init = -pi/2), w = Var(init = 0.0))
    ),
    servo = Servo,
    equations = :[servo.phi_ref = if time < 2; -1.5707963267948966 + 1.3853981633974483*time else 1.2 end],
    connect = :[(servo.flange, arm.rev.flange)]
)

system = @instantiateModel(ServoSystem, unitless = true)
simulate!(system, stopTime = 6.0)
plot(system, [("arm.rev.phi", "servo.phi_ref"), "arm.rev.flange.tau", "arm.bar.r_abs"], figure = 1)

using Test
@test abs(getLastValue(system, "arm.rev.phi") - 1.2) < 1e-3
@test abs(getLastValue(system, "arm.rev.flange.tau") - 2.0*9.81*0.5*cos(1.2)) < 1e-2

end
