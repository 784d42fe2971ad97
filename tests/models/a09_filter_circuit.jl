# Scenario A9: the RC filter with three solvers and in single precision; names and last values.
using Modia
using Test

include("scenes/filter.jl")

changed = Map(R = Map(R = 5.0u"Ω"), C = Map(v = 3.0u"V"))

filter = @instantiateModel(Filter)
simulate!(filter, Tsit5(), stopTime = 10, merge = changed, requiredFinalStates = [7.424843902110655])
@test getLastValue(filter, "R.v") ≈ 2.5751560978893453u"V" rtol = 1e-5
@test getLastValue(filter, "C.n.v") == 0.0u"V"
@test getLastValue(filter, "ground.p.i") == 0.0
for n in ["C.i", "C.n.i", "C.n.v", "C.p.i", "C.p.v", "C.v", "C.der(v)", "R.i", "V.i", "V.v",
          "ground.p.i", "ground.p.v", "time"]
    @test hasSignal(filter, n)
end

plain = @instantiateModel(Filter, unitless = true, FloatType = Float32)
simulate!(plain, RK4(), stopTime = 10.0, interval = 0.01, adaptive = false, merge = changed,
          requiredFinalStates = [7.4248414])

dae = @instantiateModel(Filter, unitless = true)
simulate!(dae, IDA(), stopTime = 10.0, merge = changed, requiredFinalStates = [7.424843902110655])

# Names and order of the states are those of the published program.
@test get_xNames(filter) == ["C.v"]
@test get_xNames(dae) == ["C.v"]
