# --set, --stop, --tol, --interval, --solver win over simulate!, and what is really run is printed.
cat > top.jl <<'END'
using Modia
Sub = Model(k = 3.0, x = Var(init = 1.0), equations = :[der(x) = -k*x])
Top = Model(a = Sub, b = Sub | Map(k = 1.0), v = [1.0, 2.0])
top = @instantiateModel(Top, unitless = true)
simulate!(top, stopTime = 1.0, merge = Map(b = Map(k = 2.0)))
t = getValues(top, "time")
println(round(getLastValue(top, "a.x"), digits = 4), " ", round(getLastValue(top, "b.x"), digits = 4), " ", t[end], " ",
        length(t), " ", getLastValue(top, "v"))
END
status 0 "$SEGUE" run top.jl
has out "0.0498 0.1353 1.0 501 [1.0, 2.0]"
lacks err "command line"
# Values are expressions of the language; they win over those of `merge`, which stay otherwise.
status 0 "$SEGUE" run --set a.k=1/2 --set b.x=2.0 --set 'v=[3.0, 4.0, 5.0]' top.jl
has out "0.6065 0.2707 1.0 501 [3.0, 4.0, 5.0]"
has err "with the command line: stopTime = 1 s, tolerance = 1e-06, interval = 0.002 s, solver = CVODE_BDF, a.k = 1/2, b.x = 2.0, v = [3.0, 4.0, 5.0]"
status 0 "$SEGUE" run --stop 2 --tol 1e-9 --interval 0.5 --solver Tsit5 --summary summary.json top.jl
has out "0.0025 0.0183 2.0 5 "
has err "stopTime = 2 s, tolerance = 1e-09, interval = 0.5 s, solver = Tsit5"
has summary.json '"solver":"Tsit5","startTime":0,"stopTime":2,"tolerance":1e-09'

# Names that are not there, components, nonsense.
status 1 "$SEGUE" run --set a.kk=1 top.jl
has err "has no parameter or start value 'a.kk'"
status 1 "$SEGUE" run --set a=1 top.jl
has err "'a' of model 'Top' is a component"
status 2 "$SEGUE" run --set a.k=1+ top.jl
has err "<--set a.k>:1:3"
status 1 "$SEGUE" run --set a.k top.jl
has err "--set needs NAME=VALUE"
status 1 "$SEGUE" run --solver CVODE_BFD top.jl
has err "did you mean 'CVODE_BDF'?"
status 1 "$SEGUE" run --tol 1e-20 top.jl
has err "--tol needs a number of at least 1e-16"
status 1 "$SEGUE" run --stop soon top.jl
has err "--stop needs a number, not 'soon'"
status 1 "$SEGUE" run --stop -1 top.jl
has err "stopTime = -1 s must not be before startTime = 0 s"

# --converge: the run again at a tenth of the tolerance, the difference of each signal.
status 0 "$SEGUE" run --converge --tol 1e-3 top.jl
has err "at a ten times smaller tolerance"
grep -q '^  a.x  *[0-9.e-]* at t = ' out || fail "no difference for a.x"
has out "501"
status 0 "$SEGUE" run --converge --tol 1e-8 top.jl
awk '/ at t = / && $2 > 1e-6 { bad = 1 } END { exit bad }' out || fail "differences too large: $(cat out)"

# With --strict the exit status says whether it is the same solution: one that decays is, from a coarse
# tolerance to a fine one; one from which all others run away is not.
for tol in 1e-2 1e-4 1e-6 1e-9; do
    status 0 "$SEGUE" run --converge --strict --tol $tol top.jl
    has err "note: at a ten times smaller tolerance 0 of"
done
cat > unstable.jl <<'END'
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = 20*(x - cos(time)) - sin(time)]), unitless = true)
simulate!(m, stopTime = 1.5)
END
status 0 "$SEGUE" run --converge unstable.jl
has err "note: at a ten times smaller tolerance 2 of"
status 5 "$SEGUE" run --converge --strict unstable.jl
has err "unstable.jl:3:1: error[E0725]: at a ten times smaller tolerance 2 of"
# What is rounding only is no difference.
cat > rounding.jl <<'END'
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x; y = (x + 0.1) - x - 0.1]), unitless = true)
simulate!(m, stopTime = 3.0)
END
status 0 "$SEGUE" run --converge --strict rounding.jl
status 0 "$SEGUE" run --strict top.jl # there is nothing to warn of

# --log adds to what the script prints; --json keeps standard output for machines.
status 0 "$SEGUE" run --log statistics,states top.jl
has out "nAcceptedSteps"
has out "# states"
status 1 "$SEGUE" run --log steps top.jl
has err "--log takes statistics, states, events"
status 0 "$SEGUE" run --json top.jl
has err "0.0498 0.1353 1.0 501"
[ "$(head -c 1 out)" = "{" ] || fail "standard output is not the summary: $(cat out)"
has out '"exitStatus":0'
