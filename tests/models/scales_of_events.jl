# Events at any scale: one set of models in units from 1e-20 to 1e20 and with times from 1e-15 s to 1e10 s. Each must switch as often,
# and at the same places, as with units of 1; each comes to its stop time. No model says how large it is (`nominal`). States that are no
# straight lines need an absolute tolerance, which simulate! gets.
module ScalesOfEvents

using Modia
using Test

# U is the unit of values, T that of time. What is compared are numbers without either.
Valve = Model(U = 1.0, T = 1.0, V = Var(init = 0.0), equations = :[
    full = V > 0.4*U
    der(V) = if full; 0.0 else U/T end
    n = V/U])
Factor = Model(U = 1.0, T = 1.0, x = Var(init = 0.0), z = Var(init = 0.0), equations = :[
    der(x) = 1.0/T
    der(z) = if U*(x - 0.5) > 0; 1.0/T else 0.0 end
    n = z])
Pulses = Model(U = 1.0, T = 1.0, q = Var(init = 0.0), equations = :[
    u = if mod(time, 0.1*T) < 0.04*T; U else 0.0*U end
    der(q) = u/T
    n = q/U])
Diode = Model(U = 1.0, T = 1.0, R = 1e9, q = Var(init = 0.0), s = Var(start = 0.0), equations = :[
    V = U*sin(2*pi*time/T)
    V = R*i + v
    on = s > 0
    v = if on; 0.0*s else s end
    i = if on; s else 0.0*s end
    der(q) = R*i/T
    n = q/U])
Comparator = Model(U = 1.0, T = 1.0, v = Var(init = 0.0), q = Var(init = 0.0), equations = :[
    0.25*T*der(v) = U - v
    der(q) = if v > 0.5*U; U/T else 0.0*U end
    n = q/U])
Thermostat = Model(U = 1.0, T = 1.0, x = Var(init = 0.0), on = Var(start = true), equations = :[
    on = if x > 0.05*U; false elseif x < -0.05*U; true else pre(on) end
    der(x) = if on; U/T else -U/T end
    n = x/U])
Friction = Model(U = 1.0, T = 1.0, x = Var(init = 0.0), v = Var(init = 1.0), equations = :[
    der(x) = v/T
    T*der(v) = 0.5*U - 3.0*U*sign(v)
    n = x/U])
Relay = Model(U = 1.0, T = 1.0, x = Var(init = 0.0), equations = :[
    der(x) = if x > 0.3*U; -2*U/T else U/T end
    n = x/U])
Ball = Model(U = 1.0, T = 1.0, h = Var(init = 1.0), v = Var(init = 0.0), equations = :[
    der(h) = v
    der(v) = -20.0*U/T^2
    hit = negative(h)
    jump = if edge(hit); reinit(v, -0.7*v) else false end
    n = h/U])
Sampled = Model(U = 1.0, T = 1.0, k = Var(start = 0.0), x = Var(init = 0.0), late = Var(init = 0.0), equations = :[
    tick = Clock(0.1*T)
    k = previous(k, tick) + U
    der(x) = hold(k, tick)/T
    der(late) = if after(0.55*T); U/T else 0.0*U end
    n = (x + late)/U])
Stairs = Model(U = 1.0, T = 1.0, x = Var(init = 0.0), q = Var(init = 0.0), equations = :[
    der(x) = U/T
    der(q) = floor(10*x/U)/T
    n = q])
Window = Model(U = 1.0, T = 1.0, q = Var(init = 0.0), equations = :[
    der(q) = if time > 0.3*T && time < 0.7*T; U/T else 0.0*U end
    n = q/U])
Swing = Model(U = 1.0, T = 1.0, x = Var(init = 1.0), v = Var(init = 0.0), k = Var(start = 0.0), equations = :[
    T*der(x) = v
    T*der(v) = -1000.0*x
    up = x > 0
    k = if edge(up); pre(k) + 1 else pre(k) end
    n = k])
Late = Model(U = 1.0, T = 1.0, x = Var(init = 0.0), on = Var(start = true), d = 0.02, equations = :[
    seen = delay(x, d)
    on = if seen > 0.05*U; false elseif seen < -0.05*U; true else pre(on) end
    der(x) = if on; U/T else -U/T end
    n = x/U])

triangle(top, t) = mod(t - top, 4*top) < 2*top ? top - mod(t - top, 4*top) : mod(t - top, 4*top) - 3*top
# Where the ball is at the end: bounces at t1, t1 + 2 v/g, ...
function bouncing(stop)
    (t, v) = (sqrt(0.1), 0.7*sqrt(40.0))
    while t + 2*v/20.0 < stop
        (t, v) = (t + 2*v/20.0, 0.7*v)
    end
    v*(stop - t) - 10.0*(stop - t)^2
end
# Model, what n is at the end, its events, start values in units, whether its states are curved.
cases = [(Valve, 0.4, 1, [], false), (Factor, 0.5, 1, [], false), (Pulses, 0.4, 20, [], false), (Diode, 1/pi, 2, [], true),
         (Comparator, 1.0 - 0.25*log(2), 1, [], true), (Thermostat, triangle(0.05, 1.0), 20, [], false),
         (Friction, 0.2, 1, [:v], true), (Relay, 0.3, 1, [], false), (Ball, bouncing(1.0), 4, [:h], true),
         (Sampled, 5.5 + 0.45, 11, [], false), (Stairs, 4.5, 9, [], false), (Window, 0.4, 2, [], false),
         (Swing, 5.0, 10, [:x], true), (Late, triangle(0.07, 1.0), 14, [:d], false)]
models = [@instantiateModel(c[1], unitless = true) for c in cases]

function at_scale(k, U, T, solver; tolerance = 1e-8, arguments...)
    (_, right, _, scaled, curved) = cases[k]
    m = models[k]
    values = Map(U = U, T = T)
    for name in scaled
        values = values | (name == :v ? Map(v = Var(init = U)) : name == :h ? Map(h = Var(init = U)) :
                           name == :x ? Map(x = Var(init = U)) : Map(d = 0.02*T))
    end
    if curved
        simulate!(m, solver; stopTime = T, tolerance = tolerance, atol = 0.1*tolerance*min(U, U/T), merge = values, arguments...)
    else
        simulate!(m, solver; stopTime = T, tolerance = tolerance, merge = values, arguments...)
    end
    times = getValues(m, "time")
    @test times[end] == T
    n = getLastValue(m, "n")
    if !(abs(n - right) < 1e-5)
        println("model $k, U = $U, T = $T, $solver: $n instead of $right")
    end
    @test abs(n - right) < 1e-5
    # Each event has two points of one time; two events may be at one, too, where time has no more digits.
    (i, events) = (2, 0)
    while i <= length(times)
        pair = times[i] == times[i - 1]
        events += pair
        i += pair ? 2 : 1
    end
    events
end

# cli/scales_far_and_wide.sh puts more of both here.
scales = [(1.0, 1.0), (1e-20, 1e-15), (1e20, 1e10), (1e-11, 1e-9)]
solvers = [CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), Vern8(), BS3(), ARKODE(), TRBDF2(), Rodas5P(), KenCarp4()]
for (k, c) in enumerate(cases), solver in solvers, (U, T) in scales
    n = at_scale(k, U, T, solver)
    if n != c[3]
        println("model $k, U = $U, T = $T, $solver: $n events, not $(c[3])")
    end
    @test n == c[3]
end
end
