# What died away and comes back is told once, with the state, its tolerance and the time, and does not change with the output interval; what only
# dies away is not told. An event that sets the state ends what was followed.
cat > back.jl <<'E1'
using Modia
Back = Model(T = 5.0, p = Var(init = 1e-3), y = Var(init = 1.0), v = Var(init = 0.0), equations = :[
    der(p) = 4*(time - T)*p*(1 - p/2)
    der(y) = v
    der(v) = -9*y - p])
back = @instantiateModel(Back, unitless = true)
simulate!(back, SOLVER, stopTime = 12.0, interval = INTERVAL, tolerance = 1e-4, merge = Map(T = FALLS))
println("OUT ", getLastValue(back, "p"), " ", getLastValue(back, "y"))
E1
run() { # run SOLVER INTERVAL FALLS
    sed "s/SOLVER/$1()/; s/INTERVAL/$2/; s/FALLS/$3/" back.jl > one.jl
    status 0 within 60 "$SEGUE" run one.jl
    lacks err "warning"
}
for solver in CVODE_BDF IDA Tsit5 Rodas5; do
    run $solver 0.01 5.0
    has err "'p' has fallen below its absolute tolerance 1e-09"
    has err "was followed on a scale of its own"
    [ "$(grep -c "E0718" err)" = 1 ] || fail "$solver: told more than once: $(cat err)"
    awk '$1 == "OUT" { n++; ok = $2 > 1.9995 && $2 < 2.0005 } END { exit !(n == 1 && ok) }' out || fail "$solver: not 2: $(cat out)"
    cp out fine
    for interval in 0.7 12.0; do
        run $solver $interval 5.0
        cmp out fine || fail "$solver: another run at interval $interval"
    done
    # Never grows, and nothing to tell.
    run $solver 0.01 12.0
    lacks err "scale of its own"
done

# Set by an event while it was followed: what was left of it is of no interest then.
cat > set.jl <<'E2'
using Modia
Set = Model(p = Var(init = 1e-3), equations = :[
    late = after(6.0)
    again = if edge(late); reinit(p, 1e-3) else false end
    der(p) = 4*(time - 5)*p*(1 - p/2)])
set = @instantiateModel(Set, unitless = true)
simulate!(set, SOLVER, stopTime = 6.5, tolerance = 1e-6)
println("OUT ", getLastValue(set, "p"))
E2
for solver in CVODE_BDF Tsit5 Rodas5; do
    sed "s/SOLVER/$solver()/" set.jl > one.jl
    status 0 within 60 "$SEGUE" run one.jl
    # p/(2 - p) grows by exp(2*(1.5^2 - 1)).
    awk '$1 == "OUT" { n++; r = 1e-3/1.999*exp(2.5); d = $2 - 2*r/(1 + r) } END { exit !(n == 1 && d < 1e-6 && d > -1e-6) }' out ||
        fail "$solver: $(cat out)"
done
