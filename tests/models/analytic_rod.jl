# Heat conduction in a rod with many cells against the Fourier series; the number of cells changes
# from run to run without a new translation.
using Modia
using Test

include("$(Modia.modelsPath)/HeatTransfer.jl")

Rod = Model(
    left = FixedTemperature | Map(T = 400.0u"K"),
    right = FixedHeatFlow,
    rod = InsulatedRod | Map(T = Var(init = fill(300.0, 5)u"K")),
    connect = :[
        (left.port, rod.port_a)
        (rod.port_b, right.port)
    ]
)
rod = @instantiateModel(Rod)

# Temperature at the insulated end x = L = 1 after time t, diffusivity a.
function endTemperature(t)
    a = 74.0/(7500.0*450.0)
    sum = 0.0
    for k in 0:60
        l = (2*k + 1)*pi/2
        sum = sum + (-1.0)^k/(2*k + 1)*exp(-l^2*a*t)
    end
    return 400.0 - 100.0*4/pi*sum
end

errors = Float64[]
for n in [5, 20, 80]
    simulate!(rod, stopTime = 2e4, tolerance = 1e-8, merge = Map(rod = Map(T = fill(300.0, n)u"K")))
    push!(errors, abs(getLastValue(rod, "rod.T", unit = false)[n] - endTemperature(2e4)))
end
println("errors with 5, 20, 80 cells: ", errors)
@test errors[2] < errors[1]/8 && errors[3] < errors[2]/8

# Cells and tolerance together: the error against the series goes down as far as both allow.
errors = Float64[]
for (n, tolerance) in [(10, 1e-4), (40, 1e-6), (160, 1e-8)]
    simulate!(rod, stopTime = 2e4, tolerance = tolerance, merge = Map(rod = Map(T = fill(300.0, n)u"K")))
    push!(errors, abs(getLastValue(rod, "rod.T", unit = false)[n] - endTemperature(2e4)))
end
println("errors with 10, 40, 160 cells at 1e-4, 1e-6, 1e-8: ", errors)
@test errors[2] < errors[1]/5 && errors[3] < errors[2]/5
