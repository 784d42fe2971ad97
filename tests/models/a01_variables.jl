# Scenario A1: one state, with parameter and start value replaced when simulating; attributes merge.
using Modia
using Test

Simple = Model(
    p = parameter | -1.0 | info"rate",
    x = Var(init = 0.0),
    equations = :[der(x) = p*x + 1]
)
simple = @instantiateModel(Simple)
simulate!(simple, stopTime = 1, requiredFinalStates = [0.6321205588285577])
simulate!(simple, stopTime = 1, merge = Map(p = -2.0, x = 2.0),
          requiredFinalStates = [2 - 1.5*(1 - exp(-2.0))])

v = input | output | flow | Var(min = 0, value = 5) | interval(1, 10) | info"a text"
@test v[:input] && v[:output] && v[:flow]
@test v[:min] == 1 && v[:max] == 10 && v[:info] == "a text" && v[:value] == 5
@test !haskey(v | Var(min = nothing), :min)
@test (parameter | 5.5 | Var(min = 0)) == Var(parameter = true, value = 5.5, min = 0)
@test (10u"m/s" | parameter)[:value] == 10u"m/s"
@test Var(init = 1.0, min = -1) | Var(max = 1, min = 0) == Var(init = 1.0, min = 0, max = 1)

# Names and order of the states are those of the published program.
@test get_xNames(simple) == ["x"]
