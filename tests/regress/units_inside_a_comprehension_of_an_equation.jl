# A comprehension in an equation becomes a function; the unit that stands in it was read from the wrong place (E0306).
using Modia
using Unitful
using Test

Lines = Model(x = Var(init = [0.0, 0.0, 0.0]u"m"), L = 30.0u"m", equations = :[
    der(x) = [k*18u"km/hr" for k in 1:3] + [k*L/1.0u"minute" for k in 1:3]])
lines = @instantiateModel(Lines)
simulate!(lines, stopTime = 1.0u"s")
@test isapprox(getLastValue(lines, "x", unit = false), [5.5, 11.0, 16.5], rtol = 1e-9)

# Beside a variable, which is a plain number in SI units inside of the function (E0401).
Speeds = Model(v = 2.0u"m/s", T = 20.0u"°C", w = Var(), x = Var(init = 0.0u"m"), q = Var(), equations = :[
    w = [v*k + 18u"km/hr" for k in 1:3]
    q = [T*k + 20u"°C" - v*1u"K"/u"m/s" for k in 1:2]
    der(x) = w[2]])
speeds = @instantiateModel(Speeds)
simulate!(speeds, stopTime = 1.0u"s")
@test isapprox(getLastValue(speeds, "x", unit = false), 9.0, rtol = 1e-9)
@test isapprox(getLastValue(speeds, "q", unit = false), [584.3, 877.45], rtol = 1e-12)
