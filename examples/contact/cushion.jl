# A billiard ball rolls into a cushion, and its spin follows later.
#
# Shows: an impact that turns the velocity around at once, while friction on the cloth needs time to turn the spin.
# The upright cushion pushes through the center of the ball, without friction: the speed v becomes -e v, the spin v/R stays.
# Now the ball slides, until it rolls with (5 (-e v) + 2 v)/7. The coefficient e = 0.98 of the palette is the nominal one;
# the law of contact makes 0.97869 of it, whatever mass and speed.
# Expect: the ball comes back rolling with 0.413 of the speed it came with.
using Modia3D
using Test
@usingModiaPlot
include("parts/table.jl")

v0 = 1.0
Cushion = Table(1.0, 0.6) | Model(ball = ball(0.0, 0.0, velocity = [v0, 0.0, 0.0], spin = [0.0, v0/R, 0.0]))
cushion = @instantiateModel(Cushion, unitless = true)
simulate!(cushion, stopTime = 1.0, tolerance = 1e-7, interval = 0.002)

t, x = getValues(cushion, "time"), getValues(cushion, "ball.translation")[:, 1]
v, w = getValues(cushion, "ball.velocity")[:, 1], getValues(cushion, "ball.angularVelocity")[:, 2]
i = findfirst(v .< 0)
before, after = i - 1, argmin(abs.(t .- t[i] .- 0.12))
rolling = -(5*0.97869 - 2)/7*v[before]
println("it turns around at x = ", round(x[i], digits = 4), " m: from ", round(v[before], digits = 4), " to ",
        round(v[i], digits = 4), " m/s; it rolls back with ", round(v[after], digits = 4), " m/s, by theory ",
        round(rolling, digits = 4), " m/s")
@test abs(x[i] - (0.5 - R)) < 2e-3
@test abs(w[i] - v[before]/R) < 0.03*v0/R
@test abs(v[after] - rolling) < 0.01*v0
@test abs(v[after] - R*w[after]) < 1e-3*v0
plot(cushion, ["ball.translation[1]", "ball.velocity[1]", "ball.angularVelocity[2]"], heading = "A ball and a cushion")
