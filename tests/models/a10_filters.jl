# Scenario A10: propagation of parameters, redeclaration, arrays of components.
using Modia
using Test

include("scenes/filter.jl")

filter = @instantiateModel(Filter)
simulate!(filter, Tsit5(), stopTime = 10, requiredFinalStates = [9.999550454584188])
simulate!(filter, Tsit5(), stopTime = 10, merge = Map(R = Map(R = 5.0u"Ω")),
          requiredFinalStates = [6.3579935215716095])

# No ground: the potentials are free, the voltages are not.
Propagated = Model(
    r = 2.0u"Ω", c = 1.0u"F", v = 10u"V",
    R = Resistor | Map(R = :r),
    C = Capacitor | Map(C = :c),
    V = ConstantVoltage | Map(V = :v),
    connect = :[
        (V.p, R.p)
        (R.n, C.p)
        (C.n, V.n)
    ]
)
propagated = @instantiateModel(Propagated)
simulate!(propagated, Tsit5(), stopTime = 10, requiredFinalStates = [9.932620374719848])

TwoFilters = Model(
    f1 = Filter | Map(R = Map(R = 10.0u"Ω"), C = redeclare | Resistor | Map(R = 2.0u"Ω")),
    f2 = Filter
)
twoFilters = @instantiateModel(TwoFilters)
simulate!(twoFilters, Tsit5(), stopTime = 10, requiredFinalStates = [9.999550454584188])

N = 10
Many = Model(filters = [Filter | Map(R = Map(R = (10.0 + 5*i)*u"Ω")) for i in 1:N])
many = @instantiateModel(Many)
simulate!(many, Tsit5(), stopTime = 10, requiredFinalStates =
    [2.9063400246452358, 2.2898722474751163, 1.8945655444974656, 1.6198309235728083,
     1.4179087924692246, 1.2632806644107324, 1.1410907635368692, 1.0421095614435398,
     0.9603029088053439, 0.8915602951695468])

# Names and order of the states are those of the published program.
@test get_xNames(filter) == ["C.v"]
@test get_xNames(propagated) == ["C.v"]
@test get_xNames(twoFilters) == ["f2.C.v"]
@test get_xNames(many) == ["filters_$(i).C.v" for i in 1:N]
