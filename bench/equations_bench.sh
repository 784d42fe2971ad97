#!/bin/sh
# equations_bench.sh BUILD: whole runs of equations, in CPU seconds, least of some runs (docs/performance.md).
#
# brusselator_FORM  1,000 states written out, by slices, comprehension and loop   goal: arrays within 2x of written out
# heat_FORM         n x n cells by comprehension and by slices                    goal: within 3x of each other
# ..._native        the same with --native, compiled before
# events_KIND       98,566 events with 100 states                                 goal: 4.4 s (a fifth of 22 s)
# gears             a train of rigidly coupled inertias with units, 100,102 equations, translated   goal: 2 s
set -eu
segue=$1/segue
. "$(dirname "$0")/least.sh"
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME

head='using Modia
function cells(u, v, a, b, c)
    n = length(u)
    du = zeros(n)
    dv = zeros(n)
    for i in 1:n
        du[i] = a + u[i]^2*v[i] - (b + 1)*u[i] + c*((i > 1 ? u[i-1] : 1.0) - 2*u[i] + (i < n ? u[i+1] : 1.0))
        dv[i] = b*u[i] - u[i]^2*v[i] + c*((i > 1 ? v[i-1] : 3.0) - 2*v[i] + (i < n ? v[i+1] : 3.0))
    end
    return du, dv
end
M = Model(n = 500, a = 1.0, b = 3.0, alpha = 0.02,'
tail='simulate!(m, CVODE_BDF(), stopTime = 10.0, interval = 10.0, tolerance = 1e-6)'
arrays='u = Var(init = [1.0 + sin(2*pi*i/501) for i in 1:500]), v = Var(init = 3.0*ones(500)), equations = :[c = alpha*(n + 1)^2'
brusselator() { # form text
    printf '%s\n%s\n])\nm = @instantiateModel(M)\n%s\n' "$head" "$2" "$tail" >"$scratch/$1.jl"
    line "brusselator_$1" 1000 states "$(least 5 "$segue" run -o "$scratch" "$scratch/$1.jl")" ''
    "$segue" run --native -o "$scratch" "$scratch/$1.jl" >"$scratch/out" 2>&1
    line "brusselator_$1_native" 1000 states "$(least 5 "$segue" run --native -o "$scratch" "$scratch/$1.jl")" ''
}
brusselator written "$(awk 'BEGIN {
    for (i = 1; i <= 500; i++)
        printf "u%d = Var(init = %.17g), v%d = Var(init = 3.0),\n", i, 1 + sin(2*3.14159265358979*i/501), i
    print "equations = :[c = alpha*(n + 1)^2"
    for (i = 1; i <= 500; i++) {
        ul = i > 1 ? "u" i-1 : "1.0"; ur = i < 500 ? "u" i+1 : "1.0"
        vl = i > 1 ? "v" i-1 : "3.0"; vr = i < 500 ? "v" i+1 : "3.0"
        printf "der(u%d) = a + u%d^2*v%d - (b + 1)*u%d + c*(%s - 2*u%d + %s)\n", i, i, i, i, ul, i, ur
        printf "der(v%d) = b*u%d - u%d^2*v%d + c*(%s - 2*v%d + %s)\n", i, i, i, i, vl, i, vr
    }
}')"
brusselator slices "$arrays
der(u) = a .+ u.^2 .* v .- (b + 1)*u .+ c*(vcat(1.0, u[1:end-1]) .- 2*u .+ vcat(u[2:end], 1.0))
der(v) = b*u .- u.^2 .* v .+ c*(vcat(3.0, v[1:end-1]) .- 2*v .+ vcat(v[2:end], 3.0))"
brusselator comprehension "$arrays
der(u) = [a + u[i]^2*v[i] - (b + 1)*u[i] + c*((i > 1 ? u[i-1] : 1.0) - 2*u[i] + (i < n ? u[i+1] : 1.0)) for i in 1:n]
der(v) = [b*u[i] - u[i]^2*v[i] + c*((i > 1 ? v[i-1] : 3.0) - 2*v[i] + (i < n ? v[i+1] : 3.0)) for i in 1:n]"
brusselator loop "$arrays
(der(u), der(v)) = cells(u, v, a, b, c)"

heat() { # form size equation
    cat >"$scratch/heat.jl" <<END
using Modia
Heat = Model(n = $2, k = 0.01, T = Var(init = [sin(pi*i/($2 + 1))*sin(pi*j/($2 + 1)) for i in 1:$2, j in 1:$2]), equations = :[
    c = k*(n + 1)^2
    $3])
heat = @instantiateModel(Heat)
simulate!(heat, CVODE_BDF(), stopTime = 1.0, interval = 1.0, tolerance = 1e-6)
END
    line "heat_$1" "$2" cells_square "$(least 3 "$segue" run -o "$scratch" "$scratch/heat.jl")" ''
}
for n in 40 100; do
    heat comprehension $n 'der(T) = [c*((i > 1 ? T[i-1, j] : 0.0) + (i < n ? T[i+1, j] : 0.0) + (j > 1 ? T[i, j-1] : 0.0) + (j < n ? T[i, j+1] : 0.0) - 4*T[i, j]) for i in 1:n, j in 1:n]'
    heat slices $n 'der(T) = c*([zeros(1, n); T[1:end-1, :]] + [T[2:end, :]; zeros(1, n)] + [zeros(n, 1) T[:, 1:end-1]] + [T[:, 2:end] zeros(n, 1)] - 4*T)'
done

events() { # kind first more
    FIRST=$2 MORE=$3 awk 'BEGIN {
        print "using Modia\nM = Model("
        for (i = 1; i <= 100; i++) printf "x%d = Var(init = %.17g),\n", i, 1/i
        print ENVIRON["FIRST"] "equations = :[" ENVIRON["MORE"]
        for (i = 1; i <= 100; i++) printf "der(x%d) = %s - x%d\n", i, (i > 1 ? "x" (i - 1) : "q"), i
        print "])\nm = @instantiateModel(M, unitless = true)"
        print "simulate!(m, CVODE_BDF(), stopTime = 98.566, interval = 1.0, tolerance = 1e-4)"
    }' >"$scratch/events.jl"
    line "events_$1" 98566 events "$(least 2 "$segue" run -o "$scratch" "$scratch/events.jl")" ', "goal": 4.4'
}
events of_states 'c = Var(init = 0.0), ' 'der(c) = 1.0
q = if sin(1000*pi*c) > 0.0; 1.0 else 0.0 end'
events of_a_clock 'q = Var(start = 0.0), v = Var(start = 0.0), ' 'q = hold(v, Clock(1e-3))
v = 1.0 - sample(x1, Clock(1e-3))'

cat >"$scratch/gears.jl" <<'END'
using Modia
include("$(Modia.modelsPath)/Rotational.jl")
n = 7700
Train = Model(J = [Inertia | Map(J = 0.1u"kg*m^2") for i in 1:n], g = [IdealGear | Map(ratio = 1.01) for i in 1:n-1],
    s = Spring | Map(c = 10.0u"N*m/rad"), f = Fixed, connect = :[
        (f.flange, s.flange_a)
        (s.flange_b, J[$n].flange_b)
        $([:(g[$i].flange_b, J[$(i+1)].flange_a) for i in n-1:-1:1]...)
        $([:(J[$i].flange_b, g[$i].flange_a) for i in n-1:-1:1]...)
    ])
m = @instantiateModel(Train)
END
line gears 100102 equations "$(least 2 "$segue" run -o "$scratch" "$scratch/gears.jl")" ', "goal": 2.0'
