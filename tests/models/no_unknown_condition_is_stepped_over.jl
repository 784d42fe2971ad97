# Conditions behind something whose inside nobody knows: a system of equations, a function with a loop,
# a table. They are looked at in points, as close as their inputs and they themselves ask for.
using Modia
using Test
using Interpolations

solvers = (CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), TRBDF2())

function contradictions(model)
    z = getValues(model, "z")
    u = getValues(model, "u")
    sum((z .> 1e-6) .& (u .< 0.5)) + sum((z .< -1e-6) .& (u .> 0.5))
end

# A peak detector for 50 Hz: the diode is a mixed system, and its load takes 100 s to discharge. While
# the diode blocks, no derivative feels the source.
Detector = Model(v = Var(init = 0.0), z = Var(start = 0.0), equations = :[
    p = positive(z)
    u = if p; 1.0 else 0.0 end
    10*sin(2*pi*50*time) = z*(1 - u) + 0.5*z*u + v
    1e-3*der(v) = z*u - v/1e5])
detector = @instantiateModel(Detector, unitless = true)
for solver in solvers, tolerance in (1e-3, 1e-6)
    simulate!(detector, solver, stopTime = 2.0, tolerance = tolerance, interval = 5e-4)
    @test contradictions(detector) == 0
    @test 9.97 < getLastValue(detector, "v") < 10.0
end

# sin(w) + sin(2w) + sin(3w) > 2 holds for 9.20252 of 100 s.
function series(w)
    y = 0.0
    k = 1
    while k*k < 10 + 0*w
        y = y + sin(k*w)
        k = k + 1
    end
    return y
end
Series = Model(E = Var(init = 0.0), equations = :[
    z = series(20*time) - 2.0
    u = if z > 0; 1.0 else 0.0 end
    der(E) = u])
loop = @instantiateModel(Series, unitless = true)

# Light of a day from a table; each day has as much of it as the first one.
light = CubicSplineInterpolation(0.0:1.0:24.0, [0.0, 0, 0, 0, 0, 0, 0, 1, 3, 5, 7, 8, 8.2, 8, 7, 5,
                                                3, 1, 0, 0, 0, 0, 0, 0, 0])
Days = Model(E = Var(init = 0.0), light = light, equations = :[
    z = light(mod(time, 24.0)) - 7.5
    u = if z > 0; 1.0 else 0.0 end
    der(E) = u])
days = @instantiateModel(Days, unitless = true)
simulate!(days, stopTime = 24.0, dtmax = 0.01)
one_day = getLastValue(days, "E")
@test 3.0 < one_day < 3.5
for solver in solvers, tolerance in (1e-3, 1e-6)
    simulate!(loop, solver, stopTime = 100.0, tolerance = tolerance)
    @test contradictions(loop) == 0
    @test isapprox(getLastValue(loop, "E"), 9.20252, rtol = 1e-4)
    simulate!(days, solver, stopTime = 2400.0, tolerance = tolerance)
    @test contradictions(days) == 0
    @test isapprox(getLastValue(days, "E"), 100*one_day, rtol = 1e-4)
end
