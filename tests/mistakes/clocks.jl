# Arguments of clocks and event operators; text in equations.

## hold with a start value in place of the clock
#status 2
#says case01.jl:6:34: error[E0603]: the second argument of hold is a clock, not 0.0; give its period in seconds, hold(u, Clock(0.1)); the value before the first tick is that of u = Var(start = ...)
using Modia
M = Model(u = Var(start = 0.0), x = Var(init = 1.0), equations = :[
        der(x) = -x; y = hold(u, 0.0)
        u = sample(x, Clock(0.1))])
m = @instantiateModel(M, unitless = true)

## hold with a number, sample and previous with a period
#status 2
#says error[E0603]: the second argument of hold is a clock, not 3;
#says error[E0603]: the second argument of sample is a clock, not 0.1; give its period in seconds, sample(w, Clock(0.1))
#says error[E0603]: the second argument of previous is a clock, not T = 0.2; give its period in seconds, previous(u, Clock(0.1))
using Modia
M = Model(T = 0.2, u = Var(start = 0.0), v = Var(start = 0.0), x = Var(init = 1.0), equations = :[
        der(x) = -x
        y = hold(u, 3)
        u = sample(x, 0.1)
        v = previous(v, T) + 1])
m = @instantiateModel(M, unitless = true)

## periods that are none
#status 2
#says error[E0603]: the period of a Clock is a positive number of seconds, not 0.0; write Clock(0.1), or Clock(first, period)
#says error[E0603]: the period of a Clock is a positive number of seconds, not -0.1;
#says error[E0603]: the period of a Clock is a positive number of seconds, not T = -2;
using Modia
M = Model(T = -2.0, x = Var(init = 1.0), equations = :[
        der(x) = -x
        a = sample(x, Clock(0.0))
        b = sample(x, Clock(0.0, -0.1))
        c = sample(x, Clock(T))])
m = @instantiateModel(M, unitless = true)

## a period that a run sets to a negative number
#status 3
#says error[E0702]: Clock(T): the period of a Clock must be a positive number of seconds
using Modia
M = Model(T = 0.1, x = Var(init = 1.0), equations = :[der(x) = -x; c = sample(x, Clock(T))])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0, merge = Map(T = -0.1))

## conditions where numbers are wanted, and the other way round
#status 2
#says error[E0603]: positive takes a number, not x > 0.5; positive(x) is true where x > 0
#says error[E0603]: after takes an instant in seconds, not time > 0.5; after(0.5) is true from time = 0.5 s on
#says error[E0603]: edge takes a condition, not 0.5; edge(x > 1) is true when x gets beyond 1
using Modia
M = Model(x = Var(init = 1.0), equations = :[
        der(x) = -x
        a = positive(x > 0.5)
        b = after(time > 0.5)
        c = edge(0.5)])
m = @instantiateModel(M, unitless = true)

## right forms are no mistakes
#prints 0.85 true true
using Modia
M = Model(T = 0.1u"s", n = Var(start = 0.0), u = Var(start = 0.0u"s"), x = Var(init = 1.0), equations = :[
        der(x)*1.0u"s" = -x
        tick = Clock(T)
        n = if tick; previous(n, tick) + 1 else previous(n, tick) end
        u = sample(time, Clock(0.05u"s", 0.1u"s"))
        k = hold(u, Clock(0.1))
        a = positive(x)
        b = after(T)])
m = @instantiateModel(M)
simulate!(m, stopTime = 0.99)
println(round(getLastValue(m, "k") |> stripUnit, digits = 3), " ", getLastValue(m, "a"), " ", getLastValue(m, "b"))

## text is compared as text
#prints [1.0, 5.0, 7.0, 3.0]
using Modia
Part = Model(kind = "round", equations = :[e = if kind == up.shape; 3.0 else 4.0 end])
M = Model(mode = "fast", shape = "round", gear = parameter | "high", part = Part | Map(kind = "square"), x = Var(init = 1.0u"m"), equations = :[
        der(x)*1.0u"s" = -x
        a = if mode == "fast"; 1.0 else 2.0 end
        b = if "slow" != mode; 5.0 else 6.0 end
        c = if gear == "high"; 7.0 else 8.0 end
        d = if part.kind == shape; 9.0 else 3.0 end])
m = @instantiateModel(M)
simulate!(m, stopTime = 0.1)
println([getLastValue(m, "a"), getLastValue(m, "b"), getLastValue(m, "c"), getLastValue(m, "d")])

## a text that a run changes
#prints 8.0
using Modia
M = Model(gear = parameter | "high", x = Var(init = 1.0), equations = :[
        der(x) = -x
        c = if gear == "high"; 7.0 else 8.0 end])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)
simulate!(m, stopTime = 0.1, merge = Map(gear = "low"))
println(getLastValue(m, "c"))
