# A billiard ball breaks a triangle of three.
#
# Shows: several contacts at the same time, sliding, rolling and cushions in one model.
# The cue ball comes along the axis of symmetry of the triangle, and so the motion stays its own mirror image until
# rounding errors have grown over some impacts.
# Expect: the outer two balls go off to the sides, mirrored. Energy only falls.
using Modia3D
using Test
@usingModiaPlot
include("parts/table.jl")

row = sqrt(3)/2*(D + 2e-4)
Four = Table(2.0, 1.0) | Model(cue = ball(-0.6, 0.0, velocity = [2.5, 0.0, 0.0]), tip = ball(0.2, 0.0),
                               upper = ball(0.2 + row, D/2 + 1e-4), lower = ball(0.2 + row, -D/2 - 1e-4))
four = @instantiateModel(Four, unitless = true)
simulate!(four, stopTime = 1.5, tolerance = 1e-8, interval = 0.005)

t = getValues(four, "time")
up, low = getValues(four, "upper.translation"), getValues(four, "lower.translation")
energy = getValues(four, "balance.totalEnergy")
asymmetry = maximum(abs.(up[:, 1] - low[:, 1]) + abs.(up[:, 2] + low[:, 2]))
println("the outer balls end at ", round.(up[end, 1:2], digits = 3), " and ", round.(low[end, 1:2], digits = 3),
        ", mirrored to ", asymmetry < 1e-9 ? "1e-9" : asymmetry, " m")
@test asymmetry < 1e-9
@test up[end, 2] > 0.2
@test maximum(abs.(getValues(four, "cue.translation")[:, 2])) < 1e-9
@test all(energy[i+1] - energy[i] < 1e-6*energy[1] for i in 1:length(energy)-1)
# The cushions push both sides alike.
@test abs(getValues(four, "balance.momentum")[end, 2]) < 1e-9
plot(four, [("cue.translation[1]", "tip.translation[1]", "upper.translation[1]"), ("upper.translation[2]", "lower.translation[2]")],
     heading = "Four billiard balls")
