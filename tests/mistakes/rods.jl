# The number of cells of a rod over time: what makes no sense is told before the run.

## each change is a row
#status 2
#says error[E0309]
#says cells must be a matrix with a row [time number] for each change
using Modia
include("$(Modia.modelsPath)/HeatTransfer.jl")
Hot = Model(hot = FixedTemperature, closed = FixedHeatFlow, rod = InsulatedRod2 | Map(nT = 4, cells = [1.0, 8.0]),
            connect = :[(hot.port, rod.port_a); (rod.port_b, closed.port)])
hot = @instantiateModel(Hot, unitless = true)
simulate!(hot, stopTime = 10.0)

## times grow, and numbers are whole
#status 2
#says error[E0309]
#says cells needs times that grow and whole numbers of at least 1; row 2 is [3.0, 0.0]
using Modia
include("$(Modia.modelsPath)/HeatTransfer.jl")
Hot = Model(hot = FixedTemperature, closed = FixedHeatFlow, rod = InsulatedRod2 | Map(nT = 4, cells = [1.0 8; 3.0 0]),
            connect = :[(hot.port, rod.port_a); (rod.port_b, closed.port)])
hot = @instantiateModel(Hot, unitless = true)
simulate!(hot, stopTime = 10.0)
