# Every block of Blocks.jl against its closed form.
using Modia
using Test

include("$(Modia.modelsPath)/Blocks.jl")

close(a, b) = isapprox(ustrip(a), b, rtol = 1e-5, atol = 1e-7)
final(m, name) = getLastValue(m, name)

# Gain, Feedback, Step: y jumps at 0.5 s, exactly.
Static = Model(
    step = Step | Map(offset = 1.0, height = 3.0, startTime = 0.5u"s"),
    gain = Gain | Map(k = -2.0),
    difference = Feedback,
    connect = :[
        (step.y, gain.u, difference.u1)
        (gain.y, difference.u2)
    ]
)
static = @instantiateModel(Static)
simulate!(static, stopTime = 0.499)
@test close(final(static, "step.y"), 1.0) && close(final(static, "gain.y"), -2.0)
simulate!(static, stopTime = 1.0)
@test close(final(static, "step.y"), 4.0)
@test close(final(static, "gain.y"), -8.0)
@test close(final(static, "difference.y"), 12.0)

# Ramp: before, on the way, behind.
Ramped = Model(
    ramp = Ramp | Map(offset = 0.5, height = -4.0, startTime = 1.0u"s", duration = 2.0u"s"),
    area = Var(init = 0.0u"s"),
    equations = :[der(area) = ramp.y]
)
ramped = @instantiateModel(Ramped)
for (t, y) in [(0.5, 0.5), (1.5, -0.5), (2.0, -1.5), (4.0, -3.5)]
    simulate!(ramped, stopTime = t)
    @test close(final(ramped, "ramp.y"), y)
end
@test close(final(ramped, "area"), 0.5*4.0 - 4.0 - 4.0)

# FirstOrder: response to a step from its own start value.
Lag = Model(
    step = Step | Map(height = 2.0),
    lag = FirstOrder | Map(k = 1.5, T = 0.4u"s", x = Var(init = 0.2)),
    connect = :[(step.y, lag.u)]
)
lag = @instantiateModel(Lag)
simulate!(lag, stopTime = 1.0, tolerance = 1e-9)
@test close(final(lag, "lag.y"), 3.0 + (0.2 - 3.0)*exp(-1.0/0.4))
@test get_xNames(lag) == ["lag.x"]

# PI on a ramp: x is its integral over T.
Controller = Model(
    ramp = Ramp | Map(height = 10.0, duration = 10.0u"s"),
    pi = PI | Map(k = 3.0, T = 0.5u"s", x = Var(init = 0.1)),
    connect = :[(ramp.y, pi.u)]
)
controller = @instantiateModel(Controller)
simulate!(controller, stopTime = 2.0, tolerance = 1e-9)
@test close(final(controller, "pi.y"), 3.0*(0.1 + 2.0^2/2/0.5 + 2.0))

# PI around a lag: poles of s^2 + 2*s + 2 are -1 +- i for k = 1, T = 0.5 s, lag of 1 s.
Closed = Model(
    step = Step,
    error = Feedback,
    pi = PI | Map(k = 1.0, T = 0.5u"s"),
    lag = FirstOrder | Map(T = 1.0u"s"),
    connect = :[
        (step.y, error.u1)
        (lag.y, error.u2)
        (error.y, pi.u)
        (pi.y, lag.u)
    ]
)
closed = @instantiateModel(Closed)
simulate!(closed, stopTime = 1.5, tolerance = 1e-9)
# y'' + 2 y' + 2 y = 2 u + u'; from rest, u a step: y = 1 - e^-t*cos(t).
@test close(final(closed, "lag.y"), 1 - exp(-1.5)*cos(1.5))

# StateSpace: an undamped oscillator, then a larger system without translating again.
System = Model(
    system = StateSpace | Map(A = [0.0 2.0; -2.0 0.0], B = [0.0, 1.0], C = [1.0 0.0], D = [0.0],
                              x = Var(init = [1.0, 0.0])),
    equations = :[system.u = 0.0]
)
system = @instantiateModel(System, unitless = true)
simulate!(system, stopTime = 1.0, tolerance = 1e-9)
@test isapprox(final(system, "system.x"), [cos(2.0), -sin(2.0)], atol = 1e-5)
simulate!(system, stopTime = 1.0, tolerance = 1e-9,
          merge = Map(system = Map(A = [-1.0 0.0 0.0; 0.0 -2.0 0.0; 0.0 0.0 -3.0], B = [0.0, 0.0, 0.0],
                                   C = [1.0 1.0 1.0], D = [0.0], x = [1.0, 2.0, 3.0])))
@test isapprox(final(system, "system.x"), [exp(-1.0), 2*exp(-2.0), 3*exp(-3.0)], atol = 1e-5)
@test isapprox(final(system, "system.y")[1], exp(-1.0) + 2*exp(-2.0) + 3*exp(-3.0), atol = 1e-5)
