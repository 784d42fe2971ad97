# Scenario A18: a current-controlled motor with an elastic gear, flat and with the motor as a component.
using Modia
using Test

include("$(Modia.modelsPath)/AllModels.jl")

Motor = Model(
    voltage = input, current = output,
    flange = Flange,
    signalVoltage = UnitlessSignalVoltage,
    resistor = Resistor | Map(R = 13.8u"Ω"),
    inductor = Inductor | Map(L = 0.061u"H"),
    emf = EMF | Map(k = 1.016u"N*m/A"),
    ground = Ground,
    currentSensor = UnitlessCurrentSensor,
    motorInertia = Inertia | Map(J = 0.0025u"kg*m^2"),
    connect = :[
        (voltage, signalVoltage.v)
        (signalVoltage.p, resistor.p)
        (resistor.n, inductor.p)
        (inductor.n, emf.p)
        (emf.n, ground.p, currentSensor.p)
        (currentSensor.n, signalVoltage.n)
        (currentSensor.i, current)
        (emf.flange, motorInertia.flange_a)
        (motorInertia.flange_b, flange)
    ]
)

MotorControl = Model(
    step = Step | Map(height = 4.7, offset = 0.0),
    feedback = Feedback,
    PI = PI | Map(k = 30, T = 0.005u"s"),
    firstOrder = FirstOrder | Map(k = 1u"V" / u"V", T = 0.001u"s"),
    motor = Motor,
    idealGear = IdealGear | Map(ratio = 105),
    springDamper = SpringDamper | Map(c = 5.0e5u"N*m/rad", d = 500u"N*m*s/rad"),
    loadInertia = Inertia | Map(J = 100u"kg*m^2"),
    tload = Torque,
    equations = :[tload.tau = 0.0u"N*m"],
    connect = :[
        (step.y, feedback.u1)
        (feedback.y, PI.u)
        (PI.y, firstOrder.u)
        (firstOrder.y, motor.voltage)
        (motor.current, feedback.u2)
        (motor.flange, idealGear.flange_a)
        (idealGear.flange_b, springDamper.flange_a)
        (springDamper.flange_b, loadInertia.flange_a)
        (loadInertia.flange_b, tload.flange)
    ]
)
motorControl = @instantiateModel(MotorControl, unitless = true)
simulate!(motorControl, stopTime = 0.1, requiredFinalStates =
    [3.487844601078223, 106.82874860310305, 4.616087152802267, 2.014120727821878,
     41.98048886114646, 0.018332432934516536, 0.3725930536373392])

# Names and order of the states are those of the published program.
@test get_xNames(motorControl) == ["PI.x", "firstOrder.x", "motor.inductor.i", "motor.motorInertia.phi",
                                   "motor.motorInertia.w", "loadInertia.phi", "loadInertia.w"]
