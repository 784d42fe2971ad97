# A rod heated at one end, whose cells become more while the front is steep, and fewer as the temperatures become alike.
#
# Shows: Component, a component written in C (rod.c), and segments that nobody planned. The library
# is made and loaded by the person who runs this file, never by the file:
#     cc -std=c17 -shared -fPIC -I include examples/component/rod.c -o rod.so
#     segue run --component ./rod.so examples/component/heated_rod.jl
# Expect: 16 cells at first, 64 while the heat comes in, 16 again at the end; the heat that went in is the heat that is there,
# since new cells take over the heat of the old ones; the mean temperature beside that of the continuous rod.
module HeatedRodInC

using Modia
using Test
@usingModiaPlot

include("$(Modia.modelsPath)/HeatTransfer.jl")

HeatedRod = Model(
    source = FixedTemperature | Map(T = 493.15),
    stop = FixedHeatFlow,
    rod = Component("rod", port_a = HeatPort, port_b = HeatPort, n = 16, most = 64, L = 1.0, A = 4e-4, rho = 7500.0,
                    c = 450.0, lambda = 74.0, T0 = 273.15, alike = 1.0, steep = 30.0),
    Q = Var(init = 0.0),
    equations = :[der(Q) = rod.port_a.Q_flow],
    connect = :[
        (source.port, rod.port_a)
        (rod.port_b, stop.port)
    ]
)
heatedRod = @instantiateModel(HeatedRod, unitless = true)
simulate!(heatedRod, stopTime = 6e4, tolerance = 1e-8)

energy = getValues(heatedRod, "rod.energy")
gained = energy[end] - energy[1]
entered = getLastValue(heatedRod, "Q")
println("heat that entered: ", round(entered, digits = 1), " J, that is there: ", round(gained, digits = 1), " J")
@test isapprox(gained, entered, rtol = 1e-6)

# The series of the continuous rod.
function meanTemperature(t)
    sum = 0.0
    for k in 1:2:99
        sum += 8/(k*pi)^2*exp(-(k*pi/2)^2*74.0/(7500.0*450.0)*t)
    end
    return 493.15 - 220.0*sum
end
# How many cells there were, one after the other.
T = getValues(heatedRod, "rod.T")
numbers = [length(filter(x -> !ismissing(x), T[i, :])) for i in 1:size(T, 1)]
println("cells: ", [numbers[i] for i in 1:length(numbers) if i == 1 || numbers[i] != numbers[i-1]])
@test numbers[1] == 16 && maximum(numbers) == 64 && numbers[end] == 16

heatCapacity = 7500.0*450.0*4e-4
println("mean temperature: ", round(energy[end]/heatCapacity, digits = 2), " K, of the continuous rod: ",
        round(meanTemperature(6e4), digits = 2), " K")
@test isapprox(energy[end]/heatCapacity, meanTemperature(6e4), atol = 0.2)
plot(heatedRod, ("rod.T", "rod.energy"))

end
