# A run that takes as long as one lets it.
using Modia
Long = Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[der(x) = v; der(v) = -1e8*x])
long = @instantiateModel(Long, unitless = true)
println("before")
simulate!(long, Tsit5(), stopTime = 1000.0, interval = 0.001)
println("after")
