# A billiard ball slides, begins to roll, and hits another one.
#
# Shows: sliding friction, rolling resistance and an elastic impact between free bodies.
# A ball struck through its center slides at first: friction slows it and makes it turn, until after 2 v0/(7 mu g) it
# rolls with 5/7 of its speed. In the head-on impact the balls exchange their velocities, but not their spins (there is no
# friction between them): both slide again, the first one forward by its spin, until it rolls with 2/7 of its speed, the
# second one with 5/7 of it.
# Expect: these closed forms, up to rolling resistance, which slows rolling balls by 5/7 mu_r g = 0.07 m/s2.
using Modia3D
using Test
@usingModiaPlot
include("parts/table.jl")

v0, mu, rolling = 2.0, 0.8, 0.01
Two = Table(2.4, 0.6) | Model(cue = ball(-1.0, 0.0, velocity = [v0, 0.0, 0.0]), target = ball(0.0, 0.0))
two = @instantiateModel(Two, unitless = true)
simulate!(two, stopTime = 1.0, tolerance = 1e-7, interval = 0.002)

t = getValues(two, "time")
v1, v2 = getValues(two, "cue.velocity")[:, 1], getValues(two, "target.velocity")[:, 1]
w1, w2 = getValues(two, "cue.angularVelocity")[:, 2], getValues(two, "target.angularVelocity")[:, 2]

# The first slide.
rolls = 2*v0/(7*mu*g)
half, i = argmin(abs.(t .- rolls/2)), argmin(abs.(t .- rolls .- 0.02))
println("rolling after ", round(rolls, digits = 4), " s with ", round(v1[i], digits = 4), " m/s; 5/7 of the start: ",
        round(5/7*v0, digits = 4), " m/s")
@test abs(v1[half] - (v0 - mu*g*t[half])) < 1e-3*v0
@test abs(v1[i] - 5/7*v0) < 0.01*v0
@test abs(v1[i] - R*w1[i]) < 1e-3*v0

# The impact, and rolling again.
hit = findfirst(v2 .> 0.5)
before, after = argmin(abs.(t .- t[hit] .+ 0.004)), argmin(abs.(t .- t[hit] .- 0.15))
println("impact after ", round(t[hit], digits = 3), " s at ", round(v1[before], digits = 4), " m/s; later the balls roll with ",
        round(v1[after], digits = 4), " and ", round(v2[after], digits = 4), " m/s")
@test abs(v2[hit] - v1[before]) < 0.03*v0
@test abs(v1[after] - 2/7*v1[before]) < 0.02*v0
@test abs(v2[after] - 5/7*v1[before]) < 0.02*v0
@test abs(v1[end] - R*w1[end]) < 1e-3 && abs(v2[end] - R*w2[end]) < 1e-3
# Rolling resistance: (1 + 2/5) a = -rolling g.
for v in [v1, v2]
    @test abs((v[end] - v[after])/(t[end] - t[after]) + 5/7*rolling*g) < 1e-3
end
plot(two, [("cue.velocity[1]", "target.velocity[1]"), ("cue.angularVelocity[2]", "target.angularVelocity[2]")],
     heading = "Two billiard balls")
