# A pendulum written in x and y, that turns over.
#
# Shows: a constraint between coordinates (index three). Neither x nor y can describe the motion all
# the way round, so the states are chosen anew while it turns; logEvents tells when.
# Expect: one turn takes 0.9820 s; the energy stays where it is.
using Modia
using Test
@usingModiaPlot

Pendulum = Model(
    L = 1.0u"m", m = 2.0u"kg", g = 9.81u"m/s^2",
    x = Var(init = 0.0u"m"), vx = Var(init = 8.0u"m/s"),
    y = Var(start = -1.0u"m"), vy = Var(start = 0.0u"m/s"),
    lambda = Var(start = 0.0u"kg/s^2"),   # force in the rod, per length
    equations = :[
        vx = der(x)
        vy = der(y)
        m*der(vx) = -lambda*x
        m*der(vy) = -lambda*y - m*g
        x^2 + y^2 = L^2
        energy = m/2*(vx^2 + vy^2) + m*g*y
    ]
)
pendulum = @instantiateModel(Pendulum)
simulate!(pendulum, stopTime = 3.0, tolerance = 1e-8, logEvents = true)
energy = getValues(pendulum, "energy")
@test maximum(abs.(energy .- energy[1])) < 1e-5*abs(energy[1])
plot(pendulum, [("x", "y"), "energy"])
