# States below their absolute tolerances (E0718): where that matters the run is repeated and comes out right, with a note; where it does
# not, nothing is said and nothing ends.
near() { # near NAME VALUE PART: the last line "NAME = value" of out
    awk -v name="$1" -v want="$2" -v part="$3" '$1 == name { got = $3; n++ }
        END { d = got - want; exit !(n && (d < 0 ? -d : d) <= part*(want < 0 ? -want : want)) }' out ||
        fail "$1 is not $2: $(grep "^$1 = " out)"
}

# Robertson's problem at all defaults, in other units, other orders and other lengths. References: Radau of SciPy at 1e-10.
robertson() { # robertson STOP OPTIONS UNIT
    cat > robertson.jl <<END
using Modia
u = $3
Robertson = Model(u = $3, y3 = Var(init = 0.0), y1 = Var(init = 1.0*$3), y2 = Var(init = 0.0), equations = :[
    der(y3) = 3e7*y2^2/u
    der(y1) = -0.04*y1 + 1e4*y2*y3/u
    der(y2) = 0.04*y1 - 1e4*y2*y3/u - 3e7*y2^2/u])
robertson = @instantiateModel(Robertson, unitless = true)
simulate!(robertson, stopTime = $1$2)
println("y1 = ", getLastValue(robertson, "y1")/u)
println("sum = ", (getLastValue(robertson, "y1") + getLastValue(robertson, "y2") + getLastValue(robertson, "y3"))/u)
END
    status 0 within 20 "$SEGUE" run robertson.jl
    near sum 1 1e-4
}
robertson 1e9 "" 1.0
near y1 2.08334e-6 1e-3
robertson 1e11 "" 1.0
near y1 2.08334e-8 1e-3
has err "note[E0718]"
robertson 1e13 "" 1.0
near y1 2.08333e-10 1e-3
robertson 1e11 "" 1e-3
near y1 2.08334e-8 1e-3
for interval in 1e7 1e9 1e11; do # the points of the result are not what it depends on
    robertson 1e11 ", interval = $interval" 1.0
    near y1 2.08334e-8 1e-3
done

# Growth out of almost nothing, beside something else, with an event on the way, under several methods.
for solver in CVODE_BDF Tsit5 IDA Rodas5 CVODE_Adams; do
    for start in 1e-9 1e-12; do
        cat > logistic.jl <<END
using Modia
Logistic = Model(x = Var(init = $start), z = Var(init = 1.0), equations = :[
    der(x) = x*(1 - x)
    der(z) = if time < 3.0; -z else 1.0 - z end])
logistic = @instantiateModel(Logistic, unitless = true)
simulate!(logistic, $solver(), stopTime = 100.0)
println("x = ", getLastValue(logistic, "x"))
simulate!(logistic, $solver(), stopTime = log(1/$start))
println("half = ", getLastValue(logistic, "x"))
END
        status 0 within 20 "$SEGUE" run logistic.jl
        near x 1 1e-4
        near half 0.5 0.02
    done
done

# Two populations whose numbers fall to 1e-17 and come back, at three tolerances: what stays the same along the way does.
for tolerance in 1e-4 1e-6 1e-8; do
    cat > prey.jl <<END
using Modia
Prey = Model(x = Var(init = 40.0), y = Var(init = 0.01), equations = :[der(x) = x*(1 - y); der(y) = y*(x - 1)])
prey = @instantiateModel(Prey, unitless = true)
simulate!(prey, stopTime = 60.0, tolerance = $tolerance)
invariant(x, y) = x - log(x) + y - log(y)
println("kept = ", invariant(getLastValue(prey, "x"), getLastValue(prey, "y")))
END
    status 0 within 20 "$SEGUE" run prey.jl
    near kept 40.92629073 0.02
done

# A wave that runs into a chain at rest, a state that is nothing but rounding, and what comes to rest: not a word.
cat > chain.jl <<'END'
using Modia

Chain = Model(x = Var(init = zeros(30)), v = Var(init = zeros(30)), equations = :[
    der(x) = v
    der(v) = 1e6*([(if time <= 0.01; sin(100*pi*time)^2 else 0.0 end); x[1:end-1]] - 2*x + [x[2:end]; 0.0])])
chain = @instantiateModel(Chain, unitless = true)
simulate!(chain, Tsit5(), stopTime = 0.05)
println("x = ", getLastValue(chain, "x")[5])
Rest = Model(x = Var(init = 1.0), v = Var(init = 0.0), a = Var(init = 0.0), b = Var(init = 1.0), equations = :[
    der(x) = v; der(v) = -x - v; der(a) = (b + 0.1) - b - 0.1 - a; der(b) = -0.3*b])
rest = @instantiateModel(Rest, unitless = true)
simulate!(rest, stopTime = 50.0)
END
status 0 within 20 "$SEGUE" run chain.jl
lacks err E0718
cp out first
status 0 within 20 "$SEGUE" run --tol 1e-9 chain.jl
lacks err E0718
near x "$(awk '/^x = / { print $3 }' first)" 1e-3

# The beam of the test set for initial value problems.
beam=$SG_SOURCE_DIR/../shared/cases/equations/beam.jl
if [ -f "$beam" ]; then
    # Speeds of links that nothing has reached yet would grow only where the space of modes is too small for them.
    for tolerance in 1e-4 1e-6; do
        sed "s/stopTime=5.0, tolerance=1e-6/stopTime=0.2, tolerance=$tolerance/" "$beam" > beam.jl
        status 0 within 60 "$SEGUE" run beam.jl
        lacks err error
        lacks err 'warning\[E0718'
    done
    # At 1e-3 it is off by some absolute tolerances of 1e-4, with tests or without (5 % of this angle with atol = 1e-4 and 2 % at 8e-4).
    sed -e 's/tolerance=1e-6/tolerance=1e-3/' -e '0,/^println("OUT "/s//println("th1 = "/' "$beam" > beam.jl
    status 0 within 120 "$SEGUE" run beam.jl
    lacks err error
    lacks err 'warning'
    near th1 -0.005792366591 0.08
else
    echo "skipped: beam.jl is not here"
fi

# Two voltages whose difference is nothing but rounding for a while, which a condition compares: of the gate of the same test set.
nand=$SG_SOURCE_DIR/../shared/cases/equations/nand.jl
if [ -f "$nand" ]; then
    for tolerance in 1e-4 1e-6; do
        sed -e "s/tolerance=1e-6/tolerance=$tolerance/" -e 's/^println("OUT ", getLastValue(m, "y1"))/println("y1 = ", getLastValue(m, "y1"))/' "$nand" > nand.jl
        status 0 within 60 "$SEGUE" run nand.jl
        near y1 4.971088699 1e-4
    done
else
    echo "skipped: nand.jl is not here"
fi
