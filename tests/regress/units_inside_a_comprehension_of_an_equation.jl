# A comprehension in an equation becomes a function; the unit that stands in it was read from the wrong place (E0306).
using Modia
using Unitful
using Test

Lines = Model(x = Var(init = [0.0, 0.0, 0.0]u"m"), L = 30.0u"m", equations = :[
    der(x) = [k*18u"km/hr" for k in 1:3] + [k*L/1.0u"minute" for k in 1:3]])
lines = @instantiateModel(Lines)
simulate!(lines, stopTime = 1.0u"s")
@test isapprox(getLastValue(lines, "x", unit = false), [5.5, 11.0, 16.5], rtol = 1e-9)
