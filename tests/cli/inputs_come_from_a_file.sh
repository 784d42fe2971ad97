# --input FILE.csv: linear between rows, two rows with one time are a step and an event, integers
# and Booleans are held, units in the header are converted; what does not fit is said.
cat > lag.jl <<'END'
using Modia
Lag = Model(u = Var(input = true), x = Var(init = 0.0), equations = :[der(x) = u - x; y = 2*u])
lag = @instantiateModel(Lag, unitless = true)
simulate!(lag, stopTime = 2.0, tolerance = 1e-8)
# A ramp up to 1 s, then nothing: x = t - 1 + exp(-t) and its decay.
@test isapprox(getLastValue(lag, "x"), exp(-2.0), rtol = 1e-6)
t = getValues(lag, "time"); u = getValues(lag, "u"); x = getValues(lag, "x"); y = getValues(lag, "y")
at = findall(t .== 1.0)
@test length(at) == 2 && u[at[1]] == 1.0 && u[at[2]] == 0.0     # both sides of the step
@test x[at[1]] == x[at[2]] && y == 2*u
@test maximum(abs.([t[i] < 1.0 ? u[i] - t[i] : 0.0 for i in 1:length(t)])) < 1e-12
END
printf 'time,u\n0,0\n1,1\n1,0\n2,0\n' > ramp.csv
for solver in CVODE_BDF IDA Tsit5 Rodas4; do
    status 0 "$SEGUE" run --solver $solver --input ramp.csv --summary summary.json lag.jl
    grep -q '"nEvents":1,' summary.json || fail "$solver: a step is one event: $(cat summary.json)"
done

# Without the file the model is not complete, and says so; with another name of the column too.
status 2 "$SEGUE" run lag.jl
has err "the input 'u' of the model has no value"
bad() { # bad TEXT CSV
    printf "$2" > bad.csv
    status 1 "$SEGUE" run --input bad.csv lag.jl
    has err "$1"
}
bad "did you mean 'U'?" 'time,U\n0,0\n2,1\n'
bad "time must not go back, but row 3 has 0.5 s after 1 s" 'time,u\n0,0\n1,1\n0.5,0\n2,0\n'
bad "values from 0 s to 1 s, but the simulation goes from 0 s to 2 s" 'time,u\n0,0\n1,1\n'
bad "values from 0.5 s to 2 s" 'time,u\n0.5,0\n2,1\n'
bad "has no number in row 2, at 1 s" 'time,u\n0,0\n1,\n2,1\n'
bad "a field is not a number" 'time,u\n0,zero\n2,1\n'
bad "the unit 'furlong' of column 'u' is not known" 'time,u [furlong]\n0,0\n2,1\n'
status 1 "$SEGUE" run --input nowhere.csv lag.jl
has err "nowhere.csv"

# Units: 5 mm are 0.005 m, and a length is no mass. Vectors, integers, Booleans; start values stand
# in for columns that are not there; other columns are named.
cat > units.jl <<'END'
using Modia
M = Model(
    s = Var(input = true, start = 0.0u"m"), v = Var(input = true, start = [0.0, 0.0]),
    n = Var(input = true, start = 1), on = Var(input = true, start = false), k = Var(input = true, start = 3.0),
    x = Var(init = 0.0u"m"), z = Var(init = 0.0),
    equations = :[ der(x) = s/(1.0u"s")
                   der(z) = (if on; 1.0*n else 0.0 end + v[1] + 10*v[2] + 0*k)/(1.0u"s") ])
m = @instantiateModel(M)
simulate!(m, stopTime = 4.0, tolerance = 1e-9)
@test isapprox(getLastValue(m, "x"; unit = false), 0.005*4, rtol = 1e-8)
# n*on is 2 from 1 to 3, then 0; v1 = t, v2 = 1: 4 + 8 + 40
@test isapprox(getLastValue(m, "z"; unit = false), 52.0, rtol = 1e-8)
@test getLastValue(m, "n") == 7
n = getValues(m, "n")
@test all(i -> i == 1 || i == 2 || i == 7, n)
END
cat > units.csv <<'END'
"time";"s [mm]";"v[1]";"v[2]";"n";"on";"spare"
0;5;0;1;1;0;9
1;5;1;1;2;1;9
3;5;3;1;7;0;9
4;5;4;1;7;0;9
END
status 0 "$SEGUE" run --input units.csv units.jl
has err "has no column 'k'"
has err "column 'spare' of 'units.csv' belongs to no input"
sed 's/;"v\[2\]"/;"w"/' units.csv > short.csv
status 1 "$SEGUE" run --input short.csv units.jl
has err "has 1 columns for the input 'v', which has 2 elements"
sed 's/s \[mm\]/s [kg]/' units.csv > mass.csv
status 1 "$SEGUE" run --input mass.csv units.jl
has err "column 's' is in kg, but the input is in m"
sed 's/^1;5;1;1;2/1;5;1;1;2.5/' units.csv > half.csv
status 1 "$SEGUE" run --input half.csv units.jl
has err "has 2.5 in row 2, but the input is an integer"

# A pulse that is short beside the steps of a quiet model is not stepped over.
printf 'time,u\n0,0\n50,0\n50.001,1000\n50.002,0\n100,0\n' > pulse.csv
cat > quiet.jl <<'END'
using Modia
Quiet = Model(u = Var(input = true), x = Var(init = 0.0), equations = :[der(x) = u])
quiet = @instantiateModel(Quiet, unitless = true)
simulate!(quiet, stopTime = 100.0, requiredFinalStates = [1.0], requiredFinalStates_rtol = 1e-6)
END
for solver in CVODE_BDF Tsit5 IDA; do
    status 0 "$SEGUE" run --solver $solver --input pulse.csv quiet.jl
done

# The result of a run may be the input of another one: u = 2t from its grid, so x = t^2.
cat > source.jl <<'END'
using Modia
Source = Model(x = Var(init = 0.0), equations = :[der(x) = 1.0; u = 2*x])
source = @instantiateModel(Source, unitless = true)
simulate!(source, stopTime = 100.0)
END
status 0 "$SEGUE" run -o first source.jl
sed 's/= \[1.0\]/= [10000.0]/' quiet.jl > next.jl
status 0 "$SEGUE" run --input first/Source.segue next.jl
has err "belong to no input"

# A model without inputs says that it does not use the file; a missing one is an error there as well.
cat > closed.jl <<'END'
using Modia
Closed = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
closed = @instantiateModel(Closed, unitless = true)
simulate!(closed, stopTime = 1.0)
END
status 0 "$SEGUE" run --input units.csv closed.jl
has err "closed.jl:4:1: warning[E0717]: 'units.csv' is not used: the model has no inputs"
status 1 "$SEGUE" run --input nowhere.csv closed.jl
has err "nowhere.csv"
