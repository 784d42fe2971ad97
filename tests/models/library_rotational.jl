# Every component of Rotational.jl against its closed form.
using Modia
using Test

include("$(Modia.modelsPath)/AllModels.jl")

close(a, b) = isapprox(ustrip(a), b, rtol = 1e-5, atol = 1e-7)
final(m, name) = getLastValue(m, name)

# Inertia and Torque: uniform acceleration; the sensors see what the flange does.
Wheel = Model(
    torque = Torque,
    wheel = Inertia | Map(J = 0.5u"kg*m^2", phi = Var(init = 0.1u"rad"), w = Var(init = 2.0u"rad/s")),
    angle = AngleSensor,
    speed = SpeedSensor,
    plainAngle = UnitlessAngleSensor,
    plainSpeed = UnitlessSpeedSensor,
    equations = :[torque.tau = 3.0u"N*m"],
    connect = :[
        (torque.flange, wheel.flange_a)
        (wheel.flange_b, angle.flange, speed.flange, plainAngle.flange, plainSpeed.flange)
    ]
)
wheel = @instantiateModel(Wheel)
simulate!(wheel, stopTime = 0.5, tolerance = 1e-8)
@test close(final(wheel, "wheel.w"), 2.0 + 6.0*0.5)
@test close(final(wheel, "wheel.phi"), 0.1 + 2.0*0.5 + 3.0*0.25)
@test close(final(wheel, "wheel.a"), 6.0)
@test close(final(wheel, "angle.phi"), 0.1 + 1.0 + 0.75)
@test close(final(wheel, "speed.w"), 5.0)
@test close(final(wheel, "plainAngle.phi"), 1.85)
@test close(final(wheel, "plainSpeed.w"), 5.0)
@test Set(get_xNames(wheel)) == Set(["wheel.phi", "wheel.w"])

# Spring against a fixed wall: an oscillation about phi_rel0.
Oscillator = Model(
    fixed = Fixed,
    spring = Spring | Map(c = 8.0u"N*m/rad", phi_rel0 = 0.25u"rad"),
    wheel = Inertia | Map(J = 0.5u"kg*m^2", phi = Var(init = 1.0u"rad")),
    connect = :[
        (fixed.flange, spring.flange_a)
        (spring.flange_b, wheel.flange_a)
    ]
)
oscillator = @instantiateModel(Oscillator)
simulate!(oscillator, stopTime = 1.3, tolerance = 1e-9)
@test close(final(oscillator, "wheel.phi"), 0.25 + 0.75*cos(4.0*1.3))
@test close(final(oscillator, "spring.tau"), 8.0*0.75*cos(4.0*1.3))
@test close(final(oscillator, "fixed.flange.phi"), 0.0)
@test close(final(oscillator, "fixed.flange.tau"), 8.0*0.75*cos(4.0*1.3))

# SpringDamper, and the same from a Spring and a Damper beside each other.
a, w = 2.0/(2*0.5), sqrt(8.0/0.5 - 4.0)
damped(t) = exp(-a*t)*(cos(w*t) + a/w*sin(w*t))
One = Model(
    fixed = Fixed,
    part = SpringDamper | Map(c = 8.0u"N*m/rad", d = 2.0u"N*m*s/rad"),
    wheel = Inertia | Map(J = 0.5u"kg*m^2", phi = Var(init = 1.0u"rad")),
    connect = :[
        (fixed.flange, part.flange_a)
        (part.flange_b, wheel.flange_a)
    ]
)
Two = Model(
    fixed = Fixed,
    spring = Spring | Map(c = 8.0u"N*m/rad"),
    damper = Damper | Map(d = 2.0u"N*m*s/rad"),
    wheel = Inertia | Map(J = 0.5u"kg*m^2", phi = Var(init = 1.0u"rad")),
    connect = :[
        (fixed.flange, spring.flange_a, damper.flange_a)
        (spring.flange_b, damper.flange_b, wheel.flange_a)
    ]
)
for model in [One, Two]
    m = @instantiateModel(model)
    simulate!(m, stopTime = 0.9, tolerance = 1e-9)
    @test close(final(m, "wheel.phi"), damped(0.9))
end

