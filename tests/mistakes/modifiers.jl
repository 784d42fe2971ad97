# Modifications and overrides that miss their target.

## a misspelt parameter of a component
#says case01.jl:8:24: warning[E0503]: 'R' has no parameter or variable 'r', and nothing uses this new one; did you mean 'R'?
#not did you mean 'C'?
using Modia
include("$(Modia.modelsPath)/Electric.jl")
Charge = Model(V = ConstantVoltage | Map(V = 10.0u"V"),
    C = Capacitor | Map(C = 2.0u"F", v = Var(init = 0.1u"V")),
    R = Resistor | Map(r = 50.0u"Ω"), ground = Ground, note = 3.0,
    connect = :[(V.p, R.p); (R.n, C.p); (C.n, V.n, ground.p)])
charge = @instantiateModel(Charge)
simulate!(charge, stopTime = 1.0)

## a misspelt component
#says case02.jl:5:45: warning[E0503]: the model has no component 'R1', and nothing uses this new one; did you mean 'R'?
using Modia
Part = Model(k = 1.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])
m = @instantiateModel(Model(R = Part) | Map(R1 = Map(k = 2.0)), unitless = true)

## a misspelt start value of a variable
#says case03.jl:5:44: warning[E0503]: 'a' has no parameter or variable 'Phi', and nothing uses this new one; did you mean 'phi'?
using Modia
Part = Model(k = 1.0, equations = :[der(phi) = -k*phi])
m = @instantiateModel(Model(a = Part | Map(Phi = Var(init = 2.0))), unitless = true)

## Map where Var is meant
#status 2
#says case04.jl:6:50: error[E0504]: this makes a component 'a.phi', but equations use a variable of this name; for attributes of a variable write Var(...)
using Modia
Part = Model(k = 1.0, equations = :[der(phi) = -k*phi])
m = @instantiateModel(Model(a = Part | Map(phi = Map(init = 2.0))), unitless = true)

## what is used is no mistake: in an expression, by another parameter, as a component
#prints [2.0, 8.0]
using Modia
Part = Model(k = 1.0, x = Var(init = 1.0), equations = :[der(x) = 0.0*x])
Other = Part | Map(k1 = 2.0, k2 = Par(value = :(k1)), G = 4.0, y = Var(:(k1*G)), b = Part)
m = @instantiateModel(Other, unitless = true)
simulate!(m, stopTime = 1.0)
println([getLastValue(m, "k2"), getLastValue(m, "y")])

## merge with a misspelt name
#says case06.jl:6:98: warning[E0503]: model 'Top' has no parameter or start value 'part.K'; the value has no effect; did you mean 'part.k'?
using Modia
Part = Model(k = 1.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])
Top = Model(part = Part)
m = @instantiateModel(Top, unitless = true); simulate!(m, stopTime = 1.0, merge = Map(part = Map(K = 2.0)))

## merge that forgets the component
#says did you mean 'part.gain'?
#says warning[E0503]
using Modia
Part = Model(gain = 1.0, x = Var(init = 1.0), equations = :[der(x) = -gain*x])
Top = Model(part = Part)
m = @instantiateModel(Top, unitless = true)
simulate!(m, stopTime = 1.0, merge = Map(gain = 2.0))

## --set with a misspelt name
#status 1
#options -q --set part.K=2
#says <--set part.K>:1:1: error[E0503]: model 'Top' has no parameter or start value 'part.K'; did you mean 'part.k'?
using Modia
Part = Model(k = 1.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])
Top = Model(part = Part)
m = @instantiateModel(Top, unitless = true)
simulate!(m, stopTime = 1.0)
simulate!(m, stopTime = 2.0)

## --set of a name that only the first of two models has
#options --set k=2
#prints 0.1353 0.3679
using Modia
a = @instantiateModel(Model(k = 1.0, x = Var(init = 1.0), equations = :[der(x) = -k*x]), unitless = true)
b = @instantiateModel(Model(c = 1.0, x = Var(init = 1.0), equations = :[der(x) = -c*x]), unitless = true)
simulate!(a, stopTime = 1.0)
simulate!(b, stopTime = 1.0)
println(round(getLastValue(a, "x"), digits = 4), " ", round(getLastValue(b, "x"), digits = 4))

