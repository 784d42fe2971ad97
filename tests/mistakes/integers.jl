# Integers in equations: exact as long as they can be, and then told.

## counting is exact up to 2^53 - 1
#prints 9007199254740990 9007199254740991 -9007199254740990
using Modia
M = Model(k = Var(start = 9007199254740987), n = Var(start = -9007199254740987), equations = :[
    e = edge(Clock(0.1))
    k = if e; pre(k) + 1 else pre(k) end
    n = if e; pre(n) - 1 else pre(n) end
    j = k + 1])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.25)
println(getLastValue(m, "k"), " ", getLastValue(m, "j"), " ", getLastValue(m, "n"))

## beyond that the run ends, also for a branch that is computed beside the other
#status 4
#says case02.jl:7:5: error[E0729]: an integer is 2^53 = 9007199254740992 or larger at t = 0.3 s, where counting by one is no longer exact, in the equation k =
using Modia
M = Model(k = Var(start = 9007199254740987), equations = :[
    e = edge(Clock(0.1))
    k = if e; pre(k) + 1 else pre(k) end])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
println(getLastValue(m, "k"))

## also on the way to a number, and below zero
#status 4
#says error[E0729]: an integer is 2^53
using Modia
M = Model(k = Var(start = 1), equations = :[
    e = edge(Clock(0.1))
    k = if e; -1000*pre(k) else pre(k) end
    h = (k*k) % 7])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## other numbers may be as large as they like
#prints 1.0e20 3.0e17
#not E0729
using Modia
M = Model(N = 100000000000000000, x = Var(init = 1e20), equations = :[der(x) = 0.0; y = N*3.0])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)
println(getLastValue(m, "x"), " ", getLastValue(m, "y"))
