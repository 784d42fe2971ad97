# Conditions whose arguments come to zero exactly and stay there: limiters, dead zones, pieces. Zero is not positive, so `f > 0` is over and
# `f <= 0` begins, whatever is compared with what. x is a cosine of the amplitude U; how long each condition holds is known.
module ConditionsAtZero

using Modia
using Test

function sum_of(s)
    r = 0.0
    i = 0
    while i < 3
        r = r + max(s, 0.0*s)
        i = i + 1
    end
    return r
end

swing(U, condition) = Model(U = U, x = Var(init = U), v = Var(init = 0.0*U), q = Var(init = 0.0)) |
    Model(equations = :[der(x) = v; der(v) = -x; der(q) = if on; 1.0 else 0.0 end]) | Model(equations = condition)
third = acos(0.5)/pi
cases = [
    (:[on = max(x, 0*U) > 0*U], 0.5), (:[on = max(x, 0*U) <= 0*U], 0.5), (:[on = 0*U >= max(x, 0*U)], 0.5),
    (:[on = min(x, 0*U) < 0*U], 0.5), (:[on = min(x, 0*U) >= 0*U], 0.5), (:[on = 0*U > min(x, 0*U)], 0.5),
    (:[on = clamp(x, -U, 0.5*U) < 0.5*U], 1 - third), (:[on = clamp(x, -U, 0.5*U) >= 0.5*U], third),
    (:[on = max(x, 0.5*U) > 0.5*U], third), (:[on = max(x, v) > v], 0.5), (:[on = x + abs(x) > 0*U], 0.5),
    (:[f = if x > 0*U; x else 0*U end; on = f > 0*U], 0.5), (:[f = noEvent(if x > 0*U; x else 0*U end); on = f > 0*U], 0.5),
    (:[on = sum_of(x) > 0*U], 0.5), (:[2*a + b = max(x, 0*U); a = 3*b; on = b > 0*U], 0.5),
    (:[m = max.([x, 0.5*x], 0*U); on = sum(m) > 0*U], 0.5), (:[f = max(x, 0*U); on = delay(f, 0.1) > 0*U], 0.5),
    (:[on = if max(x, 0*U) > 0*U && max(-x, 0*U) <= 0*U; true else false end], 0.5)]
solvers = [CVODE_BDF(), Tsit5(), IDA(), Rodas5(), CVODE_Adams(), DP8()]
for (k, (condition, part)) in enumerate(cases), (j, U) in enumerate([1.0, 1e-20, 1e20, 1e-9])
    model = @instantiateModel(swing(U, condition), unitless = true)
    simulate!(model, solvers[mod(j + k, 6) + 1], stopTime = 4*pi, tolerance = 1e-7, interval = j == 4 ? 4*pi : 0.5)
    @test abs(getLastValue(model, "q")/(4*pi) - part) < 3e-5
end

# Time alone, through one long step after the other; and a valve that closes for good. The condition is what its argument says at the end.
Time = Model(q = Var(init = 0.0), equations = :[der(q) = if max(sin(2*pi*time), 0.0) > 0.0; 1.0 else 0.0 end])
Valve = Model(s = Var(init = 1.0), q = Var(init = 0.0), equations = :[
    der(s) = -1.0
    f = max(s, 0.0)
    on = f > 0.0
    der(q) = if on; 1.0 else 0.0 end])
for s in solvers
    model = @instantiateModel(Time, unitless = true)
    simulate!(model, s, stopTime = 100.0, interval = 50.0)
    @test abs(getLastValue(model, "q") - 50.0) < 1e-9
    model = @instantiateModel(Valve, unitless = true)
    simulate!(model, s, stopTime = 3.0)
    @test abs(getLastValue(model, "q") - 1.0) < 1e-9
    @test getLastValue(model, "on") == false
end

# It begins at zero, and leaves.
Begins = Model(s = Var(init = 0.0), q = Var(init = 0.0), equations = :[
    der(s) = 1.0
    der(q) = if max(s - 1.0, 0.0) <= 0.0; 1.0 else 0.0 end])
model = @instantiateModel(Begins, unitless = true)
simulate!(model, stopTime = 3.0)
@test abs(getLastValue(model, "q") - 1.0) < 1e-9

end
