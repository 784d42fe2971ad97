#!/bin/sh
# families_bench.sh BUILD [FAMILY...]: six families of large models, translated and not run (docs/performance.md).
#
# CPU seconds of the whole program (least of two) and memory for each equation as it is counted by `log`, at 25,000, 50,000 and 100,000
# equations, and the exponent of the time over the last two.              goal: 2 s at 100,000, 3 kB an equation, exponent 1.15
set -eu
segue=$1/segue
shift
. "$(dirname "$0")/least.sh"
. "$(dirname "$0")/ladder.sh"

ladder() { ladder_text $(($1 / 12)) Large; } # twelve equations for each pair
gears() { # rigidly coupled inertias with units, thirteen equations for each
    cat <<END
using Modia
include("\$(Modia.modelsPath)/Rotational.jl")
n = $(($1 / 13))
Large = Model(J = [Inertia | Map(J = 0.1u"kg*m^2") for i in 1:n], g = [IdealGear | Map(ratio = 1.01) for i in 1:n-1],
    s = Spring | Map(c = 10.0u"N*m/rad"), f = Fixed, connect = :[
        (f.flange, s.flange_a)
        (s.flange_b, J[\$n].flange_b)
        \$([:(g[\$i].flange_b, J[\$(i+1)].flange_a) for i in n-1:-1:1]...)
        \$([:(J[\$i].flange_b, g[\$i].flange_a) for i in n-1:-1:1]...)
    ])
END
}
scalar() { # a chain of differential equations, written out
    awk -v n="$1" 'BEGIN {
        print "using Modia\nLarge = Model(k = 0.3,"
        for (i = 1; i <= n; i++) printf "x%d = Var(init = 1.0),\n", i
        print "equations = :["
        for (i = 1; i <= n; i++) printf "der(x%d) = k*(%s - x%d)\n", i, (i > 1 ? "x" (i - 1) : "1.0"), i
        print "])"
    }'
}
grid() { # rows of heat capacities, each of them an array of a hundred: arrays are one equation
    awk -v n="$1" 'BEGIN {
        print "using Modia\nLarge = Model(k = 0.1,"
        for (i = 1; i <= n/2; i++) printf "T%d = Var(init = zeros(100)),\n", i
        print "equations = :["
        for (i = 1; i <= n/2; i++) {
            up = i > 1 ? "T" (i - 1) : "zeros(100)"; down = i < n/2 ? "T" (i + 1) : "zeros(100)"
            printf "q%d = k*(vcat(0.0, T%d[1:end-1]) + vcat(T%d[2:end], 0.0) - 2*T%d)\n", i, i, i, i
            printf "der(T%d) = q%d + k*(%s + %s - 2*T%d)\n", i, i, up, down, i
        }
        print "])"
    }'
}
thermal() { # a square grid of the library's elements in arrays: capacities, and conductors to the right and down, 13 equations a cell
    cat <<END
using Modia
include("\$(Modia.modelsPath)/HeatTransfer.jl")
n = $(awk -v n="$1" 'BEGIN { print int(sqrt(n/13) + 0.5) }')
at(i, j) = (i - 1)*n + j
Large = Model(
    c = [HeatCapacitor | Map(C = 1.0u"J/K", T = Var(init = 300.0u"K")) for i in 1:n*n],
    r = [ThermalConductor | Map(G = 1.0u"W/K") for i in 1:n*n], d = [ThermalConductor | Map(G = 1.0u"W/K") for i in 1:n*n],
    connect = :[
        \$([:(c[\$i].port, r[\$i].port_a, d[\$i].port_a) for i in 1:n*n]...)
        \$([:(r[\$(at(i, j))].port_b, c[\$(at(i, j + 1))].port) for i in 1:n for j in 1:n-1]...)
        \$([:(d[\$(at(i, j))].port_b, c[\$(at(i + 1, j))].port) for i in 1:n-1 for j in 1:n]...)
    ])
END
}
nested() { # a binary tree of models in models, five equations for each leaf
    awk -v n="$1" 'BEGIN {
        print "using Modia\nNode0 = Model(x = Var(init = 1.0), u = Var(start = 0.0), y = Var(start = 0.0), equations = :[der(x) = u - x; y = 2*x])"
        leaves = 1
        for (k = 1; leaves*2*3.33 <= n*1.05; k++) {
            leaves *= 2
            printf "Node%d = Model(a = Node%d, b = Node%d, u = Var(start = 0.0), y = Var(start = 0.0), equations = :[a.u = u; b.u = a.y; y = b.y])\n", k, k - 1, k - 1
        }
        printf "Large = Model(tree = Node%d, equations = :[tree.u = 1.0])\n", k - 1
    }'
}
measure() { # family size: CPU seconds, equations, kilobytes
    "$1" "$2" >"$scratch/$1.jl"
    case $1 in ladder | gears | thermal) more= ;; *) more=', unitless = true' ;; esac
    echo "large = @instantiateModel(Large$more)" >>"$scratch/$1.jl"
    sed 's/^large = @instantiateModel(Large/&, log = true/' "$scratch/$1.jl" >"$scratch/log.jl"
    equations=$("$segue" run --no-sandbox "$scratch/log.jl" 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { n = $1 } END { print n }')
    for k in 1 2; do
        /usr/bin/time -f '%U %S %M' "$segue" run --no-sandbox "$scratch/$1.jl" 2>&1 >/dev/null | tail -n 1
    done | awk -v e="$equations" '{ t = $1 + $2; if (NR == 1 || t < least) least = t; m = $3 } END { print least, e, m }'
}
for family in ${*:-ladder gears scalar grid thermal nested}; do
    before=
    for size in 25000 50000 100000; do
        before=$(measure "$family" "$size" | awk -v f="$family" -v before="$before" '{
            split(before, b, " ")
            exponent = before == "" ? "" : sprintf(", \"exponent\": %.3g", log($1/b[1])/log($2/b[2]))
            printf "{\"name\": \"translate_%s\", \"size\": %d, \"unit\": \"equations\", \"time\": %s, \"kB_per_equation\": %.3g%s, \"goal\": 2.0}\n",
                f, $2, $1, $3/$2, exponent >"/dev/stderr"
            print $1, $2 }' 3>&1 2>&4)
    done
done 4>&1
