# Nonlinear systems of equations far from their start values, at solutions that are zero or double, and
# with many conditions. Numbers of the diode grids are those of SciPy (root, method hybr, the source
# raised in steps of 50 mV; residuals below 1e-13 V).
using Modia
using Test

near(x, y; tolerance = 1e-9) = isapprox(x, y, rtol = tolerance, atol = tolerance)
solved(equations, start...) = begin
    m = @instantiateModel(Model(equations = equations, z = Var(init = 0.0)) | Map(; start...), unitless = true)
    simulate!(m, stopTime = 1.0)
    m
end

# n x n nodes between V at one corner and ground at the opposite one: resistors along the rows,
# diodes down the columns. All voltages start from zero, so the first diode sees all of V.
function grid(n, V)
    v(i, j) = i == 0 && j == 0 ? :V : i == n - 1 && j == n - 1 ? 0.0 : Symbol("v_$(i)_$j")
    eqs = [:(der(z) = v_1_0)]
    for i in 0:n-1, j in 0:n-1
        if j < n - 1
            push!(eqs, :(R*$(Symbol("ir_$(i)_$j")) = $(v(i, j)) - $(v(i, j + 1))))
        end
        if i < n - 1
            push!(eqs, :($(Symbol("id_$(i)_$j")) = Is*(exp(($(v(i, j)) - $(v(i + 1, j)))/Vt) - 1.0)))
        end
        if i + j > 0 && i + j < 2*n - 2
            sum = 0
            sum = j > 0 ? :($sum + $(Symbol("ir_$(i)_$(j - 1)"))) : sum
            sum = i > 0 ? :($sum + $(Symbol("id_$(i - 1)_$j"))) : sum
            sum = j < n - 1 ? :($sum - $(Symbol("ir_$(i)_$j"))) : sum
            sum = i < n - 1 ? :($sum - $(Symbol("id_$(i)_$j"))) : sum
            push!(eqs, :(0 = $sum))
        end
    end
    Model(Is = 1e-14, Vt = 0.02585, R = 1000.0, V = V, z = Var(init = 0.0), equations = Expr(:vcat, eqs...))
end
for (n, V, v10, v01) in [(3, 5.0, 4.312430963971908, 3.1050986395166067),
                         (4, 5.0, 4.318011858056683, 3.895431703737908),
                         (5, 1.0, 0.7499995244398903, 0.9999993658957432),
                         (5, 5.0, 4.324751260233543, 4.283559211377542),
                         (5, 10.0, 9.294796066277916, 8.02022996738063),
                         (3, 20.0, 19.26991598857288, 10.614723487117866), # from here on exp overflows at zero
                         (5, 20.0, 19.272147512044793, 15.508076809612128)]
    m = @instantiateModel(grid(n, V), unitless = true)
    for solver in [CVODE_BDF(), Tsit5()]
        simulate!(m, solver, stopTime = 1.0)
        @test near(getLastValue(m, "v_1_0"), v10)
        @test near(getLastValue(m, "v_0_1"), v01)
        @test near(getLastValue(m, "z"), v10, tolerance = 1e-5)
    end
end
# Larger ones, by symmetry: turning the grid around its center exchanges V - v.
for (n, V) in [(6, 5.0), (7, 12.0), (10, 3.0), (4, 1000.0), (5, 100.0), (8, 50.0)]
    m = @instantiateModel(grid(n, V), unitless = true)
    simulate!(m, stopTime = 1.0)
    v(i, j) = getLastValue(m, "v_$(i)_$j")
    @test all([near(v(i, j), V - v(n - 1 - i, n - 1 - j)) for i in 1:n-2 for j in 1:n-2])
    @test v(1, 0) < V - 0.3 && v(1, 0) > 0.3
end

# Exponentials that overflow at the start values, against a bisection in the voltage of the resistor.
function bisected(f, low, high)
    for k in 1:200
        middle = 0.5*(low + high)
        if f(middle) > 0
            low = middle
        else
            high = middle
        end
    end
    0.5*(low + high)
end
for U in [5.0, 24.0, 1000.0], R in [1.0, 1e6]
    junction = bisected(v -> U - v - R*1e-14*(exp(v/0.02585) - 1), 0.0, 2.0)
    # The junction itself as an unknown with a start value, and straight across the source.
    for start in [0.0, 5.0, 30.0, -30.0]
        m = solved(:[R*i = U - v; i = 1e-14*(exp(v/0.02585) - 1); der(z) = i], :U => U, :R => R, :v => Var(start = start))
        @test near(getLastValue(m, "v"), junction) && near(getLastValue(m, "i")*R, U - junction)
    end
    for law in [:[i = 1e-14*(exp((U - v)/0.02585) - 1); v = R*i; der(z) = i],
                :[i = 1e-14*expm1((U - v)/0.02585); v = R*i; der(z) = i]]
        m = solved(law, :U => U, :R => R)
        @test near(getLastValue(m, "v"), U - junction) && near(getLastValue(m, "i")*R, U - junction)
    end
    for sign in [1.0, -1.0]
        across = bisected(v -> U - v - R*1e-14*sinh(v/0.02585), 0.0, 2.0)
        m = solved(:[i = 1e-14*sinh((U - v)/0.02585); v = R*i; der(z) = i], :U => sign*U, :R => R)
        @test near(getLastValue(m, "v"), sign*(U - across))
    end
