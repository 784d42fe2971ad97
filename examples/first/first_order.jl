# A first-order lag driven by a sine: the smallest model that does something.
#
# Shows: a model as a dictionary of parameters, variables and equations; a run; a check; a plot.
# Expect: after the transient, x swings with the amplitude 1/sqrt(1 + T^2) and lags by atan(T).
module FirstOrderLag

using Modia
@usingModiaPlot

Lag = Model(
    T = 0.2u"s",
    x = Var(init = 0.3),
    equations = :[
        T*der(x) + x = sin(time/u"s")
        y = 2*x
    ]
)

lag = @instantiateModel(Lag)
simulate!(lag, stopTime = 10.0u"s", log = true, requiredFinalStates = [-0.3617373])
plot(lag, ("x", "y"), heading = "First-order lag driven by a sine")

end
