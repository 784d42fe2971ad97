# What is sampled may depend on the sample: at each tick that is an equation to be solved, and between ticks it is not.
using Modia3D
using Test

load(t) = 5.0 + sin(3.0*t)
atTicks(m, name, T) = [getValues(m, name)[findlast(abs.(getValues(m, "time") .- k*T) .< 1e-9)] for k in 0:4]

# 2 a = load - gain*a at the ticks, whatever the gain: also where a fixed point would be run away from.
Linear = Model(v = Var(init = 0.0), u = Var(start = 0.0), gain = 1.0,
               equations = :[2.0*der(v) = load(time) + u; a = der(v); s = sample(a, Clock(0.25)); u = -gain*s])
linear = @instantiateModel(Linear, unitless = true)
for algorithm in [CVODE_BDF(), IDA(), Tsit5(), Rodas5P()], gain in [1.0, 7.0, -1.5]
    simulate!(linear, algorithm, stopTime = 1.0, interval = 0.125, tolerance = 1e-9, merge = Map(gain = gain))
    expected = [load(0.25*k)/(2.0 + gain) for k in 0:4]
    @test maximum(abs.(atTicks(linear, "s", 0.25) - expected)) < 1e-12
    @test maximum(abs.(atTicks(linear, "a", 0.25) - expected)) < 1e-12
    # In between the sample stays: 2 v' = load - gain*s.
    v = (5.0 + (1.0 - cos(3.0))/3.0 - gain*0.25*sum(expected[1:4]))/2.0
    @test abs(getLastValue(linear, "v") - v) < 1e-6
end

# The same in an equation that is not linear.
Cubic = Model(v = Var(init = 0.0), u = Var(start = 0.0),
              equations = :[2.0*der(v) + 0.1*der(v)^3 = load(time) + u; a = der(v); s = sample(a, Clock(0.25)); u = -3.0*s])
cubic = @instantiateModel(Cubic, unitless = true)
for algorithm in [CVODE_BDF(), Tsit5()]
    simulate!(cubic, algorithm, stopTime = 1.0, interval = 0.125, tolerance = 1e-9)
    a = atTicks(cubic, "a", 0.25)
    @test maximum(abs.(5.0*a + 0.1*a.^3 - [load(0.25*k) for k in 0:4])) < 1e-9
    @test maximum(abs.(atTicks(cubic, "s", 0.25) - a)) < 1e-9
end

# With hold.
Held = Model(v = Var(init = 0.0), a = Var(start = 0.1), equations = :[2.0*der(v) = load(time) - 7.0*s; a = der(v); s = hold(a, Clock(0.25))])
held = @instantiateModel(Held, unitless = true)
simulate!(held, stopTime = 1.0, interval = 0.125, tolerance = 1e-9)
@test maximum(abs.(atTicks(held, "s", 0.25) - [load(0.25*k)/9.0 for k in 0:4])) < 1e-12

# An accelerometer that is sampled and fed back as a force on its body.
Felt = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    body = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.2), massProperties = 2.0)),
    pull = WorldForce(objectApply = :body), u = Var(start = 0.0),
    equations = :[a = body.a_abs[1]; s = sample(a, Clock(0.25)); u = -7.0*s; pull.force = [load(time) + u, 0.0, 0.0]]
)
felt = @instantiateModel(Felt, unitless = true)
for algorithm in [CVODE_BDF(), IDA(), Tsit5()]
    simulate!(felt, algorithm, stopTime = 1.0, interval = 0.125, tolerance = 1e-9)
    @test maximum(abs.(atTicks(felt, "s", 0.25) - [load(0.25*k)/9.0 for k in 0:4])) < 1e-12
end
