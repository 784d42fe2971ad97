# A pendulum with friction.
#
# Shows: a model with units: parameters, start values, two equations, and a result.
# Expect: it swings from 90 degrees with a period of about 2 s and comes to rest.
using Modia
@usingModiaPlot

Pendulum = Model(
    L = 0.8u"m", m = 1.0u"kg", d = 0.5u"N*m*s/rad", g = 9.81u"m/s^2",
    phi = Var(init = 1.57u"rad"), w = Var(init = 0.0u"rad/s"),
    equations = :[
        w = der(phi)
        0.0 = m*L^2*der(w) + d*w + m*g*L*sin(phi)
        r = [L*sin(phi), -L*cos(phi)]
    ]
)
pendulum = @instantiateModel(Pendulum)
simulate!(pendulum, stopTime = 10.0u"s", tolerance = 1e-4, requiredFinalStates = [0.0, 0.0],
          requiredFinalStates_atol = 0.1)
plot(pendulum, [("phi", "w"), "r"])
