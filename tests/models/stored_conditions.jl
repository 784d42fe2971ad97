# A stored point never contradicts its condition: what an equation calls true where its result says so is true for the values
# stored beside it. Conditions of time, of states and of both, behind systems of equations and functions, with every solver,
# loose and tight, results coarse and fine; times at which something switches have two points, one for each side.
using Modia
using Test

solvers = [CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), DP5(), Vern8(), BS3(), ARKODE(), TRBDF2(), Rodas5P(), KenCarp4(), RK4()]

slow(x) = begin # a loop: nobody knows its inside
    s = 0.0
    for k in 1:3
        s = s + x/3.0
    end
    return s
end

# `g` is what the condition asks for, `c` what it gave.
Cases = [
    ("pulses of time", Model(x = Var(init = 0.0), equations = :[g = sin(2*pi*time/0.173) - 0.9; c = g > 0.0; der(x) = if c; 1.0 else 0.0 end])),
    ("short pulses", Model(x = Var(init = 0.0), equations = :[g = cos(40.0*time) - 0.999; c = g > 0.0; der(x) = if c; 1.0 else -0.01*x end])),
    ("beats", Model(x = Var(init = 0.0), equations = :[g = sin(7.0*time)*sin(7.7*time) - 0.5; c = g > 0.0; der(x) = -x + (if c; 1.0 else 0.0 end)])),
    ("a state that nobody feels", Model(x = Var(init = 0.0), v = Var(init = 12.0), n = Var(init = 0.0), equations = :[
        der(x) = v; der(v) = -144.0*x; g = x - 0.95; c = g > 0.0; der(n) = if c; 1.0 else 0.0 end])),
    ("a relay", Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[
        der(x) = v; der(v) = (if c; -3.0 else 5.0 end) - 0.1*v; g = x - 0.2; c = g > 0.0])),
    ("state against time", Model(x = Var(init = 0.0), n = Var(init = 0.0), equations = :[
        der(x) = cos(time); g = x - sin(9.0*time); c = g > 0.0; der(n) = if c; 1.0 else 0.5 end])),
    ("a product of states", Model(x = Var(init = 1.0), y = Var(init = 0.0), n = Var(init = 0.0), equations = :[
        der(x) = 3.0*y; der(y) = -3.0*x; g = x*y - 0.4; c = g > 0.0; der(n) = if c; 1.0 else 0.0 end])),
    ("behind a linear system", Model(x = Var(init = 0.0), a = Var(start = 0.0), b = Var(start = 0.0), R = 2.0, equations = :[
        R*a + b = sin(5.0*time); a - 3.0*b = x; der(x) = (if c; -1.0 else 1.0 end)*0.3; g = a - 0.1; c = g > 0.0])),
    ("behind a nonlinear system", Model(x = Var(init = 0.0), q = Var(start = 0.1), equations = :[
        q + q^3 = sin(6.0*time) + x; der(x) = if c; -0.2 else 0.1 end; g = q - 0.3; c = g > 0.0])),
    ("behind a function", Model(x = Var(init = 0.0), n = Var(init = 0.0), equations = :[
        der(x) = 2.0*cos(2.0*time); g = slow(x) - 0.8; c = g > 0.0; der(n) = if c; 1.0 else 0.0 end])),
    ("a tie at the start", Model(x = Var(init = 0.0), n = Var(init = 0.0), equations = :[
        der(x) = cos(3.0*time); g = x; c = g > 0.0; der(n) = if c; 1.0 else 0.0 end])),
    ("tiny", Model(x = Var(init = 0.0), v = Var(init = 3.0e-9), n = Var(init = 0.0), equations = :[
        der(x) = v; der(v) = -9.0*x; g = x - 0.4e-9; c = g > 0.0; der(n) = if c; 1.0 else 0.0 end])),
]

# Points where the condition and its argument disagree by more than what an event is located to.
function contradictions(m, scale)
    g, c = getValues(m, "g"), getValues(m, "c")
    size = maximum(abs.(g))
    return count(k -> (g[k] > scale*size && c[k] < 0.5) || (g[k] < -scale*size && c[k] > 0.5), 1:length(g))
end

global n_runs, n_points = 0, 0
for (name, model) in Cases
    m = @instantiateModel(model, unitless = true)
    for s in solvers, tolerance in [1e-3, 1e-6], interval in [0.5, 0.0071]
        simulate!(m, s, stopTime = 4.0, tolerance = tolerance, interval = interval)
        bad = contradictions(m, 1e-9)
        global n_runs += 1
        global n_points += length(getValues(m, "c"))
        bad == 0 || println(name, ", ", s, ", ", tolerance, ", ", interval, ": ", bad, " points")
        @test bad == 0
        c = getValues(m, "c")
        @test minimum(c) < 0.5 && maximum(c) > 0.5
    end
end

# Levels: floor, and where in its period time is.
Levels = Model(x = Var(init = 0.0), equations = :[der(x) = 2.0*cos(4.0*time); k = floor(7.0*x); p = mod(time, 0.37); half = p > 0.185])
levels = @instantiateModel(Levels, unitless = true)
for s in solvers, tolerance in [1e-3, 1e-6], interval in [0.5, 0.0071]
    simulate!(levels, s, stopTime = 4.0, tolerance = tolerance, interval = interval)
    x, k, p, half = [getValues(levels, name) for name in ["x", "k", "p", "half"]]
    global n_runs += 1
    global n_points += length(k)
    @test all(j -> k[j] - 1e-8 <= 7.0*x[j] <= k[j] + 1.0 + 1e-8, 1:length(k))
    @test all(j -> abs(p[j] - 0.185) < 1e-8 || (p[j] > 0.185) == (half[j] > 0.5), 1:length(k))
end
@test n_points > 100000
println(n_runs, " runs, ", n_points, " points")
