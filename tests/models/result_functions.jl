# What a script asks of a result: fresh from a run, and loaded from a file.
using Modia
using Test

Oscillator = Model(
    k = 4.0, r0 = [1.0, 0.0],
    r = Var(init = [1.0, 0.0]), v = Var(init = [0.0, 1.0]),
    equations = :[
        der(r) = v
        der(v) = -k*r
        s = r[1] + r[2]
    ]
)
oscillator = @instantiateModel(Oscillator)
simulate!(oscillator, stopTime = 1.0, interval = 0.1, tolerance = 1e-8)
writeSignalTable("oscillator.json", oscillator)

for result in [oscillator, readSignalTable("oscillator.json")]
    @test length(getValues(result, "time")) == 11
    @test size(getValues(result, "r")) == (11, 2)
    @test abs(getLastValue(result, "r")[1] - cos(2.0)) < 1e-6
    @test abs(getLastValue(result, "s") - (cos(2.0) + 0.5*sin(2.0))) < 1e-6
    @test getValue(result, "k") == 4.0
    @test hasSignal(result, "r") && !hasSignal(result, "q")
    names = getSignalNames(result)
    @test names[1] == "_attributes" && names[2] == "time"
    @test "s" in names && "k" in names && "der(r)" in names
    flat = getFlattenedSignal(result, "r[2:2]")
    @test flat[:legend] == ["r[2]"]
    @test size(flat[:flattenedValues]) == (11, 1)
    (x, xLegend, y, yLegend) = getPlotSignal(result, "r")
    @test length(x) == 11 && xLegend == "time [s]" && yLegend == ["r[1]", "r[2]"]
    @test y[1, 1] == 1.0
    @test_throws Exception getValues(result, "rr")
    # Elements: one is a vector over time and a number at the end, a range keeps its dimension.
    all = getValues(result, "r")
    @test getValues(result, "r[2]") == all[:, 2] && getValues(result, "der(r)[1]") == getValues(result, "v[1]")
    @test size(getValues(result, "r[2:2]")) == (11, 1) && getValues(result, "r[1:2]") == all
    @test getLastValue(result, "r[2]") == all[end, 2] && getLastValue(result, "r[1:2]") == all[end, :]
    @test_throws Exception getValues(result, "r[3]")
    @test_throws Exception getLastValue(result, "q[1]")
    @test hasSignal(result, "r[2]") && hasSignal(result, "r[1:2]") && hasSignal(result, "der(v)[1]") && hasSignal(result, "r0[2]")
    @test !hasSignal(result, "r[3]") && !hasSignal(result, "r[0]") && !hasSignal(result, "s[1]") && !hasSignal(result, "q[1]")
    @test get_result(result, "r[2]") == all[:, 2] && get_result(result, "r[1:2]") == all
    @test_throws Exception get_result(result, "r[3]")
    table = get_result(result)
    @test table[3, "r[2]"] == all[3, 2] && table[2:4, "r[2]"] == all[2:4, 2]
    @test table[1:2, ["time", "r[1]"]][2, "r[1]"] == all[2, 1]
    @test_throws Exception table[1, "r[3]"]
    @test getSignal(result, "r[2]")[:values] == all[:, 2]
    @test getSignalInfo(result, "r[2]")[:_size] == (11,) && getSignalInfo(result, "r[1:2]")[:_size] == (11, 2)
    @test getValue(result, "r0[1]") == 1.0 && getLastValue(result, "r0[1:2]") == [1.0, 0.0]
    @test_throws Exception getValue(result, "r[1]")
    @test_throws Exception getValue(result, "r0[3]")
end
@test getStateNames(oscillator) == ["r", "v"] || getStateNames(oscillator) == ["v", "r"]
@test get_xNames(oscillator)[1] in ["r[1]", "v[1]"]
@test getParameter(oscillator, "k") == 4.0
@test ismissing(getParameter(oscillator, "nothing.here"))
@test hasParameter(oscillator, "k")
