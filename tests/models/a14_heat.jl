# Scenario A14: a lumped heat capacity, and a rod cut into cells in two ways.
using Modia
using Test

include("$(Modia.modelsPath)/HeatTransfer.jl")

Lumped = Model(
    source = FixedTemperature | Map(T = 393.15u"K"),
    G = ThermalConductor | Map(G = 100u"W/K"),
    C = HeatCapacitor | Map(C = 200u"J/K"),
    connect = :[
        (source.port, G.port_a)
        (G.port_b, C.port)
    ]
)
lumped = @instantiateModel(Lumped)
simulate!(lumped, Tsit5(), stopTime = 15, requiredFinalStates = [393.09468783194814])

heated = [492.9629728925529, 492.607421697723, 492.30480548105595, 492.0850627579106, 491.9694736486912]

Rod = Model(
    left = FixedTemperature | Map(T = 493.15u"K"),
    right = FixedHeatFlow,
    rod = InsulatedRod | Map(T = Var(init = fill(293.15, 5)u"K")),
    connect = :[
        (left.port, rod.port_a)
        (rod.port_b, right.port)
    ]
)
rod = @instantiateModel(Rod)
simulate!(rod, stopTime = 1e5, requiredFinalStates = heated)

# Names and order of the states are those of the published program.
@test get_xNames(lumped) == ["C.T"]
@test get_xNames(rod) == ["rod.T[$i]" for i in 1:5]
