# Events of the language's extensions: clocks under edge, terminate, assert, noEvent, and many switches at once.
using Modia

last(m, name) = getLastValue(m, name)

# edge of a clock is true at each tick: at 0, 0.1, ..., 1.
Ticks = Model(n = Var(start = 0.0), k = Var(start = 0.0), x = Var(init = 0.0), equations = :[
    der(x) = 1.0
    tick = Clock(0.25)
    n = if edge(Clock(0.1)); pre(n) + 1 else pre(n) end
    k = if edge(tick); pre(k) + 1 else pre(k) end])
ticks = @instantiateModel(Ticks, unitless = true)
for method in [CVODE_BDF(), IDA(), Tsit5()]
    simulate!(ticks, method, stopTime = 1.0)
    @test last(ticks, "n") == 11
    @test last(ticks, "k") == 5
end

# edge of a condition is still true at its event only.
Rises = Model(n = Var(start = 0.0), x = Var(init = 0.0), equations = :[
    der(x) = cos(time)
    n = if edge(x > 0.5); pre(n) + 1 else pre(n) end])
rises = @instantiateModel(Rises, unitless = true)
simulate!(rises, stopTime = 20.0)
@test last(rises, "n") == 4

# terminate ends a run where its condition becomes true, and the run is a success.
Arrives = Model(x = Var(init = 0.0), v = Var(init = 1.0), equations = :[
    der(x) = v
    der(v) = -0.5*v
    terminate(x > 1.2, "x has arrived")])
arrives = @instantiateModel(Arrives, unitless = true)
for method in [CVODE_BDF(), IDA(), Tsit5()]
    simulate!(arrives, method, stopTime = 10.0, tolerance = 1e-8)
    # x = 2 (1 - exp(-t/2))
    @test abs(ustrip(last(arrives, "time")) + 2*log(1 - 0.6)) < 1e-6
    @test abs(last(arrives, "x") - 1.2) < 1e-8
    @test last(arrives, "terminate1")
end

# An assert that holds costs its events and nothing else; one in a component has the component's name.
Part = Model(x = Var(init = 1.0), equations = :[
    der(x) = -x
    assert(x > 0.0, "x must stay positive")])
Whole = Model(p = Part, q = Part)
whole = @instantiateModel(Whole, unitless = true)
simulate!(whole, stopTime = 3.0)
@test abs(last(whole, "q.x") - exp(-3.0)) < 1e-5
@test last(whole, "p.assert1")

# noEvent: the same numbers without a stop, also through functions of the script.
rectified(x) = x > 0 ? x : 0.0
Plain = Model(x = Var(init = 0.0), y = Var(init = 0.0), z = Var(init = 0.0), equations = :[
    der(x) = cos(time)
    der(y) = noEvent(if x > 0; x else 0.0 end)
    der(z) = noEvent(rectified(x))])
plain = @instantiateModel(Plain, unitless = true)
simulate!(plain, stopTime = 10.0, tolerance = 1e-9)
# x = sin t is positive up to pi and from 2 pi to 3 pi: each time the area is 2.
@test abs(last(plain, "y") - 4.0) < 1e-6
@test abs(last(plain, "z") - 4.0) < 1e-6

# Jumps of time alone are time events, exactly where they should be.
Saw = Model(x = Var(init = 0.0), equations = :[
    u = mod(time, 0.1)
    der(x) = if u > 0.05; 1.0 else 0.0 end])
saw = @instantiateModel(Saw, unitless = true)
simulate!(saw, stopTime = 1.0)
@test abs(last(saw, "x") - 0.5) < 1e-6
