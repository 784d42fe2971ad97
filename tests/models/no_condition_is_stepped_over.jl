# Conditions that are fast beside the steps of the method: of time, of states, of both. How often each
# of them changes, and for how long it holds, was counted with closed forms of the arguments on a grid
# of twenty million points. Nobody here feels the condition but a counter and an integral, so that
# no method has a reason for short steps.
using Modia
using Test

Counter = Model(n = Var(start = 0), E = Var(init = 0.0), equations = :[
    p = z > 0
    n = pre(n) + (if change(p); 1 else 0 end)
    u = if p; 1.0 else 0.0 end
    der(E) = u])

solvers = (CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), DP5(), Vern7(), TRBDF2(), KenCarp4())

# What depends on time alone is exact up to the hysteresis; states are known to their tolerance.
function count_all(name, Part, stop, n, E, of_time)
    model = @instantiateModel(Counter | Part, unitless = true)
    for solver in solvers, tolerance in (1e-3, 1e-4, 1e-6, 1e-9)
        simulate!(model, solver, stopTime = stop, tolerance = tolerance)
        found = getLastValue(model, "n")
        if found != n
            println(name, ": ", found, " changes instead of ", n, " with ", solver, ", ", tolerance)
        end
        @test found == n
        if !isapprox(getLastValue(model, "E"), E, rtol = of_time ? 2e-4 : 0.1)
            println(name, ": ", getLastValue(model, "E"), " s instead of ", E, " with ", solver, ", ", tolerance)
        end
        @test isapprox(getLastValue(model, "E"), E, rtol = of_time ? 2e-4 : 0.1)
        # No stored point contradicts its condition.
        z = getValues(model, "z")
        u = getValues(model, "u")
        @test sum((z .> 1e-6) .& (u .< 0.5)) + sum((z .< -1e-6) .& (u .> 0.5)) == 0
    end
end

# Time alone.
count_all("sun", Model(equations = :[
        z = sin(2*pi*time/86400) - 0.5]),
    864000.0, 20, 288000, true)
count_all("mains", Model(equations = :[
        z = sin(2*pi*50*time)]),
    2.01, 201, 1.01, true)
count_all("narrow", Model(equations = :[
        z = cos(2*pi*time) - 0.999]),
    20.5, 41, 0.291846966828, true)
count_all("very narrow", Model(equations = :[
        z = sin(2*pi*(time - 0.3)) - 0.99999999]),
    5.0, 10, 0.000225079077754, true)
count_all("beat", Model(equations = :[
        z = sin(40*time)*sin(41*time) - 0.98]),
    20.0, 56, 0.143171253217, true)
count_all("two sines", Model(equations = :[
        z = sin(30*time) + sin(30*sqrt(2)*time) - 1.95]),
    20.0, 36, 0.166739703279, true)
count_all("bell", Model(equations = :[
        z = exp(-((time - 7.3)/1e-3)^2) - 0.5]),
    10.0, 2, 0.00166510922231, true)
count_all("chirp", Model(equations = :[
        z = sin(time^3)]),
    8.0, 163, 4.62123420601, true)
count_all("log", Model(equations = :[
        z = sin(20*log(time + 0.01)) - 0.9]),
    10.0, 44, 1.63028520989, true)
count_all("absolute", Model(equations = :[
        z = 0.01 - abs(sin(7*time))]),
    10.0, 45, 0.0642867857625, true)
count_all("in pieces", Model(equations = :[
        z = (if time > 3.0; sin(50*time) else sin(10*time) end) - 0.95]),
    6.0, 58, 0.622418441411, true)
count_all("both sides", Model(equations = :[
        z = sin(9*time) - cos(13*time)]),
    10.0, 41, 4.93061185443, true)
count_all("tangent", Model(equations = :[
        z = atan(10*sin(5*time)) - 1.4]),
    10.0, 16, 3.04744768374, true)
count_all("power", Model(equations = :[
        z = sin(3*time)^8 - 0.9]),
    10.0, 19, 1.0772459001, true)
count_all("quotient", Model(equations = :[
        z = 1/(1.01 + sin(11*time)) - 50]),
    10.0, 34, 0.437485644821, true)
# States.
count_all("ramp in a sine", Model(x = Var(init = 0.0), equations = :[
        der(x) = 1.0
        z = sin(20*x) - 0.9]),
    10.0, 64, 1.44328579775, false)
count_all("square of a state", Model(x = Var(init = 0.0), equations = :[
        der(x) = 1.0
        z = 1e-6 - (x - 5.0)^2]),
    10.0, 2, 0.002, false)
count_all("a state in a bell", Model(x = Var(init = 0.0), equations = :[
        der(x) = 1.0
        z = exp(-1e6*(x - 2.7)^2) - 0.5]),
    10.0, 2, 0.00166510922232, false)
count_all("decay", Model(x = Var(init = 1.0), equations = :[
        der(x) = -x
        z = sin(30*x) - 0.9]),
    4.0, 10, 0.84765016319, false)
count_all("oscillator", Model(x = Var(init = 0.0), v = Var(init = 1.0), equations = :[
        der(x) = v
        der(v) = -x
        z = x - 0.7]),
    12.0, 4, 3.18159532074, false)
count_all("phase of an oscillator", Model(x = Var(init = 0.0), v = Var(init = 1.0), equations = :[
        der(x) = v
        der(v) = -x
        z = sin(40*x) - 0.5]),
    1.2, 12, 0.385900606595, false)
count_all("ball below a lid", Model(x = Var(init = 0.0), v = Var(init = 10.0), equations = :[
        der(x) = v
        der(v) = -10.0
        z = x - 4.9]),
    2.0, 2, 0.282842712475, false)
count_all("product of states", Model(x = Var(init = 0.0), v = Var(init = 10.0), equations = :[
        der(x) = 1.0
        der(v) = -1.0
        z = x*v - 24.9999]),
    10.0, 2, 0.0199999999998, false)
count_all("wheel", Model(x = Var(init = 0.0), equations = :[
        der(x) = 2.0
        z = mod(x, 1.0) - 0.99]),
    5.25, 20, 0.05, false)
count_all("steps", Model(x = Var(init = 0.0), equations = :[
        der(x) = 5.0
        z = floor(x) - 2*floor(x/2) - 0.5]),
    5.05, 25, 2.45, false)
# Both.
count_all("pulse width", Model(x = Var(init = 0.0), equations = :[
        der(x) = 0.1
        z = sin(60*time) - (0.8 + 0.1*x)]),
    10.0, 192, 1.76735911844, false)
count_all("time against a state", Model(x = Var(init = 0.0), equations = :[
        der(x) = 1.0 - x
        z = x + 0.1*sin(40*time) - 0.95]),
    2.9, 13, 0.361410339819, false)
count_all("moving target", Model(x = Var(init = 0.0), v = Var(init = 1.0), equations = :[
        der(x) = v
        der(v) = -x
        z = 0.05 - abs(x - sin(50*time))]),
    0.8, 26, 0.0288165285835, false)
count_all("modulated", Model(x = Var(init = 1.0), equations = :[
        der(x) = -0.1*x
        z = x*sin(80*time) - 0.5]),
    10.0, 178, 1.62142032355, false)
count_all("difference of phases", Model(x = Var(init = 0.0), equations = :[
        der(x) = 7.0
        z = sin(x)*cos(7.5*time) - 0.97]),
    30.0, 16, 0.250814099306, false)
