# A Var among the values of a run means its init or start value.
using Modia
M = Model(k = 1.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])
near(a, b) = abs(a - b) <= 1e-7*max(1.0, abs(b))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0, tolerance = 1e-10, merge = Map(x = Var(init = 2.0)))
println(near(getLastValue(m, "x"), 2exp(-1)))                                           # expect: true
simulate!(m, stopTime = 1.0, tolerance = 1e-10)      # kept
println(near(getLastValue(m, "x"), 2exp(-1)))                                           # expect: true
simulate!(m, stopTime = 1.0, tolerance = 1e-10, merge = Map(x = 3.0, k = Par(value = 2.0)))
println(near(getLastValue(m, "x"), 3exp(-2)))                                           # expect: true
simulate!(m, stopTime = 1.0, tolerance = 1e-10, merge = Map(k = parameter | 0.5, x = Map(init = :(4*k))))
println(near(getLastValue(m, "x"), 2exp(-0.5)))                                         # expect: true

# In components, arrays of them, and another size.
Pair = Model(a = M, b = [M, M | Map(k = 2.0)], v = Var(init = [1.0, 2.0]), equations = :[der(v) = -v])
p = @instantiateModel(Pair, unitless = true)
simulate!(p, stopTime = 1.0, tolerance = 1e-10,
    merge = Map(a = Map(x = Var(init = 5.0)), b_2 = Map(x = Var(init = 7.0)), v = Var(init = [1.0, 2.0, 3.0])))
println([near(getLastValue(p, "a.x"), 5exp(-1)), near(getLastValue(p, "b_1.x"), exp(-1)), near(getLastValue(p, "b_2.x"), 7exp(-2))])   # expect: Bool[1, 1, 1]
println(length(getLastValue(p, "v")), " ", near(getLastValue(p, "v")[3], 3exp(-1)))     # expect: 3 true

# Units are converted, other dimensions refused.
U = Model(s = Var(init = 1.0u"m"), v = Var(init = 2.0u"m/s"), equations = :[der(s) = v; der(v) = 0.0u"m/s^2"])
u = @instantiateModel(U)
simulate!(u, stopTime = 1.0, merge = Map(s = Var(init = 3.0u"km"), v = Var(init = 36.0u"km/hr")))
println(near(getLastValue(u, "s", unit = false), 3010.0))                               # expect: true

# A start value chooses the root; of two, init wins; a state without any value takes one.
R = Model(y = Var(start = 2.0), equations = :[y^2 = 4.0; der(z) = y])
r = @instantiateModel(R, unitless = true)
simulate!(r, stopTime = 1.0, merge = Map(y = Var(start = -1.0), z = Var(init = 10.0)))
println([getLastValue(r, "y"), round(getLastValue(r, "z"), digits = 9)])                                   # expect: [-2.0, 8.0]
simulate!(m, stopTime = 0.0, merge = Map(x = Var(init = 6.0, start = 1.0)))
println(getLastValue(m, "x"))                                                           # expect: 6.0
