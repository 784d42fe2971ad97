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