end
# Products of exponentials: a transistor with Early effect, its currents put into the equations again.
# The collector voltages without a resistor at the emitter are those of SciPy where it got there.
transistor = :[U - vb = RB*ib; U - vc = 1000*ic; ve = RE*(ib + ic); der(z) = vc
               ic = 1e-15*(exp((vb - ve)/0.02585) - exp((vb - vc)/0.02585))*(1 + (vc - vb)/80)
               ib = 1e-17*(exp((vb - ve)/0.02585) - 1) + 5e-16*(exp((vb - vc)/0.02585) - 1)]
for U in [5.0, 20.0], RE in [0.0, 100.0], RB in [5e4, 1e5, 3e5]
    m = solved(transistor, :U => U, :RE => RE, :RB => RB)
    (vb, vc, ve) = (getLastValue(m, "vb"), getLastValue(m, "vc"), getLastValue(m, "ve"))
    (e, c) = (exp((vb - ve)/0.02585), exp((vb - vc)/0.02585))
    (ib, ic) = (1e-17*(e - 1) + 5e-16*(c - 1), 1e-15*(e - c)*(1 + (vc - vb)/80))
    @test near(U - vb, RB*ib) && near(U - vc, 1000*ic) && near(ve, RE*(ib + ic))
    @test RE > 0 || RB < 3e5 || near(vc, U == 5.0 ? 3.524561999120035 : 12.635695604525472)
end

# Solutions that are zero, or nearly: residuals are measured by their terms.
@test getLastValue(solved(:[(x + 0.1)^3 = 0.001; der(z) = x]), "x") == 0.0
@test abs(getLastValue(solved(:[(x + 0.1)^3 = 0.001*(1 + 0*time); der(z) = x], :x => Var(start = 5.0)), "x")) < 1e-15
@test abs(getLastValue(solved(:[exp(x) = 1.0; der(z) = x], :x => Var(start = 3.0)), "x")) < 1e-15
@test abs(getLastValue(solved(:[1e-20*sin(x) = 0.0; der(z) = x], :x => Var(start = 0.5)), "x")) < 1e-15
m = solved(:[1e12*(x - y)^3 + x = 1.0 + time; y^3 + y = 2*x; der(z) = x])
(x, y) = (getLastValue(m, "x"), getLastValue(m, "y"))
@test near(1e12*(x - y)^3 + x, 2.0, tolerance = 1e-7) && near(y^3 + y, 2*x)

# A start where all slopes vanish, and one where the matrix is singular.
@test near(abs(getLastValue(solved(:[x^2 = 4.0 + time; der(z) = x]), "x")), sqrt(5.0))
m = solved(:[x*y = 6.0; x + y = 5.0 + 0*time; der(z) = x])
@test near(getLastValue(m, "x")*getLastValue(m, "y"), 6.0) && near(getLastValue(m, "x") + getLastValue(m, "y"), 5.0)
# Far out: Newton alone overshoots for atan beyond 1.39, and comes down an exponential step by step.
@test abs(getLastValue(solved(:[atan(x) = 0.0; der(z) = x], :x => Var(start = 50.0)), "x")) < 1e-12
@test near(getLastValue(solved(:[exp(x) = 2.0; der(z) = x], :x => Var(start = 600.0)), "x"), log(2.0))

# Ideal diodes in a ladder, as many conditions as rungs: each rung may not rise above its limit, which
# falls along the ladder. More than ten conditions are settled one at a time. Which ones conduct is
# found independently: a projected relaxation of the same complementarity problem.
function ladder(n)
    v(i) = i == 0 ? :u : Symbol("v$i")
    eqs = [:(u = 10.0*sin(time)), :(der(z) = v1)]
    for i in 1:n
        (s, on) = (Symbol("s$i"), Symbol("on$i"))
        next = i == n ? 0 : :($(v(i)) - $(v(i + 1)))
        limit = 4.0/i + 0.1*mod(7*i, 5)
        push!(eqs, :($on = $s > 0), :($(v(i)) = $limit + (if $on; 0.0*$s else $s end)),
              :($(v(i - 1)) - $(v(i)) = $next + 0.05*$(v(i)) + (if $on; $s else 0.0*$s end)))
    end
    Model(z = Var(init = 0.0), equations = Expr(:vcat, eqs...))
end
function relaxed(n, u)
    v = zeros(n)
    for sweep in 1:4000, i in 1:n
        sum = (i == 1 ? u : v[i - 1]) + (i < n ? v[i + 1] : 0.0)
        v[i] = min(4.0/i + 0.1*mod(7*i, 5), sum/((i < n ? 2.0 : 1.0) + 0.05))
    end
    v
end
for n in [4, 12, 30]
    m = @instantiateModel(ladder(n), unitless = true)
    simulate!(m, stopTime = 1.5)
    v = relaxed(n, 10.0*sin(1.5))
    @test maximum([abs(getLastValue(m, "v$i") - v[i]) for i in 1:n]) < 1e-8
end
