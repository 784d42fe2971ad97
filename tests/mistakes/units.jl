# Unit mistakes are blamed on the line of the user.

## a plain number for a resistance
#status 2
#says case01.jl:6:30: error[E0606]: 'R.R' is a plain number here, but its default is 1.0 Ω; write 0.5u"Ω"
using Modia
include("$(Modia.modelsPath)/Electric.jl")
F = Model(R = Resistor | Map(R = 0.5), C = Capacitor | Map(C = 2.0u"F", v = Var(init = 0.1u"V")),
    ground = Ground, connect = :[(R.p, C.p); (R.n, C.n, ground.p)])
f = @instantiateModel(F)

## unitless models take plain numbers
#prints 0.6065
using Modia
include("$(Modia.modelsPath)/Electric.jl")
F = Model(R = Resistor | Map(R = 0.5), C = Capacitor | Map(C = 4.0u"F", v = Var(init = 1.0u"V")),
    ground = Ground, connect = :[(R.p, C.p); (R.n, C.n, ground.p)])
f = @instantiateModel(F, unitless = true)
simulate!(f, stopTime = 1.0)
println(round(getLastValue(f, "C.v"), digits = 4))

## a quantity of another dimension, a start value, an element of an array
#status 2
#says error[E0606]: 'a.k' is 2.0 N here, but its default is 2.0 N m^-1, which is of another dimension
#says error[E0606]: 'b.x' is a plain number here, but its default is 1.0 m; write 3.0u"m"
#says error[E0606]: 'c_2.m' is a plain number here, but its default is 1.0 kg; write 2.0u"kg"
using Modia
P = Model(k = 2.0u"N/m", m = 1.0u"kg", x = Var(init = 1.0u"m"), v = Var(init = 0.0u"m/s"), equations = :[der(x) = v; m*der(v) = -k*x])
m1 = @instantiateModel(Model(a = P | Map(k = 2.0u"N")))
m2 = @instantiateModel(Model(b = P | Map(x = Var(init = 3.0))))
m3 = @instantiateModel(Model(c = [P, P | Map(m = 2.0)]))

## a quantity of another dimension that no equation contradicts
#says warning[E0606]: 'R.R' is 0.5 V here, but its default is 1.0 Ω, which is of another dimension
using Modia
include("$(Modia.modelsPath)/Electric.jl")
F = Model(R = Resistor | Map(R = 0.5u"V"), V = ConstantVoltage | Map(V = 10.0u"V"), ground = Ground,
    connect = :[(V.p, R.p); (R.n, V.n, ground.p)])
f = @instantiateModel(F)

## a time constant without unit
#status 2
#says error[E0606]: a sum of different units: one is in m*s^-1 (length/time), the other in m (length)
#says error[E0606]: the two sides of this equation have different units
using Modia
M = Model(T = 0.2, x = Var(init = 0.0u"m"), equations = :[T*der(x) + x = 2.0u"m"])
m = @instantiateModel(M)

## ... is a warning in the compatible mode
#options --compat modia-0.12
#says warning[E0606]: a sum of different units: one is in m*s^-1 (length/time), the other in m (length)
#says warning[E0606]: the two sides of this equation have different units
#prints 1.987 m
using Modia
M = Model(T = 0.2, x = Var(init = 0.0u"m"), equations = :[T*der(x) + x = 2.0u"m"])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0, tolerance = 1e-8)
println(round(ustrip(getLastValue(m, "x")), digits = 3), " m")

## what is not the fault of a derivative stays an error there
#status 2
#options --compat derivative-units
#says error[E0606]
#says error[E0606]
using Modia
M = Model(T = 0.2, x = Var(init = 0.0u"m"), equations = :[T*der(x) + x = 2.0u"kg"])
m = @instantiateModel(M)

## time as a plain number
#status 2
#says case08.jl:5:63: error[E0606]: the argument of this function has a unit: one is in s (time), the other in 1 (a plain number); as a plain number, time is time/u"s"; a model without units is instantiated with unitless = true
using Modia
M = Model(x = Var(init = 0.0u"m"), equations = :[der(x) = sin(time)*1.0u"m/s"])
m = @instantiateModel(M)

## the ways out of it that the message names
#prints 0.4597 m, 0.4597
#not E0606
using Modia
M = Model(x = Var(init = 0.0u"m"), equations = :[der(x) = sin(time/u"s")*1.0u"m/s"])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0, tolerance = 1e-8)
N = Model(x = Var(init = 0.0), equations = :[der(x) = sin(time)])
n = @instantiateModel(N, unitless = true)
simulate!(n, stopTime = 1.0, tolerance = 1e-8)
println(round(getLastValue(m, "x", unit = false), digits = 4), " m, ", round(getLastValue(n, "x"), digits = 4))
