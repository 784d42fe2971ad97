# Linear systems of equations against their closed forms. Computing the unknowns one after the other
# (tearing) enlarges rounding errors from link to link: by 2.6 a link in the first chain here. What
# comes out is held against the equations, so such systems are solved as a whole.
using Modia
using Test

near(x, y; tolerance = 1e-9) = isapprox(x, y, rtol = tolerance, atol = tolerance)

# scale*c*x_i = scale*(x_(i-1) + x_(i+1)) between two ends at u: with r + 1/r = c the solution is
# u*(r^i + r^(n+1-i))/(1 + r^(n+1)).
function chain(n, c; scale = 1, parameters = Model())
    x(i) = i < 1 || i > n ? :u : Symbol("x$i")
    eqs = [:(u = 1.0 + time), :(der(z) = x1)]
    for i in 1:n
        push!(eqs, :($scale*$c*$(x(i)) = $scale*($(x(i - 1)) + $(x(i + 1)))))
    end
    Model(z = Var(init = 0.0), equations = Expr(:vcat, eqs...)) | parameters
end
function exact(n, c, i)
    r = (c - sqrt(c^2 - 4))/2
    2*(r^i + r^(n + 1 - i))/(1 + r^(n + 1))
end

for n in [3, 10, 30, 40, 50, 200, 1000]
    m = @instantiateModel(chain(n, 3), unitless = true)
    simulate!(m, stopTime = 1.0)
    @test near(getLastValue(m, "x1"), exact(n, 3.0, 1))
    @test near(getLastValue(m, "x$(div(n, 2))"), exact(n, 3.0, div(n, 2)))
    @test near(getLastValue(m, "x$n"), exact(n, 3.0, n))
    @test near(getLastValue(m, "z"), 0.75*exact(n, 3.0, 1), tolerance = 1e-6)
end
# Other coefficients, and equations in other units.
for (c, scale) in [(2.5, 1), (7, 1), (-3, 1), (2.01, 1), (3, 1e-9), (3, 1e7)]
    m = @instantiateModel(chain(60, c, scale = scale), unitless = true)
    simulate!(m, stopTime = 1.0)
    r = c > 0 ? exact(60, c, 20) : 2*((-1.0)^20*exact(60, -c, 20)/2)
    if c > 0
        @test near(getLastValue(m, "x20"), r)
    end
    left(i) = i == 0 || i == 61 ? 2.0 : getLastValue(m, "x$i")
    @test maximum([abs(c*left(i) - left(i - 1) - left(i + 1)) for i in 1:60]) < 1e-11
end
# Coefficients that are parameters, that change with time, with a state, or by a condition.
for c in [:c, :(2 + time^2), :(3.0 - 0*z), :(if time > 0.5; 3.0 else 5.0 end)]
    for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas4()]
        m = @instantiateModel(chain(80, c, parameters = Map(c = 3.0)), unitless = true)
        simulate!(m, solver, stopTime = 1.0)
        @test near(getLastValue(m, "x1"), exact(80, 3.0, 1), tolerance = 1e-7)
        @test near(getLastValue(m, "x79"), exact(80, 3.0, 79), tolerance = 1e-7)
    end
end

# Unknowns that are arrays.
Arrays = Model(z = Var(init = 0.0), equations = Expr(:vcat, [
    :(u = (1.0 + time)*[1.0, -2.0, 3.0]); :(der(z) = x1[1]);
    [:(3*$(Symbol("x$i")) = $(i == 1 ? :u : Symbol("x$(i - 1)")) + $(i == 40 ? :u : Symbol("x$(i + 1)"))) for i in 1:40]]...))
for i in 1:40
    Arrays[Symbol("x$i")] = Var(start = zeros(3))
end
arrays = @instantiateModel(Arrays, unitless = true)
simulate!(arrays, stopTime = 1.0)
for i in [1, 20, 40]
    @test near(getLastValue(arrays, "x$i"), exact(40, 3.0, i)*[1.0, -2.0, 3.0])
end

# A sheet between 1 and 0, its sides insulated: the potential falls evenly. With literals, and with
# conductances that are parameters.
function sheet(n, m, g)
    v(i, j) = i < 0 ? 1.0 : i == n ? 0.0 : Symbol("v_$(i)_$j")
    eqs = [:(der(z) = v_0_0)]
    for i in 0:n-1, j in 0:m-1
        sum = :($g*($(v(i, j)) - $(v(i - 1, j))) + $g*($(v(i, j)) - $(v(i + 1, j))))
        sum = j > 0 ? :($sum + $g*($(v(i, j)) - $(v(i, j - 1)))) : sum
        sum = j < m - 1 ? :($sum + $g*($(v(i, j)) - $(v(i, j + 1)))) : sum
        push!(eqs, :(0 = $sum))
    end
    Model(G = 2.0e-3, z = Var(init = 0.0), equations = Expr(:vcat, eqs...))
end
for (n, m, g) in [(3, 3, 1), (20, 20, 1), (20, 20, :G), (12, 7, :(G*(1 + time)))]
    grid = @instantiateModel(sheet(n, m, g), unitless = true)
    simulate!(grid, stopTime = 1.0)
    for (i, j) in [(0, 0), (div(n, 2), div(m, 2)), (n - 1, m - 1)]
        @test near(getLastValue(grid, "v_$(i)_$j"), 1 - (i + 1)/(n + 1), tolerance = 1e-11)
    end
end

# A long chain with ideal diodes against it: the diode in the middle lets no value above 0.1 pass, and its
# current is what the two neighbors bring.
Clamped = chain(59, 3) | Map(s = Var(start = 0.0))
Clamp = Model(z = Var(init = 0.0), equations = Expr(:vcat, [
    :(u = 1.0 + time); :(der(z) = x1);
    [:(3*$(Symbol("x$i")) = $(i == 1 ? :u : Symbol("x$(i - 1)")) + $(i == 59 ? :u : Symbol("x$(i + 1)"))) for i in 1:59 if i != 2];
    :(open = s < 0); :(x2 = 0.5 + (if open; s else 0.0*s end));
    :(3*x2 = x1 + x3 - (if open; 0.0*s else s end))]...), s = Var(start = 0.0))
clamp = @instantiateModel(Clamp, unitless = true)
simulate!(clamp, stopTime = 3.0, interval = 0.01)
t = getValues(clamp, "time")
x2 = getValues(clamp, "x2")
free = exact(59, 3.0, 2)/2
@test all(near.(x2[t .< 0.5/free - 1.001], free*(1 .+ t[t .< 0.5/free - 1.001])))
@test all(near.(x2[t .> 0.5/free - 0.999], 0.5))
