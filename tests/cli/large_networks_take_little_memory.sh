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
