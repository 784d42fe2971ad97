# A power supply: mains transformer, rectifier, capacitor, Zener diode and a transistor that follows it; what the mains give and the load takes
#
# Shows: coupled coils and an ideal transformer, exponential diodes, a Zener diode, a bipolar transistor, sensors of voltage, current and power, a saturable coil that is switched on, and a thyristor that
# dims a lamp.
# Expect: 9.4 V at the load whatever it takes: the voltage of the Zener diode less that between base and emitter. The inrush current is where the flux of the coil is the area under the voltage; the lamp
# has the power of the part of each half wave that the thyristor lets through.
module PowerSupply

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Circuits.jl")

Supply = Model(
    mains = SineVoltage | Map(V = 325.0u"V", f = 50.0u"Hz"), meter = PowerSensor, transformer = IdealTransformer | Map(n = 14.0), wire = Resistor | Map(R = 0.5u"Ω"),
    d1 = Diode, d2 = Diode, d3 = Diode, d4 = Diode, smooth = Capacitor | Map(C = 4.7e-3u"F", v = Var(init = 18.0u"V")),
    bias = Resistor | Map(R = 470.0u"Ω"), zener = ZenerDiode | Map(Bv = 10.0u"V"), follower = NPN | Map(Bf = 80.0), load = Resistor | Map(R = 20.0u"Ω"), burden = SignalCurrent, shown = VoltageSensor, current = CurrentSensor, g0 = Ground, g = Ground,
    equations = :[
        burden.u = time > 0.1u"s" ? 0.5u"A" : 0.0u"A"
    ],
    connect = :[
        (mains.p, meter.pc, meter.pv)
        (meter.nc, transformer.p1)
        (mains.n, transformer.n1, meter.nv, g0.p)
        (transformer.p2, wire.p)
        (wire.n, d1.p, d2.n)
        (transformer.n2, d3.p, d4.n)
        (d1.n, d3.n, smooth.p, bias.p, follower.C)
        (bias.n, zener.n, follower.B)
        (follower.E, current.p)
        (current.n, load.p, burden.p, shown.p)
        (d2.p, d4.p, smooth.n, zener.p, load.n, burden.n, shown.n, g.p)
    ])
supply = @instantiateModel(Supply)
simulate!(supply, stopTime = 0.2, tolerance = 1e-7, dtmax = 0.001)   # diodes that hardly conduct leave the steps long
plot(supply, [("smooth.v", "shown.v"), "current.i", "meter.P"], heading = "Power supply: voltages, current of the load, power of the mains")
# The emitter is below the Zener diode by Vt*log(i/Is); the Zener's own voltage follows from its current in the same way.
v, i = getLastValue(supply, "shown.v", unit = false), getLastValue(supply, "current.i", unit = false)
iz = (getLastValue(supply, "smooth.v", unit = false) - (v + 0.026*log(i/1e-14)))/470.0 - i/80
right = 10.0 + 0.026*log(iz/1e-3) - 0.026*log(i*80/81/1e-14)
println("the load has ", round(v, digits = 4), " V at ", round(i, digits = 4), " A; by hand ", round(right, digits = 4), " V")
@test abs(v - right) < 0.003 && 0.9 < i < 1.0
# 0.5 A more change the voltage by less than 1 %.
times, volts = getValues(supply, "time", unit = false), getValues(supply, "shown.v", unit = false)
@test abs(volts[findlast(times .< 0.0999)] - v) < 0.1

# Two coils beside the ideal transformer: with M = sqrt(L1 L2) nearly, and a load far below the magnetizing reactance, it does the same.
Coils = Model(u = SineVoltage | Map(V = 100.0u"V", f = 50.0u"Hz"), coils = Transformer | Map(L1 = 4.0u"H", L2 = 1.0u"H", M = 1.9999u"H"), r = Resistor | Map(R = 10.0u"Ω"), g = Ground, g2 = Ground,
              connect = :[(u.p, coils.p1); (u.n, coils.n1, g.p); (coils.p2, r.p); (r.n, coils.n2, g2.p)])
coils = @instantiateModel(Coils)
simulate!(coils, stopTime = 0.4, tolerance = 1e-8, interval = 1e-4)
last = findall(getValues(coils, "time", unit = false) .> 0.3)
peak = maximum(getValues(coils, "r.v", unit = false)[last])
w = 2*pi*50
leak = w*(1.0*4.0 - 1.9999^2)/4.0
by_hand = 100*1.9999/4/sqrt(1 + (leak/10)^2)
println("behind the coils ", round(peak, digits = 4), " V, by hand ", round(by_hand, digits = 4), " V")
@test abs(peak - by_hand) < 2e-3*by_hand

# A coil with iron at the mains, switched on at the worst moment: after half a period its flux is 2 V/w.
Inrush = Model(u = SineVoltage | Map(V = 325.0u"V", f = 50.0u"Hz"), coil = SaturableInductor | Map(L = 2.0u"H", Lsat = 0.05u"H", Isat = 0.6u"A"), g = Ground, connect = :[(u.p, coil.p); (u.n, coil.n, g.p)])
inrush = @instantiateModel(Inrush)
simulate!(inrush, stopTime = 0.01, tolerance = 1e-9)
flux(i) = 0.05*i + 1.95*0.6*tanh(i/0.6)
i = getLastValue(inrush, "coil.i", unit = false)
println("inrush current ", round(i, digits = 3), " A; ", round(325/w/2.0, digits = 3), " A would be the peak without saturation")
@test abs(flux(i) - 2*325/w) < 1e-6

# A dimmer: fired at 60 degrees of each positive half wave, the lamp gets (1 - 60/180 + sin(120)/(2 pi)) of V^2/(4 R).
Dimmer = Model(u = SineVoltage | Map(V = 325.0u"V", f = 50.0u"Hz"), scr = IdealThyristor, lamp = Resistor | Map(R = 500.0u"Ω"), g = Ground, E = Var(init = 0.0u"J"),
               equations = :[scr.fire = mod(time, 0.02u"s") > 0.02u"s"/6 && mod(time, 0.02u"s") < 0.004u"s"; der(E) = lamp.v*lamp.i], connect = :[(u.p, scr.p); (scr.n, lamp.p); (lamp.n, u.n, g.p)])
dimmer = @instantiateModel(Dimmer)
simulate!(dimmer, stopTime = 0.2, tolerance = 1e-8)
power, right = getLastValue(dimmer, "E", unit = false)/0.2, (1 - 1/3 + sin(2*pi/3)/(2*pi))*325^2/(4*500)
println("the lamp has ", round(power, digits = 4), " W, by hand ", round(right, digits = 4), " W")
@test abs(power - right) < 1e-4*right

end
