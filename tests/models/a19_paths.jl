# Scenario A19: a point-to-point path through four rows of three angles.
using Modia
using Test

path = PTP_path(["angle1", "angle2", "angle3"],
                positions = [0.0 2.0 3.0; 0.5 3.0 4.0; 0.8 1.5 0.3; 0.2 1.5 0.8],
                startTime = 0.1u"s", v_max = 2*ones(3), a_max = 3*ones(3))
q = zeros(3)
qd = zeros(3)
qdd = zeros(3)
getPosition!(path, 0.5, q)
@test isapprox(q, [0.12, 2.24, 3.24])
getPosition!(path, 2.0, q, qd, qdd)
@test isapprox(q, [0.5668053, 2.6659734, 3.1760677], rtol = 1e-7)
@test isapprox(qd, [0.1621622, -0.8108108, -2.0], rtol = 1e-6)
@test getIndex(path, "angle2") == 2
@test isapprox(getPosition(path, 2, 1.0), 2.9026915, rtol = 1e-7)
@test isapprox(pathEndTime(path), 4.6657944, rtol = 1e-7)
@test path.Tend == pathEndTime(path)

# The path as a table, and drawn.
table = getPath(path, ntime = 11, tend = 2.0)
@test getValues(table, "time") == [2.0*i/10 for i in 0:10]
@test isapprox(getValues(table, "angle3")[end], q[3]) && isapprox(getValues(table, "der(angle3)")[end], qd[3])
@test isapprox(getValues(table, "der2(angle3)")[end], qdd[3], atol = 1e-12)
@test !hasSignal(getPath(path, onlyPositions = true), "der(angle1)")
@test length(getValues(getPath(path), "time")) == 101
@test isapprox(getValues(getPath(path), "time")[end], 1.1*path.Tend)
@test getSignalNames(getPath(path, names = ["angle2"], onlyPositions = true), getMap = false) == ["time", "angle2"]
@test_throws KeyError getPath(path, names = ["angle9"])
plotPath(path, plot)
plotPath(path, plot, names = ["angle1", "angle3"], heading = "Two angles", figure = 2, ntime = 51, onlyPositions = false)
typed = PTP_path{Float64}(["a"], positions = [0.0; 1.0;;], v_max = [1.0], a_max = [1.0])
@test pathEndTime(typed) == 2.0
