cat >good.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[ der(x) = -x ])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
END
status 0 "$SEGUE" check good.jl
printf 'x = unknownName\n' >bad.jl
status 2 "$SEGUE" check bad.jl
has err 'bad.jl:1:5'

# One object a line, for editors.
status 2 "$SEGUE" check --json bad.jl
head -n 1 out >first.json
for field in severity:error file:bad.jl line:1 column:5 length:11; do
    found=$("$SG_BINARY_DIR"/json_get first.json "${field%%:*}") || fail "no ${field%%:*}"
    [ "$found" = "${field#*:}" ] || fail "${field%%:*} is $found"
done
"$SG_BINARY_DIR"/json_get first.json code text >/dev/null || fail 'no code or text'

# What needs the run is left out and counted; what it would have set is unknown afterwards.
cat > needs.jl <<'END'
using Modia
using Test
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
last = getLastValue(m, "x")
@test abs(last - exp(-1.0)) < 1e-5
values = Float64[]
for i in 1:3
    simulate!(m, stopTime = i)
    push!(values, getLastValue(m, "x"))
end
@test values[3] < values[1]
println(2*last)
END
status 0 "$SEGUE" check needs.jl
has out "skipped"
status 0 "$SEGUE" run needs.jl

# A mistake ends a run; a check goes on and finds the next one, and blames nobody else for the first.
cat >mistakes.jl <<'END'
using Modia
A = Modle(x = 1)
B = A | Map(y = 2)
c = [1, 2, 3][7]
d = c + 1
e = lenght([1])
f(a; tolerance = 1) = a
f(1, tolerence = 2)
END
status 2 "$SEGUE" check mistakes.jl
has err "mistakes.jl:2:5: error"
has err "mistakes.jl:4:5: error"
has err "mistakes.jl:6:5: error"
has err "mistakes.jl:8:1: error"
[ "$(grep -c 'error\[' err)" = 4 ] || fail 'a mistake was reported twice'
status 2 "$SEGUE" run mistakes.jl
[ "$(grep -c 'error\[' err)" = 1 ] || fail 'a run goes on after a mistake'

# Models that are made of results, and functions that take them from elsewhere: nothing is wrong there.
cat > made.jl <<'END'
using Modia, Test
A = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
a = @instantiateModel(A, unitless = true)
simulate!(a, stopTime = 1.0)
times = getValues(a, "time", unit = false)
row(t) = findfirst(x -> x >= t, times)
for t in [0.5, 1.0]
    println(row(t))
end
reached = getLastValue(a, "x")
B = Model(p = reached, x = Var(init = [reached, 1.0]), equations = :[der(x) = -p*x])
b = @instantiateModel(B, unitless = true)
simulate!(b, stopTime = 1.0)
@test get_xNames(a) == ["x"]
@test get_xNames(b) == ["x[1]", "x[2]"]
println(getLastValue(b, "x"), row(0.3))
END
status 0 "$SEGUE" check made.jl
has out "statements need a run and were skipped"
status 0 "$SEGUE" run made.jl
printf 'row(t) = findfirst(x -> x >= t, tmies)\nprintln(row(1.0))\n' > wrong.jl
status 2 "$SEGUE" check wrong.jl
has err "'tmies' is not defined"
