# What nobody gave, and bounds that are left.

## no stop time
#says case01.jl:5:1: note: no stopTime is given: the model is initialized at time = 0 s and not simulated
#prints 1
using Modia; m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(m)
println(length(getValues(m, "x")))

## the command line gives one; linearize! needs none
#options --stop 1
#says with the command line: stopTime = 1 s
#not no stopTime
#prints 501
using Modia; m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(m)
println(length(getValues(m, "x")))

## linearize! needs none
#not no stopTime
#prints -1.0
using Modia; m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
(A, x) = linearize!(m)
println(round(A[1, 1], digits = 5))

## an interval of zero
#says note: interval = 0 stands for the default, (stopTime - startTime)/500 = 0.002 s
#prints 501
using Modia; m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(m, stopTime = 1.0, interval = 0.0)
println(length(getValues(m, "x")))

## states without init, in the log
#says case05.jl:6:116: note: the state 'y' has no init value; 0 is taken
#not the state 'x'
#not the state 'z'
#prints Termination
using Modia; m = @instantiateModel(Model(x = Var(init = 1.0), z = Var(start = 1.0), equations = :[der(x) = -x; der(y) = x; der(z) = y]), unitless = true)
simulate!(m, stopTime = 1.0, log = true)

## ... and only there
#not has no init value
#prints 0.632
using Modia; m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x; der(y) = x]), unitless = true)
simulate!(m, stopTime = 1.0)
println(round(getLastValue(m, "y"), digits = 3))

## a circuit without ground
#says case07.jl:4:28: note: nothing determines 'C.n.v', since no ground or fixed point is connected; 0 is taken
using Modia; include("$(Modia.modelsPath)/Electric.jl")
Loop = Model(R = Resistor, C = Capacitor | Map(v = Var(init = 1.0u"V")), connect = :[(R.p, C.p); (R.n, C.n)])
m = @instantiateModel(Loop)

## with ground there is nothing to say
#not determines
#prints yes
using Modia; include("$(Modia.modelsPath)/Electric.jl")
Loop = Model(R = Resistor, C = Capacitor | Map(v = Var(init = 1.0u"V")), G = Ground, connect = :[(R.p, C.p); (R.n, C.n, G.p)])
m = @instantiateModel(Loop)
println("yes")

## a parameter called time
#says case09.jl:4:11: warning[E0501]: equations never see this: 'time' there is the time of the simulation; choose another name
using Modia
M = Model(time = 3.0, x = Var(init = 1.0), equations = :[der(x) = -x*time])
m = @instantiateModel(M, unitless = true)

## bounds that are left, at a point and at an event; noise of the solver is no violation
#says case10.jl:6:15: warning[E0730]: 'x' = 0.49957
#says case10.jl:6:72: warning[E0730]: 'u' = 7 at time = 0.3 s is above its max = 5
#not 'z'
using Modia
M = Model(x = Var(init = 1.0, min = 0.5), y = Var(min = 2.0u"mm"), u = Var(max = 5.0), z = Var(init = 1.0, min = 0.0), v = Var(init = [1.0, 2.0], max = 2.5), equations = :[
        der(x) = -x; y = x; der(z) = -50*z; der(v) = [0.0, 0.0]
        u = if after(0.3) && !after(0.3001); 7.0 else 1.0 end])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## an element of an array
#says warning[E0730]: 'v[2]' = 2.502 at time = 0.502 s is above its max = 2.5
using Modia
M = Model(v = Var(init = [1.0, 2.0], max = 2.5), w = Var(min = -2.6), equations = :[der(v) = [0.0, 1.0]; w = -time])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
