# Functions of the script in equations: as expressions where they compute with numbers, so that index
# reduction and Jacobians have their exact derivatives; as calls where they do more. Each model has a
# twin that is written out, or a closed form.
using Modia
using Test

square(x) = x^2

function sum_of_squares(x, y)
    s = 0.0
    for v in 1:2
        s += square(v == 1 ? x : y)
    end
    return s
end

# Index three through a function: the pendulum in Cartesian coordinates.
Pendulum = Model(
    L = 1.0, g = 9.81, m = 2.0,
    x = Var(init = 0.5), y = Var(start = -0.8660254037844386),
    vx = Var(init = 0.0), vy = Var(start = 0.0), F = Var(start = 0.0),
    equations = :[
        der(x) = vx
        der(y) = vy
        m*der(vx) = -F*x
        m*der(vy) = -F*y - m*g
    ]
)
by_function = @instantiateModel(Pendulum | Model(equations = :[sum_of_squares(x, y) = L^2]), unitless = true)
written_out = @instantiateModel(Pendulum | Model(equations = :[x^2 + y^2 = L^2]), unitless = true)
simulate!(by_function, stopTime = 2.0, tolerance = 1e-9)
simulate!(written_out, stopTime = 2.0, tolerance = 1e-9)
@test isapprox(getLastValue(by_function, "x"), getLastValue(written_out, "x"), atol = 1e-9)
@test isapprox(getLastValue(by_function, "vy"), getLastValue(written_out, "vy"), atol = 1e-8)

# An inverse model: the force that makes a mass follow a path given by a function, twice
# differentiated. The path is s = a*t^3/(1 + t), so F = m*der(der(s)).
function path(t, a)
    t < 0 && return 0.0
    if t > 100
        return 0.0
    end
    numerator, denominator = parts(t)
    return a*numerator/denominator
end
parts(t) = (t^3, 1 + t)
Inverse = Model(m = 3.0, a = 0.5,
                equations = :[
                    s = path(time, a)
                    v = der(s)
                    m*der(v) = F
                ])
inverse = @instantiateModel(Inverse, unitless = true)
simulate!(inverse, stopTime = 2.0)
t = 2.0
@test isapprox(getLastValue(inverse, "v"), 0.5*(3*t^2*(1 + t) - t^3)/(1 + t)^2, rtol = 1e-12)
@test isapprox(getLastValue(inverse, "F"), 3.0*0.5*(2*t*(t^2 + 3*t + 3))/(1 + t)^3, rtol = 1e-12)

# A nonlinear loop through a function with branches, arrays and several results.
function spring(x, v, limits)
    force = 100.0*x + 2.0*v
    if x > limits[2]
        force += 1000.0*(x - limits[2])^2
    elseif x < limits[1]
        force -= 1000.0*(x - limits[1])^2
    end
    power = force*v
    return force, power
end
Loop = Model(limits = [-0.1, 0.1], x = Var(start = 0.3), v = 0.2,
             equations = :[
                 (force, power) = spring(x, v, limits)
                 force = 50.0 + 10.0*sin(time)
             ])
loop = @instantiateModel(Loop, unitless = true)
simulate!(loop, stopTime = 1.0)
x = getLastValue(loop, "x")
@test x > 0.1
@test isapprox(100.0*x + 0.4 + 1000.0*(x - 0.1)^2, 50.0 + 10.0*sin(1.0), rtol = 1e-9)
@test isapprox(getLastValue(loop, "power"), 0.2*(50.0 + 10.0*sin(1.0)), rtol = 1e-9)

# A vector is one value, and its elements are several.
rotated(v, phi) = [cos(phi) -sin(phi); sin(phi) cos(phi)]*v
both(v) = [v[1] + v[2], v[1]*v[2]]
Vectors = Model(v = Var(init = [3.0, 4.0]), w = 2.0,
                equations = :[
                    der(v) = w*rotated(v, pi/2)
                    (total, product) = both(v)
                ])
vectors = @instantiateModel(Vectors, unitless = true)
simulate!(vectors, stopTime = 0.5, tolerance = 1e-10)
v = [3*cos(1.0) - 4*sin(1.0), 3*sin(1.0) + 4*cos(1.0)]
@test isapprox(getLastValue(vectors, "v"), v, atol = 1e-7)
@test isapprox(getLastValue(vectors, "total"), v[1] + v[2], atol = 1e-7)
@test isapprox(getLastValue(vectors, "product"), v[1]*v[2], atol = 1e-6)

# What is more than numbers stays a call: a while loop, text, a global variable that changes.
gain = 2.0
function halvings(x)
    n = 0.0
    while x > 1
        x = x/2
        n += gain
    end
    return n
end
Called = Model(x = Var(init = 0.0), equations = :[der(x) = halvings(8.0 + 0*time)])
called = @instantiateModel(Called, unitless = true)
simulate!(called, stopTime = 1.0)
@test isapprox(getLastValue(called, "x"), 6.0, rtol = 1e-6)
gain = 1.0
simulate!(called, stopTime = 1.0)
@test isapprox(getLastValue(called, "x"), 3.0, rtol = 1e-6)

