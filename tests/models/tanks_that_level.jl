# Two tanks that come to one level in a finite time, by Torricelli's law: the sign of the difference is all that is left then, and it
# neither slides nor dies away. They ended at 0.21 and 0.79 instead of 0.5: each switch let the next one swing twice as far.
module TanksThatLevel

using Modia
using Test

Two = Model(a = Var(init = 1.0), b = Var(init = 0.0), equations = :[
    f = sign(a - b)*sqrt(abs(a - b)); der(a) = -f; der(b) = f])
two = @instantiateModel(Two, unitless = true)
for s in [CVODE_BDF(), IDA(), Rodas5()]
    simulate!(two, s, stopTime = 6.0, tolerance = 1e-6)
    @test abs(getLastValue(two, "a") - 0.5) < 1e-5
    simulate!(two, s, stopTime = 0.5, tolerance = 1e-6)
    @test abs(getLastValue(two, "a") - 0.625) < 1e-4
end

# More of them, where each sign meets those of the others: 22 of these 60 runs were refused (E0706, E0703, E0707) or off by up to
# 0.02. The sign jumps, but the flow does not, so it needs no events where nothing but errors decide it.
Pair = Model(k = 1.0, a = Var(init = 1.0), b = Var(init = 0.0), equations = :[
    f = k*(if a > b; sqrt(a - b) else -sqrt(b - a) end); der(a) = -f; der(b) = f])
Three = Model(k = 1.0, a = Var(init = 1.0), b = Var(init = 0.0), c = Var(init = 0.0), equations = :[
    f = k*sign(a - b)*sqrt(abs(a - b)); g = k*sign(b - c)*sqrt(abs(b - c)); der(a) = -f; der(b) = f - g; der(c) = g])
Ring = Model(k = 1.0, a = Var(init = 1.0), b = Var(init = 0.0), c = Var(init = 0.0), d = Var(init = 0.5), equations = :[
    f = k*sign(a - b)*sqrt(abs(a - b)); g = k*sign(b - c)*sqrt(abs(b - c)); h = k*sign(c - d)*sqrt(abs(c - d)); e = k*sign(d - a)*sqrt(abs(d - a))
    der(a) = -f + e; der(b) = f - g; der(c) = g - h; der(d) = h - e])
Draining = Model(k = 1.0, a = Var(init = 1.0), b = Var(init = 1.0), equations = :[
    f = k*sign(a - b)*sqrt(abs(a - b)); o = k*sign(b)*sqrt(abs(b)); der(a) = -f; der(b) = f - o])
# Filled again from t = 3 on: the flow between them is half of what comes in, so a - b = 0.05^2.
Filled = Model(k = 1.0, a = Var(init = 1.0), b = Var(init = 0.0), equations = :[
    q = if time > 3; 0.1 else 0.0 end
    f = k*sign(a - b)*sqrt(abs(a - b)); der(a) = -f + q; der(b) = f])
for (M, right) in [(Pair, 0.5), (Three, 1/3), (Ring, 0.375), (Draining, 0.0), (Filled, 0.85125)]
    m = @instantiateModel(M, unitless = true)
    for s in [CVODE_BDF(), IDA(), Rodas5(), TRBDF2(), Tsit5(), CVODE_Adams()], tolerance in [1e-4, 1e-6]
        simulate!(m, s, stopTime = 10.0, tolerance = tolerance)
        @test abs(getLastValue(m, "a") - right) < 10*tolerance
    end
end
# In another unit of length.
m = @instantiateModel(Three | Map(k = 1e3, a = Var(init = 1e6)), unitless = true)
for s in [CVODE_BDF(), Tsit5()]
    simulate!(m, s, stopTime = 10.0, tolerance = 1e-6)
    @test abs(getLastValue(m, "b") - 1e6/3) < 10.0
end
# A sign that jumps for whoever integrates it keeps its events.
Counted = Model(x = Var(init = 1.0), q = Var(init = 0.0), equations = :[
    s = sign(x - 0.5); der(x) = -s*sqrt(abs(x - 0.5)); der(q) = s])
m = @instantiateModel(Counted, unitless = true)
simulate!(m, stopTime = 3.0, tolerance = 1e-6)
@test abs(getLastValue(m, "q") - sqrt(2.0)) < 1e-3

end
