# Scenario A2: a first-order lag driven by a function of the script.
using Modia
using Test

inputSignal(t) = sin(t)

FirstOrder = Model(
    T = 0.2,
    x = Var(init = 0.3),
    equations = :[
        u = inputSignal(time/u"s")
        T*der(x) + x = u
        y = 2*x
    ]
)
firstOrder = @instantiateModel(FirstOrder, unitless = true)
simulate!(firstOrder, Tsit5(), stopTime = 10, requiredFinalStates = [-0.3617373025974107])

# Names and order of the states are those of the published program.
@test get_xNames(firstOrder) == ["x"]
