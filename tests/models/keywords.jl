# Every keyword of @instantiateModel and simulate!, the solution that it returns, tables of results,
# keywords of one's own, single precision.
using Modia

Lag = Model(
    T = 0.5u"s", x = Var(init = 1.0u"m"), v = Var(init = [1.0, 2.0]),
    equations = :[
        T*der(x) = -x
        T*der(v) = -v
        y = 2*x
    ]
)
lag = @instantiateModel(Lag, unitless = false, aliasReduction = true, evaluateParameters = true,
                        saveCodeOnFile = "lag_code.txt", log = false, logModel = false, logDetails = false,
                        logStateSelection = false, logCode = false, logExecution = false,
                        logCalculations = false, logTiming = false, logFile = false, FloatType = Float64)
solution = simulate!(lag, Tsit5(), startTime = 1.0, stopTime = 0.05u"minute", tolerance = 1e-8, interval = 0.5,
                     interp_points = 1, dtmax = 0.1, adaptive = true, nlinearMinForDAE = 5, log = false,
                     logStates = false, logEvents = false, logProgress = false, logTiming = false,
                     logParameters = false, logEvaluatedParameters = false, merge = Map(T = 1.0u"s"),
                     requiredFinalStates = [exp(-2), exp(-2), 2*exp(-2)], requiredFinalStates_rtol = 1e-6,
                     requiredFinalStates_atol = 0.0, useRecursiveFactorizationUptoSize = 500)
@test solution.t == [1.0, 1.5, 2.0, 2.5, 3.0]
@test length(solution.u) == 5 && solution.u[1] == [1.0, 1.0, 2.0]
@test isapprox(solution.u[end], [exp(-2), exp(-2), 2*exp(-2)], rtol = 1e-7)
@test solution.retcode == :Success

# Tables.
table = get_result(lag)
@test table[2, "time"] == 1.5u"s"
@test table[1:2, "y"] == [2.0u"m", 2*getValues(lag, "x")[2]*u"m"]
@test size(table[1:3, "v"]) == (3, 2)
sub = table[2:4, ["time", "y"]]
@test sub[1, "time"] == 1.5u"s" && length(sub) == 3
@test table[:, "x"] == getValuesWithUnit(lag, "x")
@test table.y == getValuesWithUnit(lag, "y")
states = get_result(lag, onlyStates = true, extraNames = ["y"])
@test states[1, "x"] == 1.0u"m" && states[1, "y"] == 2.0u"m"
@test_throws ArgumentError states[1, "der(x)"]
@test get_result(lag, "y", unit = false) == getValues(lag, "y")
@test get_result(lag, "y")[1] == 2.0u"m"
@test get_result(lag, "time", unit = false) == solution.t

# What is known of a signal.
info = getSignalInfo(lag, "v")
@test info[:_size] == (5, 2) && info[:_eltypeOrType] == Float64 && info[:start] == [1.0, 2.0]
@test info[:state] && info[:fixed] && info[:der] == "der(v)"
@test getSignal(lag, "der(v)")[:unit] == "s^-1" && getSignal(lag, "der(x)")[:unit] == "m*s^-1"
@test signalNames(lag) == getSignalNames(lag) && timeSignalName(lag) == "time" && hasOneTimeSignal(lag)

# Keywords that components want to see.
registerExtraSimulateKeywordArguments([:gravity, :verbose])
simulate!(lag, stopTime = 0.1, gravity = 9.81)
@test get_extraSimulateKeywordArgumentsDict(lag)[:gravity] == 9.81
@test !haskey(get_extraSimulateKeywordArgumentsDict(lag), :verbose)
registerExtraSimulateKeywordArguments([])
simulate!(lag, stopTime = 0.1)

# A run of no length is one point; times may be negative.
@test simulate!(lag, stopTime = 0.0).t == [0.0]
@test simulate!(lag, startTime = -1.0, stopTime = 1.0, interval = 1.0).t == [-1.0, 0.0, 1.0]
# The stop time is a point although the grid does not hit it.
@test simulate!(lag, stopTime = 1.0, interval = 0.3).t == [0.0, 0.3, 2*0.3, 3*0.3, 1.0]

# Float32: computed in double, results are rounded.
single = @instantiateModel(Lag, FloatType = Float32)
simulate!(single, stopTime = 1.0, tolerance = 2e-5)
x = getValues(single, "x")
@test all([Float64(Float32(xi)) == xi for xi in x])
@test isapprox(getLastValue(single, "x", unit = false), exp(-2), rtol = 1e-3)
