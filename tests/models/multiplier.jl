# A voltage multiplier of six ideal diodes and six capacitors that begin at zero: upper stages carry next to nothing at first, and the
# currents of diodes of 1e-5 ohms between capacitors are far below what tolerances leave of them. Held against Euler's implicit method
# with 80,000 steps and all combinations of diodes, extrapolated from half as many (an independent program in Python).
# Crawled before, and gave 5.5 V or nothing for 13.7 V where it came to its end.
module Multiplier

using Modia
using Test
include("$(Modia.modelsPath)/Circuits.jl")

D = IdealDiode
C = Capacitor | Map(C = 1e-5u"F", v = Var(init = 0.0u"V"))
Cascade = Model(mains = SineVoltage | Map(V = 10.0u"V", f = 50.0u"Hz"), wire = Resistor | Map(R = 1.0u"Ω"), load = Resistor | Map(R = 1e6u"Ω"), g = Ground,
    d1 = D, d2 = D, d3 = D, d4 = D, d5 = D, d6 = D, c1 = C, c2 = C, c3 = C, c4 = C, c5 = C, c6 = C,
    connect = :[
        (mains.p, wire.p)
        (mains.n, g.p, d1.p, c2.n, load.n)
        (wire.n, c1.n)
        (c1.p, d1.n, d2.p, c3.n)
        (c2.p, d2.n, d3.p, c4.n)
        (c3.p, d3.n, d4.p, c5.n)
        (c4.p, d4.n, d5.p, c6.n)
        (c5.p, d5.n, d6.p)
        (c6.p, d6.n, load.p)
    ])
right = [7.6489417, 8.5254722, 3.8472128, 2.9627621, 0.3031765, 0.3031766]
cascade = @instantiateModel(Cascade)
simulate!(cascade, CVODE_BDF(), stopTime = 0.04, tolerance = 1e-7)
for (k, v) in enumerate(["c1.v", "c2.v", "c3.v", "c4.v", "c5.v", "c6.v"])
    @test abs(getLastValue(cascade, v, unit = false) - right[k]) < 2e-3
end

end
