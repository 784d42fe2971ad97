# Problems of many kinds, each against a closed form or a number of SciPy (DOP853 or Radau at 1e-11): scales from 1e-15 to 1e12,
# chains and grids with coefficients over eight decades, roots far from their start, laws with kinks, friction, switches.
module VariedProblems

using Modia
using Test

function solved(model, solver = CVODE_BDF(); arguments...)
    m = @instantiateModel(model, unitless = true)
    simulate!(m, solver; arguments...)
    m
end
last(m, name) = getLastValue(m, name)
near(x, y; tolerance = 1e-6) = isapprox(x, y, rtol = tolerance, atol = 1e-300)

# Chains c*x[i] = x[i-1] + x[i+1] with ends at 2: x[i] is a sum of powers of both roots of r^2 - c*r + 1.
chain(n, c) = Model(z = Var(init = 0.0), equations = Expr(:vcat, :(u = 1.0 + time), :($c*x1 = u + x2),
    [:($c*$(Symbol("x$i")) = $(Symbol("x$(i - 1)")) + $(Symbol("x$(i + 1)"))) for i in 2:n-1]...,
    :($c*$(Symbol("x$n")) = $(Symbol("x$(n - 1)")) + u), :(der(z) = x1)))
for (n, c) in [(35, 3.0), (60, 2.1), (100, 2.5), (250, 2.01)]
    m = solved(chain(n, c), stopTime = 1.0)
    r = (c - sqrt(c^2 - 4.0))/2.0
    exact(i) = 2.0*(r^i + r^(n + 1 - i))/(1.0 + r^(n + 1))
    @test all([near(last(m, "x$i"), exact(i), tolerance = 1e-9) for i in [1, 2, div(n, 2), n]])
    @test near(last(m, "z"), 0.75*exact(1))
end

# Roots of scalar equations, far from zero in one way or the other.
root(equation; start = 0.0) = last(solved(Model(z = Var(init = 0.0), x = Var(start = start), equations = Expr(:vcat, equation, :(der(z) = 0.0*x))),
                                          stopTime = 1.0), "x")
@test near(root(:(x*exp(x) = 1e6 + time)), 11.383359005386056, tolerance = 1e-9)
@test near(root(:(x - 0.999*sin(x) = 0.3 + time)), 2.140967034632248, tolerance = 1e-9)
@test near(root(:(1e-30*x^3 + 1e-18*x = 2e-6 + 1e-6*time)), 144222645.8264932, tolerance = 1e-9)
@test near(root(:((x - 1)^3 = (1.0 + time)^3), start = 3.0), 3.0, tolerance = 1e-7)
f = root(:(1/sqrt(x) = -2*log10(1e-4/3.7 + 2.51/(1e5*sqrt(x))) + 0*time), start = 0.02)
@test abs(1/sqrt(f) + 2*log10(1e-4/3.7 + 2.51/(1e5*sqrt(f)))) < 1e-9

# The same motion in units a trillion times smaller or larger.
for size in [1e-12, 1.0, 1e12]
    m = solved(Model(x = Var(init = size, nominal = size), v = Var(init = 0.0, nominal = size), equations = :[der(x) = v; der(v) = -x]),
               stopTime = 3.0, tolerance = 1e-9)
    @test near(last(m, "x"), size*cos(3.0)) && near(last(m, "v"), -size*sin(3.0))
end

# Friction brings a block to rest; one driven block drags another.
m = solved(Model(x = Var(init = 0.0), v = Var(init = 3.0), equations = :[der(x) = v; der(v) = -0.7*9.81*sign(v)]), stopTime = 3.0, tolerance = 1e-8)
@test near(last(m, "x"), 9.0/(2*0.7*9.81)) && abs(last(m, "v")) < 1e-8

# A thermostat with hysteresis: phases of exponentials, put together by hand.
function thermostat(stop)
    (t, T, on) = (0.0, 18.0, true)
    while true
        (target, limit) = on ? (30.0, 21.0) : (10.0, 19.0)
        phase = -2.0*log((limit - target)/(T - target))
        if t + phase >= stop
            return target + (T - target)*exp(-(stop - t)/2.0)
        end
        (t, T, on) = (t + phase, limit, !on)
    end
end
m = solved(Model(T = Var(init = 18.0), on = Var(start = true), equations = :[
    2*der(T) = (if on; 30.0 else 10.0 end) - T
    on = if T > 21.0; false elseif T < 19.0; true else pre(on) end]), stopTime = 5.0, tolerance = 1e-9)
@test near(last(m, "T"), thermostat(5.0))

# Pulses by mod, a mass matrix, a derivative that is not solved for, a mass that is the state.
m = solved(Model(x = Var(init = 0.0), equations = :[der(x) = -x + (if mod(time, 0.5) < 0.2; 1.0 else 0.0 end)]), stopTime = 3.3, tolerance = 1e-9)
@test near(last(m, "x"), sum(exp(-(3.3 - min(0.5*k + 0.2, 3.3))) - exp(-(3.3 - 0.5*k)) for k in 0:6))
m = solved(Model(x = Var(init = 1.0), equations = :[x*der(x) = 1.0]), stopTime = 4.0, tolerance = 1e-9)
@test near(last(m, "x"), 3.0)
m = solved(Model(x = Var(init = 1.0), d = Var(start = -0.5), equations = :[d = der(x); d^3 + d + x = 0.0]), stopTime = 2.0, tolerance = 1e-9)
@test near(last(m, "x"), 0.18267338947356335)

# An initial equation of second degree, and a steady state that two equations share.
m = solved(Model(x = Var(start = 1.0), v = Var(start = 0.0), initialEquations = :[x^2 + v^2 = 4.0; x = v], equations = :[der(x) = v; der(v) = -x]),
           stopTime = pi/4, tolerance = 1e-9)
@test near(last(m, "x"), 2.0) && abs(last(m, "v")) < 1e-6
m = solved(Model(x = Var(start = 1.0, steady = true), y = Var(start = 1.0, steady = true), equations = :[der(x) = 3.0 - x*y; der(y) = x - 2*y]),
           stopTime = 1.0)
@test near(last(m, "x"), sqrt(6.0)) && near(last(m, "y"), sqrt(1.5))

end
