# Without a named solver a large model whose fastest rate is slow beside the steps goes on with CVODE_Adams, told once, and comes back to
# CVODE_BDF where it becomes stiff. Who names a solver keeps it; small and stiff models, and runs as published, keep CVODE_BDF.
value() { awk -v name="$1" '$1 == name { v = $3 } END { print v }' out; }
holds() { awk "BEGIN { exit !($1) }" || fail "$1"; }
model() { # model FILE CALL: a pulse along masses (see false_alarm_chains), 2*N states
    cat > "$1.jl" <<END
using Modia
n = ${3:-200}
Lattice = Model(n = n, x = Var(init = zeros(n)), v = Var(init = [i == 1 ? 1.0 : 0.0 for i in 1:n]), equations = :[
    der(x) = v
    der(v) = [(i < n ? x[i + 1] - x[i] : 0.0) - (i > 1 ? x[i] - x[i - 1] : 0.0) for i in 1:n]])
m = @instantiateModel(Lattice, unitless = true)
simulate!(m, $2 stopTime = 60.0, tolerance = 1e-7, log = true)
println("x1 = ", getValues(m, "x")[end, 1])
END
}

# The closed form: the integral of J0(2t) + J2(2t) from 0 to 60. CVODE_BDF makes 16 Jacobians here.
model pulse ''
status 0 "$SEGUE" run pulse.jl
has err "note: Lattice: nothing in the model is fast beside the steps"
has err "CVODE_Adams goes on"
[ "$(grep -c 'CVODE_Adams' err)" -eq 1 ] || fail "not told once"
holds "$(value nJac) <= 3"
holds "($(value x1) - 0.9994024153934629)^2 < 1e-12"
steps=$(value nAcceptedSteps) evaluations=$(value nf_integrator)

# Wherever results are stored, the steps are the same.
for interval in 0.013 7.0; do
    status 0 "$SEGUE" run --interval "$interval" pulse.jl
    holds "$(value nAcceptedSteps) == $steps"
    holds "$(value nf_integrator) == $evaluations"
done

# Named, small, as published.
kept() {
    lacks err CVODE_Adams
    holds "$(value nJac) > 3"
}
status 0 "$SEGUE" run --solver CVODE_BDF pulse.jl
kept
status 0 "$SEGUE" run --compat modia-0.12 pulse.jl
kept
model named 'CVODE_BDF(),'
status 0 "$SEGUE" run named.jl
kept
model small '' 49
status 0 "$SEGUE" run small.jl
kept

# Stiffness that comes, smoothly or at once, up to where functional iteration cannot take a single step: back, without a word, within a few
# hundred steps. The solution lags behind cos(t) by sin(t)/k.
for k in '1.0 + 1e4*(0.5 + 0.5*tanh(time - 50.0))' 'if time > 50.0; 1e5 else 1.0 end' 'if time > 50.0; 1e12 else 1.0 end'; do
    cat > comes.jl <<END
using Modia
n = 200
Comes = Model(n = n, x = Var(init = [1.0 + 0.001*i for i in 1:n]), equations = :[
    k = $k
    der(x) = [-k*(x[i] - cos(time + 0.01*i)) for i in 1:n]])
m = @instantiateModel(Comes, unitless = true)
simulate!(m, stopTime = 100.0, tolerance = 1e-6, log = true)
println("off = ", maximum(abs.([getValues(m, "x")[end, i] - cos(100.0 + 0.01*i) - sin(100.0 + 0.01*i)/getLastValue(m, "k") for i in 1:n])))
END
    status 0 "$SEGUE" run comes.jl
    has err "CVODE_Adams goes on"
    lacks err warning
    holds "$(value nJac) > 8"
    holds "$(value nAcceptedSteps) < 1300"
    holds "$(value off) < 2e-6"
done

# Stiff from the beginning.
cat > heat.jl <<'END'
using Modia
n = 200
Heat = Model(n = n, T = Var(init = [i == 1 ? 1.0 : 0.0 for i in 1:n]), equations = :[
    der(T) = [10.0*((i < n ? T[i + 1] - T[i] : 0.0) - (i > 1 ? T[i] - T[i - 1] : 0.0)) for i in 1:n]])
m = @instantiateModel(Heat, unitless = true)
simulate!(m, stopTime = 100.0, tolerance = 1e-6, log = true)
println("total = ", sum(getValues(m, "T")[end, :]))
END
status 0 "$SEGUE" run heat.jl
kept_out=$(value nJac)
lacks err CVODE_Adams
holds "$kept_out > 2"
holds "($(value total) - 1.0)^2 < 1e-10"