# Methods for other types, and a function that calls itself, stay calls as well.
fact(n) = n <= 1 ? 1.0 : n*fact(n - 1)
kind(x::Float64) = 1.0
kind(x::Vector) = 2.0
Recursive = Model(a = Var(init = 0.0), b = Var(init = [0.0, 0.0]),
                  equations = :[
                      der(a) = fact(4.0) + kind(a)
                      der(b) = [kind(b), kind(a)]
                  ])
recursive = @instantiateModel(Recursive, unitless = true)
simulate!(recursive, stopTime = 1.0)
@test isapprox(getLastValue(recursive, "a"), 25.0, rtol = 1e-6)
@test isapprox(getLastValue(recursive, "b"), [2.0, 1.0], rtol = 1e-6)

# A function that stays a call has a derivative too, as long as it computes with numbers: loops whose
# length is not literal, while, changed arrays, functions that call themselves. Differentiated twice.
function horner(c, x)
    i = length(c)
    y = c[i]
    while i > 1
        i -= 1
        y = y*x + c[i]
    end
    return y
end
function series(x, n)
    term = x
    total = x
    for k in 1:n
        term = -term*x^2/((2k)*(2k + 1))
        total += term
    end
    total
end
power(x, n) = n <= 0 ? 1.0 : x*power(x, n - 1)
function squares(x, n)
    parts = zeros(n)
    for i in 1:n
        parts[i] = i == 1 ? x : parts[i-1]*x
    end
    return sum(parts), exp(parts[n])/sqrt(1 + x^2)
end
Derived = Model(c = [1.0, -2.0, 0.5, 3.0], n = 12, m = 3,
                equations = :[
                    s = horner(c, time)
                    sd = der(s)
                    sdd = der(sd)
                    p = series(time, n)
                    pd = der(p)
                    pdd = der(pd)
                    q = power(time, 5)
                    qd = der(q)
                    qdd = der(qd)
                    (a, b) = squares(time, m)
                    ad = der(a)
                    bd = der(b)
                ])
derived = @instantiateModel(Derived, unitless = true)
simulate!(derived, stopTime = 0.7)
t = 0.7
last(name) = getLastValue(derived, name)
@test isapprox(last("sd"), -2 + t + 9*t^2, rtol = 1e-12)
@test isapprox(last("sdd"), 1 + 18*t, rtol = 1e-12)
@test isapprox(last("pd"), cos(t), rtol = 1e-12)
@test isapprox(last("pdd"), -sin(t), rtol = 1e-12)
@test isapprox(last("qd"), 5*t^4, rtol = 1e-12)
@test isapprox(last("qdd"), 20*t^3, rtol = 1e-12)
@test isapprox(last("ad"), 1 + 2*t + 3*t^2, rtol = 1e-12)
@test isapprox(last("bd"), exp(t^3)*(3*t^2/sqrt(1 + t^2) - t/(1 + t^2)^1.5), rtol = 1e-12)

# With units a function that is called gets quantities, as it would from a script, and its value is
# brought to SI units.
function drag(v, rho, times)
    n = 0
    while n < times
        n += 1
    end
    return n/3*0.5u"m^2"*rho*(v + 1.0u"m/s" - 1000.0u"mm/s")^2
end
Falling = Model(m = 2.0u"kg", rho = 1.2u"kg/m^3", v = Var(init = 10.0u"m/s"),
                equations = :[
                    m*der(v) = -drag(v, rho, 3)
                    (way, twice) = products(v, time)
                ])
function products(v, t)
    text = "not only numbers"
    return v*t, [v, 2*v]
end
falling = @instantiateModel(Falling)
simulate!(falling, stopTime = 1.0u"s", tolerance = 1e-9)
@test isapprox(ustrip(getLastValue(falling, "v")), 1/(1/10 + 0.3), rtol = 1e-6)
@test isapprox(ustrip.(getLastValue(falling, "twice")), [2.5, 5.0], rtol = 1e-6)

# The unit of a variable follows from the function that computes it.
resistance(v, rho) = 0.5*rho*0.3u"m^2"*v^2
Unit = Model(m = 2.0u"kg", rho = 1.2u"kg/m^3", v = Var(init = 10.0u"m/s"),
             equations = :[
                 m*der(v) = -F
                 F = resistance(v, rho)
                 P = F*v
             ])
unit_model = @instantiateModel(Unit)
simulate!(unit_model, stopTime = 1.0u"s", tolerance = 1e-9)
v = 1/(1/10 + 0.18/2)
@test isapprox(getLastValue(unit_model, "F"), 0.18*v^2*u"N", rtol = 1e-6)
@test isapprox(getLastValue(unit_model, "P"), 0.18*v^3*u"W", rtol = 1e-6)
