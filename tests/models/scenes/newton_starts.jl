# One start problem: a model whose unknown `key` is `right`, at the start and while a state integrates it.
using Test

function solvesTo(model, key, right; tolerance = 1e-9)
    m = @instantiateModel(model, unitless = true)
    simulate!(m, stopTime = 1e-3)
    @test isapprox(getLastValue(m, key), right, rtol = tolerance)
    @test isapprox(getLastValue(m, "z"), 1e-3*right, rtol = 1e-6)
end
