# der of an expression: momentum, content, energy. What comes out is held to closed forms.
module DerExpressions

using Modia
using Test

close(x, y; tolerance = 1e-7) = isapprox(ustrip(x), y, rtol = tolerance, atol = tolerance)

# A wagon under rain: the momentum m*v stays, while the mass grows. With units.
Wagon = Model(
    q = 0.5u"kg/s",
    F = 3.0u"N",
    m = Var(init = 2.0u"kg"),
    v = Var(init = 4.0u"m/s"),
    equations = :[
        der(m) = q
        der(m*v) = F
        power = der(0.5*m*v^2)
    ]
)
wagon = @instantiateModel(Wagon)
@test get_xNames(wagon) == ["m", "v"]
for solver in [CVODE_BDF(), Tsit5(), IDA()]
    simulate!(wagon, solver, stopTime = 2.0, tolerance = 1e-10)
    @test close(getLastValue(wagon, "v"), (8.0 + 3.0*2.0)/3.0)
    v = 14.0/3.0
    a = (3.0 - 0.5*v)/3.0
    @test close(getLastValue(wagon, "power"), 0.25*v^2 + 3.0*v*a)
end
@test unit(getLastValue(wagon, "power")) == u"kg*m^2/s^3"

# A tank whose area grows with the level: der(area*h) of an algebraic area, and the function that
# says how it grows.
area(h) = 1.0 + 0.5*h^2
Tank = Model(
    h = Var(init = 1.0),
    equations = :[
        der(area(h)*h) = -0.25
        content = h + 0.5*h^3
    ]
)
tank = @instantiateModel(Tank, unitless = true)
simulate!(tank, stopTime = 3.0, tolerance = 1e-10)
@test close(getLastValue(tank, "content"), 1.5 - 0.25*3.0)

# The product of two variables that have no der of their own: index reduction finds the rest.
Product = Model(
    x = Var(init = 1.0),
    equations = :[
        y = 2.0 + sin(x)
        z = exp(-x)
        der(x) = -x
        r = der(y*z) + der(der(3.0*x) + x)
    ]
)
product = @instantiateModel(Product, unitless = true)
simulate!(product, stopTime = 1.0, tolerance = 1e-10)
x = exp(-1.0)
# d/dt ((2 + sin x)*exp(-x)) with x' = -x, and 3*x'' + x' = 2*x
@test close(getLastValue(product, "r"), (cos(x) - 2.0 - sin(x))*exp(-x)*(-x) + 2.0*x)

# Time, parameters, elements and arrays.
Mixed = Model(
    k = 2.0,
    u = Var(init = [1.0, 2.0]),
    w = Var(init = 0.0),
    equations = :[
        der(k*u) = -u
        der(w - sin(k*time)) = der(u[2])
        s = der(time^2)
        e = der([k*u[1], time])
    ]
)
mixed = @instantiateModel(Mixed, unitless = true)
simulate!(mixed, stopTime = 1.5, tolerance = 1e-10)
@test close(getLastValue(mixed, "u[2]"), 2.0*exp(-0.75))
@test close(getLastValue(mixed, "w"), sin(3.0) + 2.0*exp(-0.75) - 2.0)
@test close(getLastValue(mixed, "s"), 3.0)
@test close(getLastValue(mixed, "e[1]"), -exp(-0.75)) && close(getLastValue(mixed, "e[2]"), 1.0)

# A new mass that is a constraint: der of a sum that is prescribed.
Coupled = Model(
    a = Var(init = 0.5),
    equations = :[
        a + 2.0*b = 3.0*time
        der(a - b) = -(a - b)
    ]
)
coupled = @instantiateModel(Coupled, unitless = true)
simulate!(coupled, stopTime = 1.0, tolerance = 1e-10)
d = 0.75*exp(-1.0)  # a - b, with b = -a/2 at the start
@test close(getLastValue(coupled, "a"), (3.0 + 2.0*d)/3.0) && close(getLastValue(coupled, "b"), (3.0 - d)/3.0)

end
