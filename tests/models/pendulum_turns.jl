# Pendulums in Cartesian coordinates: no choice of states serves all the way round, so the states are
# chosen anew while the pendulum moves. Held to the period of a turn (elliptic integral by the
# arithmetic-geometric mean), to the energy, and to a twin in angles.
using Modia
using Test

function mean_of(a, b)
    while abs(a - b) > 1e-15
        a, b = (a + b)/2, sqrt(a*b)
    end
    return a
end

Turning = Model(L = 1.0, g = 9.81, m = 2.0,
                x = Var(init = 0.0), vx = Var(init = 8.0),
                y = Var(start = -1.0), vy = Var(start = 0.0), F = Var(start = 0.0),
                turns = Var(start = 0),
                equations = :[
                    vx = der(x)
                    vy = der(y)
                    m*der(vx) = -F*x
                    m*der(vy) = -F*y - m*g
                    x^2 + y^2 = L^2
                    energy = m/2*(vx^2 + vy^2) + m*g*y
                    right = positive(x)
                    turns = if edge(right); pre(turns) + 1 else pre(turns) end
                ])
turning = @instantiateModel(Turning, unitless = true)
v0, L, g, m = 8.0, 1.0, 9.81, 2.0
T = 2*pi*L/(v0*mean_of(1.0, sqrt(1 - 4*g*L/v0^2)))

E0 = m/2*v0^2 - m*g*L
errors = Float64[]
for tolerance in [1e-5, 1e-7, 1e-9]
    simulate!(turning, stopTime = 5*T, tolerance = tolerance)
    push!(errors, abs(getLastValue(turning, "x")))
    energy = getValues(turning, "energy")
    @test maximum(abs.(energy .- E0)) < 1e4*tolerance*abs(E0)
    r = getValues(turning, "x").^2 .+ getValues(turning, "y").^2
    @test maximum(abs.(r .- 1.0)) < 1e-9
end
@test errors[1] > errors[2] > errors[3]
@test errors[3] < 1e-5

# The memories of events go on with the other states: it passes the lowest point at 0, T, ..., 4*T.
simulate!(turning, stopTime = 4.5*T, tolerance = 1e-8)
@test getLastValue(turning, "turns") == 5
@test getLastValue(turning, "y") > 0.999

# The same with the constraint in a function.
square(x) = x^2
ByFunction = Turning | Map(equations = nothing, turns = nothing) | Model(equations = :[
    vx = der(x)
    vy = der(y)
    m*der(vx) = -F*x
    m*der(vy) = -F*y - m*g
    square(x) + square(y) = L^2
])
byFunction = @instantiateModel(ByFunction, unitless = true)
simulate!(byFunction, stopTime = 2*T, tolerance = 1e-9)
@test abs(getLastValue(byFunction, "x")) < 1e-5
@test isapprox(getLastValue(byFunction, "y"), -1.0, atol = 1e-9)

# Other solvers, and the names of the first states for the final ones.
for solver in [Tsit5(), IDA(), QBDF()]
    simulate!(turning, solver, stopTime = T, tolerance = 1e-7, requiredFinalStates = [8.0, 0.0],
              requiredFinalStates_atol = 0.02)
    @test abs(getLastValue(turning, "vx") - 8.0) < 1e-2
end

# The choice that the language would make is singular at the start: x = L leaves y undetermined.
period = 2*pi/sqrt(g)/mean_of(1.0, cos(pi/4))
simulate!(turning, stopTime = period, tolerance = 1e-8,
          merge = Map(x = 1.0, y = 0.0, vx = 0.0, vy = 0.0))
@test abs(getLastValue(turning, "x") - 1.0) < 1e-5
@test abs(getLastValue(turning, "y")) < 1e-3
simulate!(turning, stopTime = period/2, tolerance = 1e-8)
@test abs(getLastValue(turning, "x") + 1.0) < 1e-5

# Near the singular point an init value still holds, also if the guess for the other coordinate is
# rounded.
simulate!(turning, stopTime = 0.1, tolerance = 1e-8,
          merge = Map(x = 0.98, y = -0.19905, vx = 0.0, vy = 0.0))
