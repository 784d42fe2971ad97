# Amplifiers and gates: an ideal and a real operational amplifier, field-effect transistors as an inverter, a current mirror of bipolar ones
#
# Shows: signals that become voltages and currents and back, with and without units; an amplifier whose bandwidth and limits matter; a gate from two field-effect transistors; two transistors that copy a current.
# Expect: the ideal amplifier has the gain -10 at once, the real one follows with 1/(2 pi GBW/11); a sine that is too large is cut at 15 V. The gate switches where both transistors carry the same current, at half
# of the supply. The mirror copies 1 mA with the error 2/(B + 2) of its base currents.
module Amplifiers

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Circuits.jl")
R(r) = Resistor | Map(R = r*u"Ω")

Inverting = Model(step = StepVoltage | Map(V = 0.5u"V"), r1 = R(1.0e3), r2 = R(1.0e4), real = OpAmp | Map(A = 1.0e6), r3 = R(1.0e3), r4 = R(1.0e4), ideal = IdealOpAmp3Pin, signal = SignalVoltage, r5 = R(1.0e3), r6 = R(1.0e4), loud = OpAmp, g = Ground,
                  equations = :[signal.v = 3.0u"V"*sin(2*pi*1.0e3u"Hz"*time)],
                  connect = :[
                      (step.p, r1.p, r3.p)
                      (r1.n, r2.p, real.in_n)
                      (r2.n, real.out)
                      (r3.n, r4.p, ideal.in_n)
                      (r4.n, ideal.out)
                      (signal.p, r5.p)
                      (r5.n, r6.p, loud.in_n)
                      (r6.n, loud.out)
                      (step.n, signal.n, real.in_p, ideal.in_p, loud.in_p, g.p)
                  ])
inverting = @instantiateModel(Inverting)
simulate!(inverting, stopTime = 4.0e-6, tolerance = 1e-9)
y, right = getLastValue(inverting, "real.x", unit = false), -5*(1 - exp(-2*pi*1.0e6/11*4.0e-6))
println("after 4 us the real amplifier has ", round(y, digits = 5), " V of ", round(getLastValue(inverting, "ideal.out.v", unit = false), digits = 5), " V; by hand ", round(right, digits = 5), " V")
@test abs(y - right) < 1e-3 && abs(getLastValue(inverting, "ideal.out.v", unit = false) + 5.0) < 1e-12
simulate!(inverting, stopTime = 2.0e-3, tolerance = 1e-8)
plot(inverting, [("loud.x", "real.x"), "signal.v"], heading = "Amplifiers: cut at 15 V, and a step")
loud = getValues(inverting, "loud.x", unit = false)
@test maximum(abs.(loud)) < 15.01 && maximum(loud) > 14.9

# A gate of two transistors with a capacitor, switched by pulses; its threshold by a slow ramp.
Gate = Model(supply = ConstantVoltage | Map(V = 5.0u"V"), input = PulseVoltage | Map(V = 5.0u"V", period = 2.0e-5u"s"), up = PMOS, down = NMOS, c = Capacitor | Map(C = 1.0e-9u"F", v = Var(init = 5.0u"V")), g = Ground,
             connect = :[(supply.p, up.S); (up.D, down.D, c.p); (input.p, up.G, down.G); (supply.n, input.n, down.S, c.n, g.p)])
gate = @instantiateModel(Gate)
simulate!(gate, stopTime = 1.0e-7, tolerance = 1e-9)
# With 5 V at its gate the lower transistor is saturated down to 3.5 V: a constant current of K/2*3.5^2, then it is a resistor: a logarithm.
t1 = 1e-9*1.5/(0.01*3.5^2)
t = 1.0e-7 - t1
v = 7*exp(-0.02*3.5*t/1e-9)/(1 + exp(-0.02*3.5*t/1e-9))
println("100 ns after the edge ", round(getLastValue(gate, "c.v", unit = false), digits = 6), " V; by hand ", round(v, digits = 6), " V")
@test abs(getLastValue(gate, "c.v", unit = false) - v) < 1e-5

Mirror = Model(supply = ConstantVoltage | Map(V = 10.0u"V"), given = ConstantCurrent | Map(I = 0.001u"A"), q1 = NPN, q2 = NPN, load = R(2000.0), shown = CurrentSensor, q3 = PNP, q4 = PNP, sink = ConstantCurrent | Map(I = 0.001u"A"), load2 = R(2000.0), g = Ground,
               connect = :[
                   (supply.p, given.p, load.p, q3.E, q4.E)
                   (given.n, q1.C, q1.B, q2.B)
                   (load.n, shown.p)
                   (shown.n, q2.C)
                   (q3.C, q3.B, q4.B, sink.p)
                   (q4.C, load2.p)
                   (supply.n, q1.E, q2.E, sink.n, load2.n, g.p)
               ])
mirror = @instantiateModel(Mirror)
simulate!(mirror, stopTime = 1.0e-3)
for name in ["shown.i", "load2.i"]
    println(name, " = ", round(1000*getLastValue(mirror, name, unit = false), digits = 6), " mA; by hand ", round(1/(1 + 2/100.0), digits = 6), " mA")
    @test abs(getLastValue(mirror, name, unit = false) - 0.001/(1 + 2/100.0)) < 1e-9
end

# The same wires for a script that knows no units: plain numbers of volts and amperes.
Plain = Model(u = UnitlessSignalVoltage, r = R(50.0), i = UnitlessCurrentSensor, g = Ground, equations = :[u.v = 5.0], connect = :[(u.p, r.p); (r.n, i.p); (i.n, u.n, g.p)])
plain = @instantiateModel(Plain)
simulate!(plain, stopTime = 1.0)
@test abs(getLastValue(plain, "i.i") - 0.1) < 1e-12

end
