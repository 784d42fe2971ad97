# Three kB for each equation, whatever builds the model: arrays of components with spliced connections, or statements.
chain() {
    cat <<END
using Modia
include("\$(Modia.modelsPath)/HeatTransfer.jl")
n = $1
Chain = Model(
    cap = [HeatCapacitor | Map(C = 1.0u"J/K", T = Var(init = (300.0 + i)*u"K")) for i in 1:n],
    rod = [ThermalConductor | Map(G = 1.0u"W/K") for i in 1:n],
    connect = :[
        \$([:(cap[\$i].port, rod[\$i].port_a) for i in 1:n]...)
        \$([:(rod[\$i].port_b, cap[\$(i + 1)].port) for i in 1:n-1]...)
    ])
m = @instantiateModel(Chain)
simulate!(m, stopTime = 0.1, interval = 0.01)
END
}
# kB that a command held at most, of memory that was touched.
peak() {
    python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss if status == 0 else -1)' "$@"
}
command -v python3 >/dev/null || { echo 'skipped: no python3'; exit 77; }
[ "$SG_SLOWNESS" -gt 1 ] && exit 77 # the sanitizers hold memory of their own
chain 1 >chain.jl
base=$(peak "$SEGUE" run -q chain.jl)
for n in 4000 12000; do
    chain $n >chain.jl
    now=$(peak "$SEGUE" run -q chain.jl)
    # Capacity 2, conductor 3, connections 3.
    [ "$now" -gt 0 ] && [ $((now - base)) -lt $((8 * n * 3)) ] ||
        fail "$((8 * n)) equations take $now kB, an empty model $base kB"
done

# The same where no component helps and everything is written out: numbers, and arrays, of which each equation holds many operations.
scalars() {
    awk -v n="$1" 'BEGIN {
        print "using Modia\nLarge = Model(k = 0.3,"
        for (i = 1; i <= n; i++) printf "x%d = Var(init = 1.0),\n", i
        print "equations = :["
        for (i = 1; i <= n; i++) printf "der(x%d) = k*(%s - x%d)\n", i, (i > 1 ? "x" (i - 1) : "1.0"), i
        print "])\nlarge = @instantiateModel(Large, unitless = true)"
    }'
}
arrays() {
    awk -v n="$1" 'BEGIN {
        print "using Modia\nLarge = Model(k = 0.1,"
        for (i = 1; i <= n/2; i++) printf "T%d = Var(init = zeros(100)),\n", i
        print "equations = :["
        for (i = 1; i <= n/2; i++) {
            printf "q%d = k*(vcat(0.0, T%d[1:end-1]) + vcat(T%d[2:end], 0.0) - 2*T%d)\n", i, i, i, i
            printf "der(T%d) = q%d + k*(%s + zeros(100) - 2*T%d)\n", i, i, (i > 1 ? "T" (i - 1) : "zeros(100)"), i
        }
        print "])\nlarge = @instantiateModel(Large, unitless = true)"
    }'
}
within_bytes() { # for each equation: form, equations, bytes
    "$1" "$2" >large.jl
    now=$(peak "$SEGUE" run -q large.jl)
    [ "$now" -gt 0 ] && [ $((now - base)) -lt $(($2 * $3 / 1000)) ] ||
        fail "$2 equations of $1 take $now kB, an empty model $base kB"
}
within_bytes scalars 20000 2850
within_bytes arrays 20000 3700