@test getValues(turning, "x")[1] == 0.98
@test isapprox(getValues(turning, "y")[1], -sqrt(1 - 0.98^2), rtol = 1e-9)
simulate!(turning, stopTime = 0.1, tolerance = 1e-8,
          merge = Map(x = 1.0, y = 0.0, vx = 0.0, vy = 0.0))

# A linearization is that of the first states, y and vy here, also while others are in use:
# der(vy) = -y*vy^2/(1 - y^2) - g*(1 - y^2).
(A, x0) = linearize!(turning, stopTime = 0.7, tolerance = 1e-9)
@test getStateNames(turning) == ["vy", "y"]
v, y = x0[1], x0[2]
@test isapprox(y, getLastValue(turning, "y"), atol = 1e-12)
by_y = -v^2/(1 - y^2) - 2*y^2*v^2/(1 - y^2)^2 + 2*g*y
by_v = -2*y*v/(1 - y^2)
@test isapprox(A, [by_v by_y; 1.0 0.0], rtol = 1e-6)

# A double pendulum that tumbles, against the same one in angles.
Double = Model(g = 9.81, x1 = Var(init = 1.0), y1 = Var(start = 0.0),
               x2 = Var(init = 1.0), y2 = Var(start = 1.0),
               u1 = Var(init = 0.0), v1 = Var(start = 0.0), u2 = Var(init = 0.0), v2 = Var(start = 0.0),
               F1 = Var(start = 0.0), F2 = Var(start = 0.0),
               equations = :[
                   der(x1) = u1
                   der(y1) = v1
                   der(x2) = u2
                   der(y2) = v2
                   der(u1) = -F1*x1 + F2*(x2 - x1)
                   der(v1) = -F1*y1 + F2*(y2 - y1) - g
                   der(u2) = -F2*(x2 - x1)
                   der(v2) = -F2*(y2 - y1) - g
                   x1^2 + y1^2 = 1
                   (x2 - x1)^2 + (y2 - y1)^2 = 1
                   energy = (u1^2 + v1^2 + u2^2 + v2^2)/2 + g*(y1 + y2)
               ])
Angles = Model(g = 9.81, a = Var(init = pi/2), b = Var(init = float(pi)),
               wa = Var(init = 0.0), wb = Var(init = 0.0),
               equations = :[
                   der(a) = wa
                   der(b) = wb
                   2*der(wa) + cos(a - b)*der(wb) = -sin(a - b)*wb^2 - 2*g*sin(a)
                   cos(a - b)*der(wa) + der(wb) = sin(a - b)*wa^2 - g*sin(b)
               ])
double = @instantiateModel(Double, unitless = true)
angles = @instantiateModel(Angles, unitless = true)
simulate!(double, stopTime = 2.0, tolerance = 1e-10)
simulate!(angles, stopTime = 2.0, tolerance = 1e-10)
energy = getValues(double, "energy")
@test maximum(abs.(energy .- 9.81)) < 1e-4
@test abs(getLastValue(double, "x1") - sin(getLastValue(angles, "a"))) < 1e-4
@test abs(getLastValue(double, "y1") + cos(getLastValue(angles, "a"))) < 1e-4
@test abs(getLastValue(double, "x2") - sin(getLastValue(angles, "a")) - sin(getLastValue(angles, "b"))) < 1e-4

# What is no state is as exact as the states: every solver, at every tolerance, about as near to the
# solution as with the angle as state, although the constraint is solved for one coordinate or the other.
Angle = Model(g = 9.81, phi = Var(init = 0.0), w = Var(init = 8.0),
              equations = :[
                  der(phi) = w
                  der(w) = -g*sin(phi)
              ])
angle = @instantiateModel(Angle, unitless = true)
for speed in [6.0, 7.0, 8.0, 12.0]
    simulate!(angle, Tsit5(), stopTime = 1.0, tolerance = 1e-12, merge = Map(w = speed))
    right = sin(getLastValue(angle, "phi"))
    for solver in [CVODE_BDF(), IDA(), Tsit5(), DP5(), Rodas5(), KenCarp4()], tolerance in [1e-3, 1e-4, 1e-6, 1e-8]
        simulate!(turning, solver, stopTime = 1.0, tolerance = tolerance,
                  merge = Map(x = 0.0, y = -1.0, vx = speed, vy = 0.0))
        @test abs(getLastValue(turning, "x") - right) < 200*tolerance
    end
end
