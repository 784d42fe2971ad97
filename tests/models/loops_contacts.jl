# Loops beside what else happens: a ball falls on the coupler of a fourbar, and a load is hung to its crank and released. Both
# leave energy where it belongs (--balance in tests/cli/loops_are_closed_or_told.sh), and the loop closed.
using Modia3D
using Test
include("scenes/struck_fourbar.jl")

off(x, y) = maximum(abs.(x .- y))
# The two ends that rev4 keeps together.
gap(m) = off(getValues(m, "coupler.obj2.r_abs"), getValues(m, "rocker.obj2.r_abs"))

hit = @instantiateModel(Hit, unitless = true)
simulate!(hit, stopTime = 0.8, tolerance = 1e-8)
@test gap(hit) < 1e-12
@test off(getValues(hit, "ball.velocity")[end, 1], 0.0) > 0.1   # it was thrown to the side

hung = @instantiateModel(Hung, unitless = true)
simulate!(hung, Tsit5(), stopTime = 1.0, tolerance = 1e-8)
@test gap(hung) < 1e-12
# Released it falls freely.
v = getValues(hung, "load.base.velocity")
t = getValues(hung, "time")
@test abs((v[end, 2] - v[end - 50, 2])/(t[end] - t[end - 50]) + 9.81) < 1e-6
