# A servo drive: a sampled PID controller every 2 ms, a bridge of switches whose pulses have 5 kHz, a motor behind an elastic shaft, and a load.
#
# Shows: DiscretePID and PWM beside circuits and mechanics; hundreds of located switchings a second. The ripple of the current is that of the pulses.
# Expect: the load comes to 2 rad within 0.1 s and is 2 % beyond it at the end. Checked against SciPy, each piece between two switchings by its matrix
# exponential: 1.9829731 rad at 0.1 s, 2.0343912 rad at the end.
using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Control.jl")
include("$(Modia.modelsPath)/Machines.jl")

Servo = Model(
    battery = ConstantVoltage | Map(V = 24.0u"V"), ground = Ground,
    high1 = IdealSwitch, low1 = IdealSwitch, high2 = IdealSwitch, low2 = IdealSwitch,   # a bridge: 1 and 2 are the two ends of the motor
    motor = DCMachine | Map(R = 0.8u"Ω", L = 1.0e-3u"H", k = 0.05u"N*m/A", J = 5.0e-5u"kg*m^2", d = 1.0e-4u"N*m*s/rad"),
    shaft = SpringDamper | Map(c = 20.0u"N*m/rad", d = 0.01u"N*m*s/rad"),
    load = Inertia | Map(J = 2.0e-4u"kg*m^2"),
    angle = AngleSensor,
    control = DiscretePID | Map(T = 0.002u"s", k = 0.25u"1/rad", Ti = 1.5u"s", Td = 0.03u"s", Tf = 0.001u"s", wd = 0.0, yMin = -0.45, yMax = 0.45,
                                D = Var(start = 0.0u"rad"), ud = Var(start = 0.0u"rad")),
    pwm = PWM | Map(T = 2.0e-4u"s"),
    equations = :[
        control.u_s = 2.0u"rad"
        control.u_m = angle.phi
        pwm.u = 0.5 + control.y                # half of the time: no voltage on average
        high1.on = pwm.y; low2.on = pwm.y
        low1.on = !pwm.y; high2.on = !pwm.y
    ],
    connect = :[
        (battery.p, high1.p, high2.p)
        (battery.n, low1.n, low2.n, ground.p)
        (high1.n, low1.p, motor.p)
        (high2.n, low2.p, motor.n)
        (motor.flange, shaft.flange_a)
        (shaft.flange_b, load.flange_a)
        (load.flange_b, angle.flange)
    ])

servo = @instantiateModel(Servo)
simulate!(servo, stopTime = 0.25, tolerance = 1e-8)
plot(servo, ["load.phi", "motor.i", "control.y"], heading = "Servo drive: angle, current and duty")

at(name, t) = (k = findlast(getValues(servo, "time") .<= t + 1e-12); getValues(servo, name)[k])
println("angle after 0.1 s: ", at("load.phi", 0.1), " rad, at the end: ", getLastValue(servo, "load.phi"), ", largest: ", maximum(getValues(servo, "load.phi")))
@test abs(at("load.phi", 0.1) - 1.9829731) < 1e-5
@test abs(getLastValue(servo, "load.phi", unit = false) - 2.0343912) < 1e-5
