# A step-down converter from 24 V to 5 V with a sampled controller; at 6 ms its load doubles.
#
# Shows: an ideal switch and a diode in one circuit, pulses whose width a DiscretePID gives once a period, and a load that is switched on.
# Expect: 4.94 V after 6 ms, a dip below 4.2 V when the load comes, 5 V at the end, and the ripple of the pulses in the coil. While the coil conducts all the time there are two circuits
# that follow each other; SciPy, with matrix exponentials of both, has 4.9389062 V at 6 ms and 4.9984513 V at the end.
using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Control.jl")
include("$(Modia.modelsPath)/Circuits.jl")

Converter = Model(
    source = ConstantVoltage | Map(V = 24.0u"V"), ground = Ground,
    switch = IdealSwitch | Map(Goff = 1.0e-9u"S"), diode = IdealDiode | Map(Vknee = 0.4u"V", Goff = 1.0e-9u"S"),
    coil = Inductor | Map(L = 1.0e-4u"H"), wire = Resistor | Map(R = 0.05u"Ω"),
    capacitor = Capacitor | Map(C = 2.0e-4u"F"), load = Resistor | Map(R = 2.5u"Ω"), more = Resistor | Map(R = 2.5u"Ω"), turnOn = IdealSwitch | Map(Goff = 1.0e-9u"S"),
    control = DiscretePID | Map(T = 2.0e-5u"s", k = 0.02u"1/V", Ti = 4.0e-4u"s", yMin = 0.02, yMax = 0.95,
                                D = Var(start = 0.0u"V"), ud = Var(start = 0.0u"V")),
    pwm = PWM | Map(T = 2.0e-5u"s"),
    equations = :[
        control.u_s = if time < 0.002u"s"; 2500.0u"V/s"*time else 5.0u"V" end
        control.u_m = capacitor.v
        pwm.u = control.y
        switch.on = pwm.y
        turnOn.on = time > 0.006u"s"
    ],
    connect = :[
        (source.p, switch.p)
        (switch.n, diode.n, coil.p)
        (coil.n, wire.p)
        (wire.n, capacitor.p, load.p, turnOn.p)
        (turnOn.n, more.p)
        (source.n, diode.p, capacitor.n, load.n, more.n, ground.p)
    ])

converter = @instantiateModel(Converter)
simulate!(converter, stopTime = 0.01, tolerance = 1e-8)
plot(converter, ["capacitor.v", "coil.i", "control.y"], heading = "Step-down converter: voltage, current of the coil, duty")

at(name, t) = (k = findlast(getValues(converter, "time") .<= t + 1e-12); getValues(converter, name)[k])
println("before the load: ", at("capacitor.v", 0.006), " V, at the end: ", getLastValue(converter, "capacitor.v"), ", lowest: ", minimum(getValues(converter, "capacitor.v")[findall(getValues(converter, "time") .> 0.005)]), " V")
@test abs(at("capacitor.v", 0.006) - 4.9389062) < 1e-5
@test abs(getLastValue(converter, "capacitor.v", unit = false) - 4.9984513) < 1e-5
