# A pendulum in space, written with vectors.
#
# Shows: a constraint on the elements of a vector, r'*r = L^2. One element of r and one of v follow from the others;
#        which ones is chosen anew where that is better. Results are vectors all the same.
# Expect: length, energy and the angular momentum about the vertical stay.
using Modia
using LinearAlgebra
using Test
@usingModiaPlot

Pendulum = Model(
    L = 1.2u"m", m = 2.0u"kg", g = [0.0, 0.0, -9.81]u"m/s^2",
    r = Var(init = [1.2, 0.0, 0.0]u"m"), v = Var(init = [0.0, 1.5, 0.0]u"m/s"), f = Var(start = 0.0u"N/m"),
    equations = :[
        der(r) = v
        m*der(v) = m*g - f*r
        r'*r = L^2
        energy = m*(0.5*dot(v, v) - dot(g, r))
        turning = m*(r[1]*v[2] - r[2]*v[1])
    ]
)
pendulum = @instantiateModel(Pendulum)
simulate!(pendulum, stopTime = 10.0u"s", tolerance = 1e-8)
r = getValues(pendulum, "r", unit = false)
@test maximum(abs.(sqrt.(r[:, 1].^2 + r[:, 2].^2 + r[:, 3].^2) .- 1.2)) < 1e-10
@test maximum(abs.(getValues(pendulum, "energy", unit = false) .- 2.25)) < 1e-3
@test maximum(abs.(getValues(pendulum, "turning", unit = false) .- 3.6)) < 1e-4
plot(pendulum, ["r", ("energy", "turning")])
