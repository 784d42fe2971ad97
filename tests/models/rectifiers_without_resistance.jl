# Ideal diodes straight between a source and a capacitor: while they conduct, their current is the difference of two voltages
# over 20 microohms, of which tolerances leave nothing but noise. They block all the same when the current ends, at
# tan(w t) = -w R C, and the capacitor keeps its charge: V sin(w t) exp(-(T/2 - t)/(R C)) when the source is zero.
# (They went on to conduct, backward, and the capacitor followed the source to zero, with a note.)
using Modia
using Test
using Unitful
include("$(Modia.modelsPath)/Circuits.jl")

Diode = IdealDiode | Map(Goff = 1e-12u"S")
Half = Model(
    V = SineVoltage | Map(V = 10.0u"V", f = 50.0u"Hz"), D = Diode,
    R = Resistor | Map(R = 100.0u"Ω"), C = Capacitor | Map(C = 1e-4u"F", v = Var(init = 0.0u"V")), ground = Ground,
    connect = :[(V.p, D.p); (D.n, R.p, C.p); (V.n, R.n, C.n, ground.p)])
Bridge = Model(
    V = SineVoltage | Map(V = 10.0u"V", f = 50.0u"Hz"), D1 = Diode, D2 = Diode, D3 = Diode, D4 = Diode,
    R = Resistor | Map(R = 100.0u"Ω"), C = Capacitor | Map(C = 1e-4u"F", v = Var(init = 0.0u"V")), ground = Ground,
    connect = :[
        (V.p, D1.p, D3.n)
        (V.n, D2.p, D4.n)
        (D1.n, D2.n, R.p, C.p)
        (D3.p, D4.p, R.n, C.n, ground.p)])

# The instant is known to what the tolerance leaves of the current: at 1e-6 of 10 V that is 0.5 A beside 0.3 A and less.
w = 2*pi*50
for (what, Of, conducts) in [("half", Half, 0.02), ("bridge", Bridge, 0.01)]
    model = @instantiateModel(Of)
    for (C, R) in [(1e-4, 100.0), (1e-3, 10.0), (1e-5, 500.0)], (tolerance, most, solvers) in
        [(1e-6, 1e-2, [CVODE_BDF(), IDA(), Rodas5()]), (1e-8, 1e-3, [CVODE_BDF(), IDA(), Rodas5()])], solver in solvers
        off = (pi - atan(w*R*C))/w
        right = 10*sin(w*off)*exp(-(conducts - off)/(R*C))
        simulate!(model, solver, stopTime = 0.02, tolerance = tolerance,
                  merge = Map(C = Map(C = C*u"F"), R = Map(R = R*u"Ω")))
        v = getLastValue(model, "C.v")/u"V"
        abs(v - right) < most*10 || println(what, " ", C, " ", R, " ", solver, " at ", tolerance, ": ", v, ", right is ", right)
        @test abs(v - right) < most*10
    end
end

# Both sides of a diode agree where it changes, but only one of them is stiff. Free of events, it had Newton's method begin on the other: Rodas5
# took a million steps for the bridge of 10 uF at 1e-7.
model = @instantiateModel(Bridge)
for (solver, tolerance) in [(Rodas5(), 1e-7), (KenCarp4(), 1e-7), (TRBDF2(), 1e-6)]
    off = (pi - atan(w*5e-3))/w
    simulate!(model, solver, stopTime = 0.02, tolerance = tolerance, merge = Map(C = Map(C = 1e-5u"F"), R = Map(R = 500.0u"Ω")))
    @test abs(getLastValue(model, "C.v")/u"V" - 10*sin(w*off)*exp(-(0.01 - off)/5e-3)) < 100*tolerance
end
