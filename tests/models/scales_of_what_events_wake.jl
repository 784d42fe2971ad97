# What begins at zero and what events wake, in small units. The first stretch is right whatever the tolerance, since a method of high
# order is exact there, or since nothing has moved; what follows the first event is not. Each model gives the numbers that it gives in
# units of one, and so do conditions: a counter of 3 or 112 instead of 16, a spring 1e11 times as far away, and conditions that were
# held for ever ended with status 0 before.
module ScalesOfWhatEventsWake

using Modia
using Test

# 16 pulses of a sine that is integrated: sin(100 t) above a half
Pulses = Model(U = 1.0, x = Var(init = 0.0), k = Var(start = 0), equations = :[
    up = x > 0.5*U
    der(x) = 100*U*cos(100*time)
    k = if edge(up); pre(k) + 1 else pre(k) end
    n = k])
# falls on a stiff spring with a damper
Landing = Model(U = 1.0, h = Var(init = 0.0), v = Var(init = 0.0), equations = :[
    der(h) = v
    der(v) = -20*U + (if h < -0.2*U; -1e4*(h + 0.2*U) - 10*v else 0.0 end)
    n = h/U])
# nothing moves until an event; then one state after another passes its threshold
Woken = Model(U = 1.0, x = Var(init = 0.0), y = Var(init = 0.0), z = Var(init = 0.0), equations = :[
    der(x) = ((if time < 0.11; 0.0 elseif time < 0.62; U else 0.0 end) - x)*20
    der(y) = if x > 0.5*U; 50*(U*sin(40*time) - y) else 0.0 end
    der(z) = if y > 0.3*U; -20*z + 30*x else -20*z end
    n = (y + z)/U])
# two peak detectors; both capacitors are empty, so that the source meets a state that never moved
Detector = Model(U = 1.0, v = Var(init = 0.0), w = Var(init = 0.0), equations = :[
    source = U*sin(60*time)
    der(v) = (if source > v; 200*(source - v) else 0.0*v end) - 5*v
    der(w) = (if v > w; 50*(v - w) else 0.0*w end) - 2*w
    n = w/U])
# a filter of four stages; a method of order two has no steps left to show how small the last one is
Filter = Model(U = 1.0, x = Var(init = zeros(4)), equations = :[
    s = if sin(50*time) > 0.3; U else -U end
    der(x) = [s - x[1]; x[1] - x[2]; x[2] - x[3]; x[3] - x[4]]*40
    n = x[4]/U])

solvers = (CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), DP8(), BS3(), Vern9(), TRBDF2(), Rodas5(), KenCarp4())
for (name, M, bound) in (("pulses", Pulses, 0.5), ("landing", Landing, 1e-5), ("woken", Woken, 1e-4), ("detector", Detector, 1e-4), ("filter", Filter, 1e-4))
    m = @instantiateModel(M, unitless = true)
    simulate!(m, Vern8(), stopTime = 1.0, tolerance = 1e-11)
    right = getLastValue(m, "n")
    for solver in solvers, U in (1e-8, 1e-12, 1e-20)
        simulate!(m, solver, stopTime = 1.0, tolerance = 1e-7, merge = Map(U = U))
        n = getLastValue(m, "n")
        if !(abs(n - right) < bound)
            println(name, ": ", n, " instead of ", right, " with ", solver, ", U = ", U)
        end
        @test abs(n - right) < bound
        @test getValues(m, "time")[end] == 1.0
    end
    simulate!(m, Vern8(), stopTime = 1.0, tolerance = 1e-11, merge = Map(U = 1.0))
end
end
