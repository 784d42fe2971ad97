# A heated pipe: the sensor sits downstream, so the controller sees the temperature 0.8 s late.
#
# Shows: delay(expression, T). The same PI controller swings with growing amplitude when it acts on what it sees, and is
# calm with Smith's predictor: a model of the plant, with and without its delay, that tells what the sensor will show.
# Expect: without the predictor the swing exceeds 20 K within 10 s; with it the temperature settles at 1 K.
using Modia
using Test
@usingModiaPlot

Plant = Model(
    tau = 1.0u"s", dead = 0.8u"s", T = Var(init = 0.0u"K"), u = Var(), seen = Var(),
    equations = :[
        tau*der(T) = u - T
        seen = delay(T, dead)
    ]
)
Controller = Model(Kp = 2.0, Ti = 0.5u"s", i = Var(init = 0.0u"K"), e = Var(), u = Var(), equations = :[der(i) = e/Ti; u = Kp*(e + i)])

Blind = Model(plant = Plant, control = Controller, equations = :[
    control.e = 1.0u"K" - plant.seen
    plant.u = control.u])
Smith = Model(plant = Plant, control = Controller, guess = Plant, equations = :[
    control.e = 1.0u"K" - plant.seen - (guess.T - guess.seen)
    plant.u = control.u
    guess.u = control.u])

blind = @instantiateModel(Blind)
simulate!(blind, stopTime = 10.0, tolerance = 1e-8)
smith = @instantiateModel(Smith)
simulate!(smith, stopTime = 10.0, tolerance = 1e-8)
plot(blind, ("plant.T", "plant.seen"), figure = 1)
plot(smith, ("plant.T", "plant.seen"), figure = 2)

swing = maximum(abs.(getValues(blind, "plant.T")))
println("largest swing without the predictor: ", swing, " K, at the end with it: ", getLastValue(smith, "plant.seen", unit = false), " K")
@test swing > 20
@test abs(getLastValue(smith, "plant.seen", unit = false) - 1.0) < 1e-4
