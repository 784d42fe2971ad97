# The Reference FMUs of the FMI project in each version and kind that they offer; tests/cli/reference_fmus_are_imported.sh builds
# them and puts them into the output folder. Model exchange is as exact as the run; co-simulation has the fixed steps of
# Euler's method inside of the FMU, whose result is known.
using Modia
using Test

function run(f, stop; names = [], solver = CVODE_BDF(), equations = :[])
    m = @instantiateModel(Model(f = f, equations = equations), unitless = true)
    simulate!(m, solver, stopTime = stop, tolerance = 1e-9)
    return [getLastValue(m, "f."*name) for name in names]
end
near(values, expected, tolerance) = maximum(abs.(values - expected)) < tolerance
euler(x, rate, h, n) = n == 0 ? x : euler(x + h*rate(x), rate, h, n - 1)

for v in ("2", "3")
    # A ball: at 0.4 s it falls, at 1.0 s it has bounced once with 0.7 of its speed.
    t1 = sqrt(2/9.81)
    t = 1.0 - t1
    v1 = 0.7*9.81*t1
    @test near(run(FMU("BouncingBall$v.fmu", kind = :me), 0.4, names = ["h", "v"]), [1 - 9.81/2*0.16, -3.924], 1e-7)
    @test near(run(FMU("BouncingBall$v.fmu", kind = :me), 1.0, names = ["h", "v"]), [v1*t - 9.81/2*t^2, v1 - 9.81*t], 1e-6)
    @test near(run(FMU("BouncingBall$v.fmu", kind = :cs), 0.4, names = ["h", "v"]), [0.217162, -3.924], 1e-9)
    @test near(run(FMU("BouncingBall$v.fmu", kind = :cs), 1.0, names = ["h", "v"]), [0.236643687, -2.255319], 1e-9)
    @test near(run(FMU("BouncingBall$v.fmu", kind = :me, g = -1.62, start = Map(h = 2.0)), 1.0, names = ["h"]), [2 - 0.81], 1e-7)
    # x' = -k*x
    @test near(run(FMU("Dahlquist$v.fmu", kind = :me), 1.0, names = ["x"]), [exp(-1)], 1e-7)
    @test near(run(FMU("Dahlquist$v.fmu", kind = :me, k = 2.0), 1.0, names = ["x"]), [exp(-2)], 1e-7)
    @test near(run(FMU("Dahlquist$v.fmu", kind = :cs), 1.0, names = ["x"]), [0.9^10], 1e-12)
    # Van der Pol's oscillator; the same equations in Segue.
    twin = @instantiateModel(Model(x = Var(init = 2.0), y = Var(init = 0.0),
                                   equations = :[der(x) = y; der(y) = (1 - x^2)*y - x]), unitless = true)
    simulate!(twin, stopTime = 10.0, tolerance = 1e-10)
    @test near(run(FMU("VanDerPol$v.fmu", kind = :me), 10.0, names = ["x0", "x1"]),
               [getLastValue(twin, "x"), getLastValue(twin, "y")], 1e-6)
    @test near(run(FMU("VanDerPol$v.fmu", kind = :cs), 10.0, names = ["x0", "x1"]), [-2.02638072537986, -0.06794237294922], 1e-9)
    for kind in (:me, :cs)
        @test near(run(FMU("Stair$v.fmu", kind = kind), 5.5, names = ["counter"]), [6], 1e-12)
        @test near(run(FMU("Resource$v.fmu", kind = kind), 1.0, names = ["y"]), [97], 1e-12)
    end
    # What comes out is what goes in; events of the inputs are events of the FMU. In co-simulation continuous ones are
    # as they were extrapolated to the middle of the last step.
    for kind in (:me, :cs)
        f = v == "2" ? FMU("Feedthrough$v.fmu", kind = kind, Enumeration_input = 2) :
            FMU("Feedthrough$v.fmu", kind = kind, Enumeration_input = 2, Float32_continuous_input = 0.5, Float32_discrete_input = 0.25,
                Int8_input = -128, UInt8_input = 255, Int16_input = -32768, UInt16_input = 65535, UInt32_input = 4294967295,
                Int64_input = -5, UInt64_input = 6)
        names = ["Float64_continuous_output", "Float64_discrete_output", "Int32_output", "Boolean_output", "Enumeration_output"]
        inputs = :[f.Float64_continuous_input = 3.0*time
                   f.Float64_discrete_input = if time > 1.0; 2.0 else 1.0 end
                   f.Int32_input = if time > 0.5; 7 else 3 end
                   f.Boolean_input = if time > 0.25; 1 else 0 end]
        out = run(f, 2.0, names = names, equations = inputs)
        @test near(out, [6.0, 2.0, 7.0, 1.0, 2.0], kind == :me ? 1e-12 : 0.16)
        @test near(out[2:end], [2.0, 7.0, 1.0, 2.0], 1e-12)
        if v == "3"
            more = ["Float32_continuous_output", "Float32_discrete_output", "Int8_output", "UInt8_output", "Int16_output",
                    "UInt16_output", "UInt32_output", "Int64_output", "UInt64_output"]
            @test near(run(f, 2.0, names = more, equations = inputs), [0.5, 0.25, -128, 255, -32768, 65535, 4294967295, -5, 6], 1e-12)
        end
    end
end

# Arrays: x' = x + u, y = x + u.
for (kind, expected, tolerance) in ((:me, exp(1.0), 1e-7), (:cs, 2.7169239322358925, 1e-9))
    m = @instantiateModel(Model(f = FMU("StateSpace3.fmu", kind = kind), equations = :[f.u = [1.0, 2.0, 3.0]]), unitless = true)
    simulate!(m, stopTime = 1.0, tolerance = 1e-9)
    @test near(getLastValue(m, "f.y"), expected*[1.0, 2.0, 3.0], 3*tolerance)
end

# Robertson's problem; values of the literature at 40 s. Its co-simulation takes a hundred steps a millisecond, so a short time.
@test near(run(FMU("Roberts3.fmu", kind = :me), 40.0, names = ["y1", "y2", "y3"]), [0.7158270688, 9.185534765e-6, 0.2841637457], 1e-6)
@test near(run(FMU("Roberts3.fmu", kind = :cs), 0.01, names = ["y1"]), [1.0], 1e-3)

# Units: the ball falls in meters.
sum = @instantiateModel(Model(f = FMU("BouncingBall3.fmu"), c = Var(), equations = :[c = f.h + 500.0u"mm"]))
simulate!(sum, stopTime = 0.4, tolerance = 1e-9)
@test abs(getLastValue(sum, "c") - 0.7152u"m") < 1e-7u"m"
# ... and values of other units are converted.
low = @instantiateModel(Model(f = FMU("BouncingBall3.fmu", g = -10.0u"ft/s^2", start = Map(h = 200.0u"cm")), c = Var(), equations = :[c = f.h]))
simulate!(low, stopTime = 0.4, tolerance = 1e-9)
@test abs(getLastValue(low, "c") - (2.0 - 3.048/2*0.16)*u"m") < 1e-7u"m"
