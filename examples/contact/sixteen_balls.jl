# The break: fifteen billiard balls and a sixteenth that scatters them.
#
# Shows: a model of 192 states and some hundred contact events, built in a loop.
# After many impacts such a motion cannot be told in advance: each multiplies a small difference. What can be checked is
# that the balls stay on the table, that energy only falls, and that the start is that of a break.
# Expect: those on the outside of the triangle go far, those in the middle hardly move; none is below the cloth or outside of
# the cushions. The cloth is a rough one (friction 0.8), so much of the energy is lost to sliding.
using Modia3D
using Test
@usingModiaPlot
include("parts/table.jl")

lx, ly, gap = 2.0, 1.0, 1e-4
Sixteen = Table(lx, ly) | Model(cue = ball(-0.7, 0.02, velocity = [4.0, 0.0, 0.0]))
n = 0
for row in 0:4, place in 0:row
    global n += 1
    Sixteen[Symbol("ball$n")] = ball(0.3 + row*sqrt(3)/2*(D + gap), (row/2 - place)*(D + gap))
end
sixteen = @instantiateModel(Sixteen, unitless = true)
simulate!(sixteen, stopTime = 2.0, tolerance = 1e-7, interval = 0.01)

places = [getValues(sixteen, "ball$i.translation") for i in 1:n]
energy = getValues(sixteen, "balance.totalEnergy")
moved = [sqrt(sum((p[end, 1:2] - p[1, 1:2]).^2)) for p in places]
println(n, " balls moved by ", round(minimum(moved), digits = 2), " to ", round(maximum(moved), digits = 2), " m")
@test sum(moved .> 0.05) >= 8
@test all(abs(p[i, 1]) < lx/2 - R + 0.002 && abs(p[i, 2]) < ly/2 - R + 0.002 for p in places for i in 1:size(p, 1))
@test all(R - 1e-4 < p[i, 3] < R + 0.02 for p in places for i in 1:size(p, 1))
@test all(energy[i+1] - energy[i] < 1e-6*energy[1] for i in 1:length(energy)-1)
# No two balls are deeper in each other than the cue ball's energy could press them by Hertz' law, 2/5 k p^2.5.
mass = Modia3D.massProperties(Solid(shape = Sphere(diameter = D), solidMaterial = "BilliardBall"))[1]
k = 4/3*5.4e9/(1 - 0.34^2)/2*sqrt(R/2)
deepest = (mass*4.0^2/2/(0.4*k))^0.4
apart(p, q) = minimum(sqrt.(sum((p - q).^2, dims = 2)))
@test all(apart(places[i], places[j]) > D - deepest for i in 1:n for j in 1:i-1)
plot(sixteen, [Tuple("ball$i.translation[1]" for i in 1:n), Tuple("ball$i.translation[2]" for i in 1:n)],
     heading = "A break", maxLegend = 4)