# Damper alone: the speed of two wheels meets at that of the common one.
Coupling = Model(
    first = Inertia | Map(J = 1.0u"kg*m^2", w = Var(init = 6.0u"rad/s")),
    damper = Damper | Map(d = 0.5u"N*m*s/rad"),
    second = Inertia | Map(J = 2.0u"kg*m^2"),
    connect = :[
        (first.flange_b, damper.flange_a)
        (damper.flange_b, second.flange_a)
    ]
)
coupling = @instantiateModel(Coupling)
simulate!(coupling, stopTime = 1.0, tolerance = 1e-9)
difference = 6.0*exp(-0.5*(1/1.0 + 1/2.0)*1.0)
@test close(final(coupling, "first.w"), 2.0 + difference*2/3)
@test close(final(coupling, "second.w"), 2.0 - difference/3)
@test close(final(coupling, "damper.w_rel"), -difference)

# IdealGear and UnitlessTorque: the inertia behind the gear counts with the square of the ratio.
Geared = Model(
    torque = UnitlessTorque | Map(tau = :(1.5)),
    motor = Inertia | Map(J = 0.1u"kg*m^2"),
    gear = IdealGear | Map(ratio = 4.0),
    load = Inertia | Map(J = 3.2u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)),
    connect = :[
        (torque.flange, motor.flange_a)
        (motor.flange_b, gear.flange_a)
        (gear.flange_b, load.flange_a)
    ]
)
geared = @instantiateModel(Geared)
simulate!(geared, stopTime = 2.0, tolerance = 1e-8)
J = 0.1 + 3.2/16
@test close(final(geared, "motor.w"), 1.5/J*2.0)
@test close(final(geared, "load.w"), 1.5/J*2.0/4)
@test close(final(geared, "gear.flange_a.tau"), 1.5 - 0.1*1.5/J)
@test close(final(geared, "gear.flange_b.tau"), -4*(1.5 - 0.1*1.5/J))

# IdealGear_withSupport on a housing that turns freely: momentum as a whole is kept.
Housing = Model(
    torque = Torque,
    motor = Inertia | Map(J = 0.1u"kg*m^2"),
    gear = IdealGear_withSupport | Map(ratio = -2.0),
    load = Inertia | Map(J = 0.4u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)),
    housing = Inertia | Map(J = 0.3u"kg*m^2"),
    equations = :[torque.tau = 0.6u"N*m"],
    connect = :[
        (torque.flange, motor.flange_a)
        (motor.flange_b, gear.flange_a)
        (gear.flange_b, load.flange_a)
        (gear.support, housing.flange_a)
    ]
)
housing = @instantiateModel(Housing)
simulate!(housing, stopTime = 1.0, tolerance = 1e-8)
wm, wl, wh = final(housing, "motor.w"), final(housing, "load.w"), final(housing, "housing.w")
# The ratio holds between speeds relative to the housing.
@test close(wm - wh, -2*ustrip(wl - wh))
@test close(0.1*ustrip(wm) + 0.4*ustrip(wl) + 0.3*ustrip(wh), 0.6)
# Lagrange with free speeds m and h, l = 1.5*h - 0.5*m:
# 0.1 m' - 0.5*0.4 l' = 0.6, 0.3 h' + 1.5*0.4 l' = 0.
M = [0.1 + 0.1 -0.3; -0.3 0.3 + 0.9]
rates = [(0.6*M[2, 2])/(M[1, 1]*M[2, 2] - M[1, 2]*M[2, 1]), (-0.6*M[2, 1])/(M[1, 1]*M[2, 2] - M[1, 2]*M[2, 1])]
@test close(wm, rates[1]) && close(wh, rates[2])

# EMF: a motor without inductance runs up to V/k with the time constant J*R/k^2.
Motor = Model(
    V = ConstantVoltage | Map(V = 12.0u"V"),
    R = Resistor | Map(R = 2.0u"Ω"),
    emf = EMF | Map(k = 0.5u"N*m/A"),
    rotor = Inertia | Map(J = 0.05u"kg*m^2"),
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, emf.p)
        (emf.n, V.n, ground.p)
        (emf.flange, rotor.flange_a)
    ]
)
motor = @instantiateModel(Motor)
simulate!(motor, stopTime = 0.3, tolerance = 1e-9)
w = 24.0*(1 - exp(-0.3*0.25/(0.05*2.0)))
@test close(final(motor, "rotor.w"), w)
@test close(final(motor, "emf.i"), (12.0 - 0.5*w)/2.0)
@test close(final(motor, "emf.flange.tau"), -0.5*(12.0 - 0.5*w)/2.0)
