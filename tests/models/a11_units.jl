# Scenario A11: units in parameters, start values and equations.
using Modia
using Test

Units = Model(
    T = 0.2u"s", u0 = 8.5u"kg", m = 10u"kg", F = 20u"N",
    x = Var(init = 5.5u"kg"), v = Var(init = 1.0u"m/s"),
    equations = :[
        T*der(x) + x = u0
        F = m*a
        der(v) = a
    ]
)
units = @instantiateModel(Units)
simulate!(units, Tsit5(), stopTime = 1.0, requiredFinalStates = [8.479786015016273, 2.999999999999999])

# Names and order of the states are those of the published program.
@test get_xNames(units) == ["x", "v"]