## merge with another dimension
#status 2
#says error[E0401]: 'R' = 5.0 V does not fit: its value was 2.0 Ω, which is of another dimension
#prints nothing
using Modia
M = Model(R = 2.0u"Ω", v = Var(init = 1.0u"V"), equations = :[der(v)*1.0u"s" = -v; v = R*i])
m = @instantiateModel(M)
println(simulate!(m, stopTime = 1.0, merge = Map(R = 5.0u"V")))

## --set with another dimension, of a start value; millivolts are volts
#status 1
#options --set 'v=5u"A"'
#says <--set v>:1:1: error[E0401]: 'v' = 5 A does not fit: its value was 1.0 V, which is of another dimension
using Modia
M = Model(R = 2.0u"Ω", v = Var(init = 1.0u"V"), equations = :[der(v)*1.0u"s" = -v; v = R*i])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0, merge = Map(v = 5.0u"mV"))

## the dimension counts in unitless models, too
#status 2
#says error[E0401]: 'R' = 5.0 V does not fit: its value was 2.0 Ω, which is of another dimension
using Modia
M = Model(R = 2.0u"Ω", v = Var(init = 1.0u"V"), equations = :[der(v) = -v; v = R*i])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0, merge = Map(R = 5.0u"V"))

## plain numbers in place of quantities are SI, which is said
#says note: 'C' = 0.5 is a plain number and is taken in SI units; its value was 2.0 mF
#prints 0.5 F
using Modia
M = Model(C = 2.0u"mF", v = Var(init = 1.0u"V"), equations = :[C*der(v) = -v*1.0u"A/V"])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0, merge = Map(C = 0.5))
println(getParameter(m, "C"), " F")

## notes that explain an error come with -q, too
#status 2
#options -q
#says error[E0301]: 'b' is not defined
#says note: 'b' stands further down
using Modia
M = Model(a = Par(value = :(2*b)), b = Par(value = 3.0), x = Var(init = :a), equations = :[der(x) = -x])
m = @instantiateModel(M, unitless = true)

## a misspelt attribute of a variable
#says case15.jl:4:19: warning[E0310]: a Var has no attribute 'strat', so this has no effect; did you mean 'start'?
using Modia
M = Model(x = Var(strat = 2.0, unit = "m"), equations = :[der(x) = -x])
m = @instantiateModel(M, unitless = true)

## what a Var in merge cannot change is told
#says case16.jl:12:68: warning[E0503]: 'start' of 'x' has no effect, since the variable has an init value and that holds
#says case16.jl:13:50: warning[E0503]: 'init' of 'y' is taken for its start value, since that is what the model gives it; the initialization may move it
#says case16.jl:14:50: warning[E0503]: 'hideResult' of 'x' is settled by @instantiateModel, so this merge does not change it
#says case16.jl:15:50: warning[E0503]: 'value' of 'x' has no effect: it is a variable, not a parameter
#says case16.jl:16:50: warning[E0503]: 'init' of 'x' stays: only before @instantiateModel it can be taken away
#says warning[E0310]: a Var has no attribute 'inti', so this has no effect; did you mean 'init'?
#prints [1.0, 3.0]
using Modia
M = Model(x = Var(init = 1.0, potential = true), y = Var(start = 1.0), equations = :[der(x) = 0.0; y^2 = 9.0])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.0, merge = Map(x = Var(potential = true, start = 2.0)))
simulate!(m, stopTime = 0.0, merge = Map(y = Var(init = 2.0)))
simulate!(m, stopTime = 0.0, merge = Map(x = Var(hideResult = true)))
simulate!(m, stopTime = 0.0, merge = Map(x = Var(value = 3.0)))
simulate!(m, stopTime = 0.0, merge = Map(x = Var(init = nothing)))
simulate!(m, stopTime = 0.0, merge = Map(x = Var(inti = 2.0)))
println([getLastValue(m, "x"), getLastValue(m, "y")])

## typical size and bounds in merge take effect
#says case17.jl:4:33: warning[E0730]: 'x' = -0.004 at time = 1.004 s is below its min = 0
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0, min = -5.0), equations = :[der(x) = -1.0]), unitless = true)
simulate!(m, stopTime = 2.0, merge = Map(x = Var(min = 0.0)))

## a Var in merge of another dimension
#status 2
#says case18.jl:6:42: error[E0401]: 'x' = 2.0 s does not fit: its value was 1.0 m, which is of another dimension
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0u"m"), equations = :[der(x) = -x/1.0u"s"]))
simulate!(m, stopTime = 2.0, merge = Map(x = Var(init = 2.0u"s")))
