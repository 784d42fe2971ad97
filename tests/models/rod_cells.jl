# The number of cells of a rod changes while it runs: the heat stays to rounding, no temperature leaves the range of its
# neighbors, a straight profile is kept exactly, and the run agrees with rods that were fine from the beginning.
using Modia
using Test
include("$(Modia.modelsPath)/HeatTransfer.jl")

# The interpolation by itself.
heat(T) = sum(T)/length(T)
bumpy = [300.0, 310.0, 350.0, 349.0, 200.0, 205.0, 205.0, 600.0]
for m in [1, 2, 3, 5, 8, 11, 64, 100]
    fresh = remeshRod(bumpy, m)
    @test length(fresh) == m && isapprox(heat(fresh), heat(bumpy), rtol = 1e-14)
    @test minimum(bumpy) <= minimum(fresh) + 1e-9 && maximum(fresh) <= maximum(bumpy) + 1e-9
end
@test remeshRod(bumpy, 8) == bumpy
straight(n) = [400.0 - 100.0*(i - 0.5)/n for i in 1:n]
for (n, m) in [(4, 7), (7, 4), (3, 30), (30, 3), (5, 10)]
    @test isapprox(remeshRod(straight(n), m), straight(m), rtol = 1e-13)
end
# Half as many cells are the means of two, and as many again are no longer the same, but mean the same.
@test isapprox(remeshRod(bumpy, 4), [(bumpy[2*i-1] + bumpy[2*i])/2 for i in 1:4], rtol = 1e-14)
@test isapprox(remeshRod(remeshRod(bumpy, 32), 8), bumpy, rtol = 1e-14)

Heated(rod) = Model(
    hot = FixedTemperature | Map(T = 493.15), closed = FixedHeatFlow,
    rod = rod | Map(T0 = 273.15),
    Q = Var(init = 0.0),
    equations = :[der(Q) = rod.port_a.Q_flow],
    connect = :[(hot.port, rod.port_a); (rod.port_b, closed.port)]
)
run(rod) = begin
    m = @instantiateModel(Heated(rod), unitless = true)
    simulate!(m, stopTime = 4e4, tolerance = 1e-8)
    m
end
T(m) = filter(x -> !isnan(x), getLastValue(m, "rod.T", unit = false))    # as long as the longest one
Q(m) = getLastValue(m, "Q", unit = false)
capacity = 7500.0*450.0*0.0004
# Coarser, finer, to numbers that do not divide each other, at the start and at the end.
changing = run(InsulatedRod2 | Map(nT = 40, cells = [2000.0 60; 5000.0 24; 12000.0 7; 20000.0 31; 40000.0 10]))
@test isapprox(heat(T(changing)) - 273.15, Q(changing)/capacity, rtol = 1e-7)
@test length(T(changing)) == 10
values = getValues(changing, "rod.T", unit = false)
@test length(filter(x -> !ismissing(x), values[2, :])) == 40
# Beside the continuous rod.
exact = 493.15 - 220.0*sum(8/(k*pi)^2*exp(-(k*pi/2)^2*74.0/(7500.0*450.0)*4e4) for k in 1:2:99)
@test isapprox(heat(T(changing)), exact, atol = 0.5)
fine = run(InsulatedRod2 | Map(nT = 60))
@test isapprox(remeshRod(T(fine), 10), T(changing), atol = 1.0)
# A change to the same number changes nothing.
same = run(InsulatedRod2 | Map(nT = 12, cells = [1000.0 12; 3000.0 12]))
never = run(InsulatedRod2 | Map(nT = 12))
@test isapprox(T(same), T(never), rtol = 1e-7)
at_start = run(InsulatedRod2 | Map(nT = 3, cells = [0.0 12]))
@test isapprox(T(at_start), T(never), rtol = 1e-7)
