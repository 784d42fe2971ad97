# Steps that go over kinks of max, min and abs, which are no events: half waves and pulses behind long rests are taken again in shorter steps.
# Was an error (E0723), or off by 20 % without a word at a tolerance of 1e-4.
module TakenAgain

using Modia
using Test

Half = Model(x = Var(init = 0.0), equations = :[der(x) = max(sin(time), 0.0)])
Pulse = Model(x = Var(init = 0.0), equations = :[der(x) = max(1.0 - abs(time - 50.0), 0.0)])
Filter = Model(x = Var(init = 0.0), y = Var(init = 0.0), equations = :[
    der(x) = max(sin(time), 0.0) - max(-sin(time), 0.0)
    der(y) = min(max(4*sin(time) - 3.0, 0.0), 0.5)])
for s in [CVODE_BDF(), Tsit5(), IDA(), Rodas5(), CVODE_Adams(), DP8(), KenCarp4()], tolerance in [1e-4, 1e-6, 1e-8]
    model = @instantiateModel(Half, unitless = true)
    simulate!(model, s, stopTime = 20*pi, tolerance = tolerance)
    @test abs(getLastValue(model, "x")/20 - 1) < 300*tolerance
    model = @instantiateModel(Pulse, unitless = true)
    simulate!(model, s, stopTime = 100.0, tolerance = tolerance, interval = 1.7)
    @test abs(getLastValue(model, "x") - 1) < 300*tolerance
    model = @instantiateModel(Filter, unitless = true)
    simulate!(model, s, stopTime = 20*pi, tolerance = tolerance)
    # From 0.75 to 0.875 the sine is above the clamp's lower side, then it is cut.
    a, b = asin(0.75), asin(0.875)
    area = 2*(4*(cos(a) - cos(b)) - 3*(b - a)) + 0.5*(pi - 2*b)
    @test abs(getLastValue(model, "y")/(10*area) - 1) < 300*tolerance
end

end
