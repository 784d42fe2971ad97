# A machine that fills bottles: states, counters and delays lead valves, and sampled blocks watch it
#
# Shows: a machine of four states with conditions and times; a tank with limits and a reset; a valve that opens at a rate; levels that a converter rounds; logic that locks, counts and measures;
# blocks with a clock.
# Expect: a bottle every 6 s, as they come: 0.1 s until it stands still, 2.1 s to fill 1 l (the valve needs 0.2 s to open), 1 s for the cap, 1 s to leave; then the machine waits.
module Bottling

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Sources.jl")
include("$(Modia.modelsPath)/Control.jl")

# States: 1 a bottle comes, 2 it is filled, 3 it gets its cap, 4 it leaves. Volumes in l, flows in l/s.
Filler = Model(
    machine = StateMachine | Map(from = [1, 2, 3, 4], to = [2, 3, 4, 1]),
    belt = Pulse | Map(period = 6.0u"s", width = 0.5, startTime = 1.0u"s"), there = OnDelay | Map(T = 0.1u"s"), valve = RateLimiter | Map(rising = 5.0u"1/s", falling = -1.0e3u"1/s"), flow = Product, bottle = LimitedIntegrator | Map(yMin = 0.0, yMax = 1.2, reset = :(machine.state == 4)),
    full = Comparator | Map(threshold = 1.0), filled = Counter, odd = Xor, lamp = SignalSwitch, working = Stopwatch, alarm = Latch, tooFull = Comparator | Map(threshold = 1.1), hand = Not, any = Or, both = And,
    equations = :[
        there.u = belt.y > 0.5                 # a light barrier: a bottle is under the filler
        full.u = bottle.y
        machine.fire = [there.y, full.y, machine.elapsed > 1.0u"s", machine.elapsed > 1.0u"s"]
        valve.u = machine.state == 2 ? 1.0 : 0.0
        flow.u1 = valve.y
        flow.u2 = 0.5
        bottle.u = flow.y
        filled.u = machine.state == 3
        working.u = machine.state != 1
        tooFull.u = bottle.y
        alarm.set = tooFull.y
        alarm.reset = false
        hand.u = alarm.y
        any.u1 = machine.state == 2; any.u2 = machine.state == 3
        both.u1 = any.y; both.u2 = hand.y
        odd.u1 = full.y; odd.u2 = machine.state == 3
        lamp.on = both.y; lamp.u1 = 1.0; lamp.u2 = 0.0
    ])
filler = @instantiateModel(Filler)
simulate!(filler, stopTime = 30.0, tolerance = 1e-9)
plot(filler, ["machine.state", "bottle.y", "filled.y", "lamp.y"], heading = "Bottles: state, volume, count, lamp")
# The valve opens at 5 1/s until 5 ms before its end, then with a lag of 1 ms: what is missing takes 1.005/2*0.199 s + 0.005*0.001 s longer.
enters(state, n) = (k = findall([states[i] == state && states[i-1] != state for i in 2:length(states)]); times[k[n]+1])
states, times = getValues(filler, "machine.state"), getValues(filler, "time")
println(getLastValue(filler, "filled.y"), " bottles; filled within ", round(enters(3, 2) - enters(2, 2), digits = 5), " s, away ", round(enters(1, 2) - 7.0, digits = 5), " s after they came; alarm: ", getLastValue(filler, "alarm.y"))
@test getLastValue(filler, "filled.y") == 5 && getLastValue(filler, "alarm.y") == false
@test abs(enters(2, 3) - 13.1) < 1e-9 && abs((enters(3, 2) - enters(2, 2)) - 2.1000025) < 1e-6 && abs(enters(1, 2) - enters(3, 2) - 2.0) < 1e-9
@test maximum(getValues(filler, "bottle.y")) < 1.01

# The scale below reads every 0.1 s, in steps of 5 g, and shows a mean of four readings; a controller keeps the pressure of the filler with a relay and dead zone.
Scale = Model(
    load = Ramp | Map(height = 1.0, duration = 10.0u"s"), take = ZeroOrderHold | Map(T = 0.1u"s"), steps = Quantizer | Map(q = 0.005), mean = DiscreteTransferFunction | Map(b = [0.25, 0.25, 0.25, 0.25], a = [1.0, 0.0, 0.0, 0.0], T = 0.1u"s"),
    old = UnitDelay | Map(T = 0.1u"s"), tick = Sampler | Map(T = 0.1u"s"), late = Delay | Map(T = 0.5u"s"), rate = Division, gain = Feedback, change = DeadZone | Map(uMin = -0.02, uMax = 0.02), shown = Limiter | Map(uMin = 0.0, uMax = 0.8),
    both = Add | Map(k1 = 1.0, k2 = -1.0), warm = Hysteresis | Map(uLow = 0.3, uHigh = 0.6),
    equations = :[
        take.u = load.y
        steps.u = take.y
        mean.u = steps.y
        old.u = load.y
        tick.u = load.y
        late.u = load.y
        gain.u1 = load.y
        gain.u2 = late.y
        rate.u1 = gain.y
        rate.u2 = 0.5
        change.u = gain.y
        shown.u = load.y
        both.u1 = load.y
        both.u2 = old.y
        warm.u = load.y
    ])
scale = @instantiateModel(Scale)
simulate!(scale, stopTime = 9.05, tolerance = 1e-9)
value(name) = getLastValue(scale, name)
println("after 9.05 s: ", value("load.y"), " kg, shown ", value("mean.y"), ", rate ", value("rate.y"))
@test abs(value("take.y") - 0.9) < 1e-12 && abs(value("steps.y") - 0.9) < 1e-12 && abs(value("old.y") - 0.89) < 1e-12
@test abs(value("mean.y") - (0.9 + 0.89 + 0.88 + 0.87)/4) < 1e-12
@test abs(value("rate.y") - 0.1) < 1e-6 && abs(value("change.y") - 0.03) < 1e-6 && value("shown.y") == 0.8 && abs(value("both.y") - 0.015) < 1e-9 && value("warm.y") == true

end
