# Equations whose conditions depend on their own solution: those that have none are told, at the start (status 3) and at an event of the run
# (status 4); those that have one go on.

## either branch leads to the other
#status 3
#says error[E0715]
#says agrees with their conditions
using Modia
M = Model(z=Var(init=0.0), equations = :[
  (if x > 1.0; x+1.0 else x-1.0 end) = 1.0
  der(z) = x])
m = @instantiateModel(M, unitless=true)
simulate!(m, stopTime=1.0)

## a sign that contradicts itself
#status 3
#says error[E0715]
#says agrees with their conditions
using Modia
M = Model(z=Var(init=0.0), equations = :[ y = (if y > 0.0; -1.0 else 1.0 end); der(z) = y])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0)

## a condition in a linear system of two
#status 3
#says error[E0715]
#says agrees with their conditions
using Modia
M = Model(z=Var(init=0.0), equations = :[ x + y = 1.0
 x - y = (if x > 2.0; 1.0 else 5.0 end)
 der(z) = y])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0)

## the same in small numbers
#status 3
#says error[E0715]
#says agrees with their conditions
using Modia
M = Model(z=Var(init=0.0), equations = :[ (if x > 1e-12; x+1e-12 else x-1e-12 end) = 1e-12; der(z) = x])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0)

## no solution from an event on
#status 4
#says error[E0715]
#says agrees with their conditions
using Modia
M = Model(z=Var(init=0.0), equations = :[ (if x > 1.0; x+1.0 else x-1.0 end) = time - 1.0; der(z) = x])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=2.0)

## a condition in a nonlinear equation
#status 3
#says error[E0715]
#says agrees with their conditions
using Modia
M = Model(z=Var(init=0.0), equations = :[ x + 0.1*x^3 = (if x > 1.0; 0.0 else 5.0 end); der(z) = x])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0)

## a condition that compares with a state
#status 3
#says error[E0715]
#says agrees with their conditions
using Modia
M = Model(z=Var(init=0.0), equations = :[ y = (if y > z; z - 1.0 else z + 1.0 end); der(z) = y - z])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0)

## a solution in one branch
#prints OUT -7.0
using Modia
M = Model(z=Var(init=0.0), equations = :[ (if x > 1.0; x-1.0 else x+10.0 end) = 3.0; der(z) = x])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0); println("OUT ", getLastValue(m,"x"))

## a solution in the other branch
#prints OUT -2.0
using Modia
M = Model(z=Var(init=0.0), x=Var(start=5.0), equations = :[ (if x > 1.0; x+10.0 else x-1.0 end) = -3.0; der(z) = x])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0); println("OUT ", getLastValue(m,"x"))

## a solution in both branches
#prints OUT -3.0
using Modia
M = Model(z=Var(init=0.0), equations = :[ (if x > 1.0; x-3.0 else x+3.0 end) = 0.0; der(z) = x])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0); println("OUT ", getLastValue(m,"x"))

## a solution that passes from one branch to the other
#prints OUT 1.075
using Modia
M = Model(z=Var(init=0.0), equations = :[ (if x > 1.0; 2.0*x-1.0 else x end) = 1.0 + 0.3*(time-0.5); der(z) = x])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0); println("OUT ", getLastValue(m,"x"))

## what the equation depends on changes at the event
#prints OUT 3.0
using Modia
M = Model(z=Var(init=0.0), k=Var(start=0.0), equations = :[ k = (if after(0.5); pre(k)*0.0 + 1.0 else 0.0 end)
 (if x > 1.0; x+1.0 else x-1.0 end) = (if k > 0.5; 4.0 else -2.0 end)
 der(z) = x])
m = @instantiateModel(M, unitless=true); simulate!(m, stopTime=1.0); println("OUT ", getLastValue(m,"x"))

## a condition without a value that no derivative needs, but a result
#status 4
#says error[E0712]
#says square root of a negative number
using Modia
M = Model(x=Var(init=0.5), equations = :[
  der(x) = -1.0
  y = if sqrt(x) > 0.3; 1.0 else 0.0 end])
m = @instantiateModel(M, unitless=true)
simulate!(m, stopTime=1.0)

## a machine of states that asks for the state which it decides
#status 4
#says error[E0715]
#says agrees with their conditions
using Modia
include("$(Modia.modelsPath)/Control.jl")
m = @instantiateModel(Model(s = StateMachine, equations = :[s.fire = [s.state == 1 && time > 1.0u"s", false]]))
simulate!(m, stopTime = 2.0)

## a function with a loop of its own result
#status 4
#says error[E0715]
using Modia
function pick(c)
    for i in 1:2
        if c[i] == 1
            return 2
        end
    end
    return 1
end
m = @instantiateModel(Model(x = Var(init = 0.0), equations = :[c = y == 1 && time > 1.0; y = pick([c, false]); der(x) = y]), unitless = true)
simulate!(m, stopTime = 2.0)

## ... that has a solution
#status 0
#prints 3.0 at 1.5
using Modia
include("$(Modia.modelsPath)/Control.jl")
m = @instantiateModel(Model(s = StateMachine | Map(from = [1, 2, 2], to = [2, 3, 1]), n = Var(start = 0), equations = :[
    s.fire = [mod(time, 1.0u"s") > 0.5u"s", n == 3, s.elapsed > 0.25u"s"]
    n = if s.entered && s.state == 2; pre(n) + 1 else pre(n) end]))
simulate!(m, stopTime = 9.5)
println(getLastValue(m, "s.state"), " at ", round(getLastValue(m, "s.begun", unit = false), digits = 9))

## ... and asks for the state of before
#status 0
#prints 3.0
using Modia
include("$(Modia.modelsPath)/Control.jl")
m = @instantiateModel(Model(s = StateMachine | Map(from = [1, 2], to = [2, 3]), equations = :[s.fire = [pre(s.state) == 1 && time > 1.0u"s", pre(s.state) == 2 && time > 2.0u"s"]]))
simulate!(m, stopTime = 3.0)
println(getLastValue(m, "s.state"))
