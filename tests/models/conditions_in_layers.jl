# A valve that has closed with a time constant of a millisecond is open by 1e-20 to 1e-150, of either sign, when it begins to open again: too
# little for the first step of a solver, so that this layer is passed without one. What changes in it is found by the step that follows.
# Runs ended with E0708 ("changed its sign without being located") by chance before, 6 of 15 of these.
module ConditionsInLayers

using Modia
using Test
include("$(Modia.modelsPath)/Control.jl")
include("$(Modia.modelsPath)/Sources.jl")

# States: 1 a bottle comes, 2 it is filled, 3 it gets its cap, 4 it leaves.
Filler = Model(
    machine = StateMachine | Map(from = [1, 2, 3, 4], to = [2, 3, 4, 1]),
    belt = Pulse | Map(period = 6.0u"s", width = 0.5, startTime = 1.0u"s"), there = OnDelay | Map(T = 0.1u"s"), valve = RateLimiter | Map(rising = 5.0u"1/s", falling = -1.0e3u"1/s"),
    bottle = LimitedIntegrator | Map(yMin = 0.0, yMax = 1.2, reset = :(machine.state == 4)), full = Comparator | Map(threshold = 1.0), filled = Counter,
    equations = :[
        there.u = belt.y > 0.5
        full.u = bottle.y
        machine.fire = [there.y, full.y, machine.elapsed > 1.0u"s", machine.elapsed > 1.0u"s"]
        valve.u = machine.state == 2 ? 1.0 : 0.0
        bottle.u = 0.5*valve.y
        filled.u = machine.state == 3
    ])
m = @instantiateModel(Filler)
for solver in (CVODE_BDF(), IDA(), Rodas5()), tolerance in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
    @test simulate!(m, solver, stopTime = 30.0, tolerance = tolerance) !== nothing
    @test getLastValue(m, "filled.y") == 5
    @test abs(maximum(getValues(m, "bottle.y")) - 1.0) < 1e-3 # and what flows while the valve shuts
end
end
