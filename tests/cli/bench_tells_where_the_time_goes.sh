# segue bench: shares of each simulation that add up, as a table and as JSON; what a run does much of
# has a share; nothing is left behind.
number() { # key
    sed -n "s/.*\"$1\":\([-0-9.e+]*\).*/\1/p" out
}
sums_up() { # name
    awk -v a="$(number translation)" -v b="$(number evaluation)" -v c="$(number jacobian)" -v d="$(number factorization)" \
        -v e="$(number events)" -v f="$(number output)" -v g="$(number integrator)" \
        'BEGIN { s = a + b + c + d + e + f + g; exit !(s > 0.998 && s < 1.002) }' || fail "$1: shares do not add up: $(cat out)"
}
at_least() { # name key part; who shares the machine may take some of it
    awk -v a="$(number "$2")" -v b="$3" 'BEGIN { exit !(a >= b) }' || fail "$1: $2 is less than $3: $(cat out)"
}
bench() { # name
    status 0 "$SEGUE" bench --json --repeat 3 "$1.jl"
    sums_up "$1"
}

# Events: a saw tooth.
cat > events.jl <<'EOF'
using Modia
M = Model(x = Var(init = 0.0), v = Var(init = 0.0), equations = :[der(x) = 1.0; der(v) = if sin(300*x) > 0.0; 1.0 else -1.0 end])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 20.0, interval = 20.0)
EOF
bench events
at_least events events 0.1
[ "$(number events | cut -c1)" = 0 ] || fail "events: no share"

# Output: many points of a slow motion.
cat > output.jl <<'EOF'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -1e-3*x; y = [sin(i*x) + cos(i*x)^2 for i in 1:200]])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0, interval = 1e-4)
EOF
bench output
at_least output output 0.1

# A full matrix: all to all, stiff.
cat > full.jl <<'EOF'
using Modia
M = Model(n = 150, x = Var(init = [sin(i) for i in 1:150]), equations = :[s = sum(x); der(x) = [-i*x[i] - s^3/i + sin(s*x[i]) for i in 1:n]])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 10.0, interval = 10.0)
plot(m, "s")
EOF
status 0 "$SEGUE" bench --repeat 1 full.jl
for word in translation evaluation Jacobian factorization events output integrator "what would help"; do
    has out "$word"
done
has out "150 states"
[ "$(ls)" = "$(ls | grep -v results)" ] || fail "something is left behind: $(ls)"

# Three equations, whose evaluation is shorter than it takes to read the clock: it has a share all the same.
cat > small.jl <<'EOF'
using Modia
M = Model(x = Var(init = 1.0), y = Var(init = 1.0), z = Var(init = 1.0), equations = :[
    der(x) = 10*(y - x); der(y) = x*(28 - z) - y; der(z) = x*y - 8/3*z])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 60.0, interval = 60.0)
EOF
bench small
at_least small evaluation 0.001
at_least small factorization 0.001
status 0 "$SEGUE" bench --repeat 1 small.jl
awk '$1 == "output" && !($2 == "<0.1" || $2 > 0) { exit 1 }' out || fail "small: $(cat out)"

# What cannot be.
echo 'x = 1' > nothing.jl
status 1 "$SEGUE" bench nothing.jl
has err "simulates nothing"
status 1 "$SEGUE" bench --repeat 0 events.jl
