# A rod heated at one end, as a predefined component (thesis, section 10.1.5).
#
# Shows: _buildFunction and _initSegmentFunction of the library's InsulatedRod2; the number of cells
# changes from 5 to 8 by merge, without a new translation.
# Expect: all temperatures creep towards 493.15 K.
module HeatedRodExample

using Modia
using Test
@usingModiaPlot

include("$(Modia.modelsPath)/HeatTransfer.jl")

HeatedRod = Model(
    fixedT = FixedTemperature | Map(T = 493.15u"K"),
    fixedQflow = FixedHeatFlow,
    rod = InsulatedRod2 | Map(T0 = 273.15u"K", nT = 5),
    connect = :[
        (fixedT.port, rod.port_a)
        (rod.port_b, fixedQflow.port)
    ]
)

heatedRod = @instantiateModel(HeatedRod, unitless = true)
simulate!(heatedRod, stopTime = 1e5, merge = Map(rod = Map(nT = 8)), log = true)
T = getLastValue(heatedRod, "rod.T", unit = false)
@test length(T) == 8 && all(T .< 493.15) && all(T[i] > T[i+1] for i in 1:7)
plot(heatedRod, ("fixedT.port.T", "rod.T"))

end
