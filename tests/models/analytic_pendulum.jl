# The period of a pendulum with a large amplitude against the elliptic integral (by the arithmetic-
# geometric mean), in the angle and in Cartesian coordinates with a constraint of index three.
using Modia
using Test

function period(L, g, phi0)
    a, b = 1.0, cos(phi0/2)
    while abs(a - b) > 1e-15
        a, b = (a + b)/2, sqrt(a*b)
    end
    return 2*pi*sqrt(L/g)/a
end

T = period(1.0, 9.81, 2.0)

Angle = Model(L = 1.0, g = 9.81, phi = Var(init = 2.0), w = Var(init = 0.0),
              equations = :[
                  w = der(phi)
                  L*der(w) = -g*sin(phi)
              ])
angle = @instantiateModel(Angle, unitless = true)
# At the end the speed is zero, so it shows an error of the period, not only of the amplitude.
for solver in [CVODE_BDF(), Tsit5(), Rodas5()]
    errors = Float64[]
    for tolerance in [1e-5, 1e-7, 1e-9]
        simulate!(angle, solver, stopTime = T, tolerance = tolerance)
        @test abs(getLastValue(angle, "phi") - 2.0) < 1e3*tolerance
        push!(errors, abs(getLastValue(angle, "w")) + abs(getLastValue(angle, "phi") - 2.0))
    end
    println("errors of the period at 1e-5, 1e-7, 1e-9: ", errors)
    @test errors[2] < errors[1]/5 && errors[3] < errors[2]/5
end

phi0 = 0.5
T2 = period(1.0, 9.81, phi0)
Cartesian = Model(L = 1.0, g = 9.81, m = 1.0,
                  x = Var(init = sin(phi0)), vx = Var(init = 0.0),
                  y = Var(start = -cos(phi0)), vy = Var(start = 0.0), F = Var(start = 0.0),
                  equations = :[
                      vx = der(x)
                      vy = der(y)
                      m*der(vx) = -F*x
                      m*der(vy) = -F*y - m*g
                      x^2 + y^2 = L^2
                  ])
cartesian = @instantiateModel(Cartesian, unitless = true)
errors = Float64[]
for tolerance in [1e-4, 1e-6, 1e-8]
    simulate!(cartesian, stopTime = T2, tolerance = tolerance)
    push!(errors, abs(getLastValue(cartesian, "x") - sin(phi0)) + abs(getLastValue(cartesian, "vx")))
end
println("errors in Cartesian coordinates at 1e-4, 1e-6, 1e-8: ", errors)
@test errors[2] < errors[1]/5 && errors[3] < errors[2]/5
@test abs(getLastValue(cartesian, "x") - sin(phi0)) < 1e-4
@test abs(getLastValue(cartesian, "x")^2 + getLastValue(cartesian, "y")^2 - 1.0) < 1e-8
