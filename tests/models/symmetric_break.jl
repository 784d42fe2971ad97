# Sixteen balls on the table of scenario E8, and the cue ball on the axis of the triangle: the motion is its own mirror
# image until rounding errors have grown ([NO2019] 5).
#
# Each impact multiplies a difference. With 3 m/s there are 49 of them in 6.5 s and then none for as long, and mirrored balls
# stay within micrometers. With 12 m/s chaos has taken over after 2 s and a hundred impacts.
#
# All balls share the steps of one solver here, so the errors of steps are mirrored, too, and what is seen is rounding. With solvers of their
# own, mirrored balls are as far apart as the tolerance lets them be.
include("scenes/billiard.jl")
using Test

mirrored = Tuple{Int,Int}[]
function break_at(speed; islands = false)
    Break = Table() | Map(world = Map(feature = Map(islands = islands))) | Model(ball0 = resting(-0.8, 0.0, velocity = [speed, 0.0, 0.0]))
    n = 0
    for k in 0:4, j in 0:k
        n += 1
        Break[Symbol("ball$n")] = resting(LX/6 + k*(sqrt(3)/2*D + 1e-4), (k/2 - j)*(D + 1e-4))
        push!(mirrored, (n, n - j + k - j))
    end
    return @instantiateModel(Break, unitless = true)
end

# The farthest that a ball is from the image of its partner, over time.
function asymmetry(m)
    r = [getValues(m, "ball$i.translation") for i in 1:15]
    return [maximum(abs(r[a][i, 1] - r[b][i, 1]) + abs(r[a][i, 2] + r[b][i, 2]) for (a, b) in mirrored) for i in 1:size(r[1], 1)]
end

slow = break_at(3.0)
simulate!(slow, stopTime = 6.5, tolerance = 1e-8, interval = 0.01)
t, off = getValues(slow, "time"), asymmetry(slow)
@test all(off[i] < 1e-14 for i in 1:length(t) if t[i] < 0.5)  # before the first ball is hit
@test all(off[i] < 1e-9 for i in 1:length(t) if t[i] < 2.0)
@test maximum(off) < 1e-5
@test getLastValue(slow, "contacts.begun") == 16 + 49
moved = [norm(getLastValue(slow, "ball$i.translation")[1:2] - getValues(slow, "ball$i.translation")[1, 1:2]) for i in 1:15]
@test sum(moved .> 0.1) >= 8

fast = break_at(12.0)
simulate!(fast, stopTime = 1.5, tolerance = 1e-8, interval = 0.01)
@test maximum(asymmetry(fast)) < 1e-5
@test getLastValue(fast, "contacts.begun") > 70

apart = break_at(3.0, islands = true)
simulate!(apart, stopTime = 6.5, tolerance = 1e-8, interval = 0.01)
@test maximum(asymmetry(apart)[getValues(apart, "time") .< 2.0]) < 1e-6
@test getLastValue(apart, "contacts.begun") == 16 + 49
