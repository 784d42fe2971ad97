# A signal is made, disturbed and filtered; all sources of the library beside the areas under them
#
# Shows: sources with events at their kinks, noise with a seed, tables over time and over two signals, and one filter written in three ways.
# Expect: the filter lets the sine through with the gain 1/(1 + (f/f0)^2) and takes a tenth of the noise; a chirp shows the resonance of a second-order block. Integrals
# are those of the closed forms.
module SourcesAndFilters

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Sources.jl")
include("$(Modia.modelsPath)/Control.jl")

# A sensor at 2 Hz with a weak second tone and noise, behind two lags of 10 Hz: as a row of blocks, as a transfer function and by matrices.
T = 1/(2*pi*10)
Sensor = Model(
    tone = Sine | Map(amplitude = 2.0, f = 2.0u"Hz"), hum = Cosine | Map(amplitude = 0.5, f = 50.0u"Hz"), rough = UniformNoise | Map(low = -0.3, high = 0.3, period = 0.002u"s", seed = 7),
    hiss = NormalNoise | Map(sigma = 0.1, period = 0.002u"s", seed = 3), all = Sum | Map(k = [1.0, 1.0, 1.0, 1.0]), amplifier = Gain | Map(k = 10.0),
    lag1 = FirstOrder | Map(T = T*u"s"), lag2 = FirstOrder | Map(T = T*u"s"), tf = TransferFunction | Map(b = [1.0], a = [T^2, 2*T, 1.0]),
    ss = StateSpace | Map(A = parameter | [0.0 1.0; -1/T^2 -2/T]*u"1/s", B = parameter | reshape([0.0, 1/T^2], 2, 1)*u"1/s", C = parameter | [1.0 0.0], D = parameter | zeros(1, 1), x = Var(init = [0.0, 0.0])),
    equations = :[
        all.u = [tone.y, hum.y, rough.y, hiss.y]
        amplifier.u = all.y
        lag1.u = amplifier.y
        lag2.u = lag1.y
        tf.u = amplifier.y
        ss.u = [amplifier.y]
    ])
sensor = @instantiateModel(Sensor)
simulate!(sensor, stopTime = 3.0, tolerance = 1e-8, interval = 0.001)
plot(sensor, ["amplifier.y", ("lag2.y", "tf.y")], heading = "A noisy tone before and behind two lags")
@test abs(getLastValue(sensor, "lag2.y") - getLastValue(sensor, "tf.y")) < 1e-5 && abs(getLastValue(sensor, "ss.y")[1] - getLastValue(sensor, "tf.y")) < 1e-5
t, y = getValues(sensor, "time"), getValues(sensor, "tf.y")
last = findall(t .> 2.0)
part(f) = 2*sum([y[k]*sin(2*pi*2.0*t[k] + f) for k in last])/length(last)
amplitude = sqrt(part(0.0)^2 + part(pi/2)^2)
println("the tone comes through with ", round(amplitude, digits = 3), " of 20, expected ", round(20/(1 + 0.2^2), digits = 3))
@test abs(amplitude - 20/(1 + 0.2^2)) < 0.1
# The same seed, the same numbers.
again = @instantiateModel(Sensor)
simulate!(again, Tsit5(), stopTime = 3.0, tolerance = 1e-8, interval = 0.001)
@test getLastValue(again, "hiss.y") == getLastValue(sensor, "hiss.y") && getLastValue(again, "rough.y") == getLastValue(sensor, "rough.y")

# What a day's supply adds up to: areas under profiles over 10 s.
area = Integrator
Profiles = Model(
    ground = Constant | Map(k = 2.0), up = Ramp | Map(height = 3.0, duration = 4.0u"s", startTime = 1.0u"s"), shifts = Trapezoid | Map(amplitude = 2.0, rising = 0.5u"s", width = 1.0u"s", falling = 0.5u"s", period = 2.5u"s"),
    strokes = Pulse | Map(amplitude = 4.0, period = 2.0u"s", width = 0.25), saw = SawTooth | Map(amplitude = 3.0, period = 2.5u"s"), heat = Exponential | Map(amplitude = 5.0, duration = 3.0u"s", T1 = 1.0u"s", T2 = 2.0u"s"),
    plan = TimeTable | Map(table_x = [0.0, 4.0, 6.0, 10.0]u"s", table_y = [1.0, 3.0, 3.0, 0.0]),
    a = area, b = area, c = area, d = area, e = area, f = area, g = area,
    equations = :[
        a.u = ground.y; b.u = up.y; c.u = shifts.y; d.u = strokes.y; e.u = saw.y; f.u = heat.y; g.u = plan.y
    ])
profiles = @instantiateModel(Profiles)
simulate!(profiles, stopTime = 10.0, tolerance = 1e-9)
rise = 1 - exp(-3.0)
for (name, right) in [("a", 20.0), ("b", 6.0 + 15.0), ("c", 4*3.0), ("d", 5*2.0), ("e", 4*3.75), ("f", 5*(3 - rise) + 5*rise*2*(1 - exp(-3.5))), ("g", 8.0 + 6.0 + 6.0)]
    println("area under ", name, ": ", round(getLastValue(profiles, name*".y"), digits = 6))
    @test abs(getLastValue(profiles, name*".y") - right) < 1e-6
end

# A chirp finds the resonance: at 3 Hz with the damping 0.05 the amplitude is ten times the input's. A map over frequency and amplitude says what a shaker can do.
Shaker = Model(
    sweep = Chirp | Map(amplitude = 0.1, f1 = 0.5u"Hz", f2 = 6.0u"Hz", duration = 200.0u"s"), beam = SecondOrder | Map(w = 2*pi*3.0u"rad/s", D = 0.05), speed = Derivative | Map(T = 0.001u"s"),
    limit = Table2D | Map(table_x1 = [0.0, 4.0, 8.0], table_x2 = [0.0, 0.2], table_y = [1.0 0.8; 0.6 0.4; 0.1 0.0]),
    equations = :[
        beam.u = sweep.y
        speed.u = beam.y
        limit.u1 = 0.5 + 5.5*time/200.0u"s"
        limit.u2 = 0.1
    ])
shaker = @instantiateModel(Shaker)
simulate!(shaker, stopTime = 200.0, tolerance = 1e-7, interval = 0.02)
peak = maximum(abs.(getValues(shaker, "beam.y")))
println("largest amplitude ", round(peak, digits = 4), ", 1.0 if it stayed at the resonance; limit at the end ", getLastValue(shaker, "limit.y"))
@test 0.9 < peak < 1.001 && abs(getLastValue(shaker, "limit.y") - (0.5 + 0.5*(0.05 - 0.5))) < 1e-9
# The derivative through a filter of 1 ms is the state's own rate of 2 pi 3 Hz xd, within the lag.
@test abs(getLastValue(shaker, "speed.y") - 2*pi*3*getLastValue(shaker, "beam.xd")) < 0.1*2*pi*3*maximum(abs.(getValues(shaker, "beam.xd")))

end
