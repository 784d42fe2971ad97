# Arrays of components: what is built by loops, and the names of its elements.

## names are the same everywhere
#options --set 'cap[2].C=5' --signals 'cap[2].*,cap_3.T'
#prints 5.0 5.0 true true 1
#not error
using Modia
Cap = Model(C = 1.0, T = Var(init = 300.0), equations = :[C*der(T) = 1.0])
m = @instantiateModel(Model(cap = [Cap for i in 1:3]), unitless = true)
simulate!(m, stopTime = 10.0, merge = Map(cap_2 = Map(C = 2)))
println(1.0*getParameter(m, "cap[2].C"), " ", 1.0*getEvaluatedParameter(m, "cap_2.C"), " ", hasSignal(m, "cap[2].T"), " ",
        getValues(m, "cap[2].T")[end] == getLastValue(m, "cap_2.T") && isapprox(getLastValue(m, "cap_2.T"), 302.0), " ", length(filter(s -> endswith(s, "3.T"), getSignalNames(m))))

## elements of elements, and of vectors inside
#prints 7.0 2.0 [0.0, 2.0]
using Modia
Inner = Model(k = 7.0, v = Var(init = [0.0, 2.0]), equations = :[der(v) = 0.0*v])
Outer = Model(part = [Inner, Inner | Map(k = 8.0)])
m = @instantiateModel(Model(out = [Outer, Outer]), unitless = true)
simulate!(m, stopTime = 1.0)
println(getParameter(m, "out[2].part[1].k"), " ", getLastValue(m, "out[2].part[1].v[2]"), " ", getLastValue(m, "out_2.part[1].v"))

## an element that is not there
#status 2
#says error[E0803]
#says 'cap_4.T'
using Modia
Cap = Model(T = Var(init = 300.0), equations = :[der(T) = 1.0])
m = @instantiateModel(Model(cap = [Cap for i in 1:3]), unitless = true)
simulate!(m, stopTime = 10.0)
getLastValue(m, "cap[4].T")

## --set of an element that is not there
#status 1
#options --set 'cap[4].C=5'
#says <--set cap[4].C>:1:1: error[E0503]: model 'Caps' has no parameter or start value 'cap_4.C'; did you mean 'cap_1.C'?
using Modia
Cap = Model(C = 1.0, T = Var(init = 300.0), equations = :[C*der(T) = 1.0])
Caps = Model(cap = [Cap for i in 1:3])
m = @instantiateModel(Caps, unitless = true)
simulate!(m, stopTime = 10.0)
