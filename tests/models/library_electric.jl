# Every component of Electric.jl against its closed form.
using Modia
using Test

include("$(Modia.modelsPath)/Electric.jl")

close(a, b) = isapprox(ustrip(a), b, rtol = 1e-5, atol = 1e-8)
final(m, name) = getLastValue(m, name)

# ConstantVoltage, Resistor, Ground: a divider. Currents into a component are positive.
Divider = Model(
    V = ConstantVoltage | Map(V = 12.0u"V"),
    R1 = Resistor | Map(R = 1.0u"Ω"),
    R2 = Resistor | Map(R = 3.0u"Ω"),
    ground = Ground,
    connect = :[
        (V.p, R1.p)
        (R1.n, R2.p)
        (R2.n, V.n, ground.p)
    ]
)
divider = @instantiateModel(Divider)
simulate!(divider, stopTime = 1.0)
@test close(final(divider, "R2.v"), 9.0)
@test close(final(divider, "R2.p.v"), 9.0)
@test close(final(divider, "R1.i"), 3.0)
@test close(final(divider, "V.i"), -3.0)
@test close(final(divider, "ground.p.v"), 0.0)
@test close(final(divider, "ground.p.i"), 0.0)

# Inductor and Capacitor: a series resonance, damped; v' = i/C, L i' = V - R i - v.
Resonance = Model(
    V = ConstantVoltage | Map(V = 5.0u"V"),
    R = Resistor | Map(R = 0.4u"Ω"),
    L = Inductor | Map(L = 0.1u"H", i = Var(init = 0.5u"A")),
    C = Capacitor | Map(C = 0.2u"F", v = Var(init = 1.0u"V")),
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, L.p)
        (L.n, C.p)
        (C.n, V.n, ground.p)
    ]
)
resonance = @instantiateModel(Resonance)
simulate!(resonance, stopTime = 0.7, tolerance = 1e-9)
a = 0.4/(2*0.1)
w = sqrt(1/(0.1*0.2) - a^2)
# v - 5 = e^(-a*t)*(A*cos(w*t) + B*sin(w*t)) with v(0) = 1 and v'(0) = 0.5/C.
A = 1.0 - 5.0
B = (0.5/0.2 + a*A)/w
t = 0.7
@test close(final(resonance, "C.v"), 5 + exp(-a*t)*(A*cos(w*t) + B*sin(w*t)))
rate = exp(-a*t)*((-a*A + w*B)*cos(w*t) + (-a*B - w*A)*sin(w*t))
@test close(final(resonance, "L.i"), 0.2*rate)
@test Set(get_xNames(resonance)) == Set(["L.i", "C.v"])

# IdealOpAmp3Pin as an inverting amplifier and as an integrator; SignalVoltage and the sensors.
Amplifier = Model(
    source = SignalVoltage,
    R1 = Resistor | Map(R = 2.0u"Ω"),
    R2 = Resistor | Map(R = 10.0u"Ω"),
    amp = IdealOpAmp3Pin,
    load = Resistor | Map(R = 4.0u"Ω"),
    sensor = CurrentSensor,
    ground = Ground,
    equations = :[source.v = 1.5u"V"*sin(time/u"s")],
    connect = :[
        (source.p, R1.p)
        (R1.n, R2.p, amp.in_n)
        (R2.n, amp.out, sensor.p)
        (sensor.n, load.p)
        (amp.in_p, load.n, source.n, ground.p)
    ]
)
amplifier = @instantiateModel(Amplifier)
simulate!(amplifier, stopTime = 1.0)
@test close(final(amplifier, "load.v"), -5*1.5*sin(1.0))
@test close(final(amplifier, "sensor.i"), -5*1.5*sin(1.0)/4.0)
@test close(final(amplifier, "amp.in_n.v"), 0.0)

Integrator = Model(
    source = UnitlessSignalVoltage,
    R = Resistor | Map(R = 2.0u"Ω"),
    C = Capacitor | Map(C = 0.25u"F"),
    amp = IdealOpAmp3Pin,
    sensor = UnitlessCurrentSensor,
    ground = Ground,
    equations = :[source.v = 3.0],
    connect = :[
        (source.p, sensor.p)
        (sensor.n, R.p)
        (R.n, C.p, amp.in_n)
        (C.n, amp.out)
        (amp.in_p, source.n, ground.p)
    ]
)
integrator = @instantiateModel(Integrator)
simulate!(integrator, stopTime = 2.0, tolerance = 1e-8)
@test close(final(integrator, "amp.out.v"), -3.0*2.0/(2.0*0.25))
@test close(final(integrator, "sensor.i"), 1.5)
@test close(final(integrator, "C.v"), 12.0)
