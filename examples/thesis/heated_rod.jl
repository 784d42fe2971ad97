# A rod heated at one end, as a predefined component (thesis, section 10.1.5).
#
# Shows: _buildFunction and _initSegmentFunction of the library's InsulatedRod2; the number of cells
# changes from 5 to 8 by merge, and from 8 to 16 and to 3 while it runs, without a new translation.
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

# The cells of the run take over the heat of those before: the mean is that of a rod that keeps its 8.
mean(T) = sum(filter(x -> !isnan(x), T))/length(filter(x -> !isnan(x), T))
kept = mean(T)
simulate!(heatedRod, stopTime = 1e5, merge = Map(rod = Map(nT = 8, cells = [1e4 16; 3e4 3])))
changed = getLastValue(heatedRod, "rod.T", unit = false)
println("mean temperature with 8 cells: ", round(kept, digits = 3), " K, with 8, 16 and 3: ", round(mean(changed), digits = 3), " K")
@test abs(mean(changed) - kept) < 0.2
plot(heatedRod, ("fixedT.port.T", "rod.T"))

end
