# Numbers that no run can make use of are refused before it begins, with the reason; on the command line and in scripts.
cat >decay.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
END
status 1 "$SEGUE" run --stop 1e-300 decay.jl
has err 'decay.jl:4:1: error[E0701]: stopTime = 1e-300 s is too close to startTime = 0 s'
for tolerance in 1e5 1; do
    status 1 "$SEGUE" run --tol $tolerance decay.jl
    has err 'decay.jl:4:1: error[E0701]: tolerance = 1'
    has err 'leaves no digit of a state'
done
status 0 "$SEGUE" run --tol 0.5 decay.jl
status 0 "$SEGUE" run --stop 1e-18 decay.jl
for option in --stop --tol --atol --interval; do
    for value in inf nan x ''; do
        status 1 "$SEGUE" run $option "$value" decay.jl
        has err "segue: $option needs a"
    done
done
for change in 'stopTime = 1e-300' 'stopTime = 1.0, tolerance = 1e5' 'startTime = 1e9, stopTime = 1e9 + 1e-7'; do
    sed "s/stopTime = 1.0/$change/" decay.jl >script.jl
    status 1 "$SEGUE" run script.jl
    has err 'script.jl:4:1: error[E0701]'
done

# Messages are the same with logs: place, cause and all.
cat >fails.jl <<'END'
using Modia
f(x) = x > 0.5 ? -x : error("f is broken")
M = Model(x = Var(init = 1.0),
    equations = :[
        der(x) = f(x)
        y = positive(x - 0.8)
    ])
m = @instantiateModel(M)
simulate!(m, stopTime = 5.0)
simulate!(m, stopTime = -1.0)
END
"$SEGUE" run fails.jl >out 2>expected
grep -q 'fails.jl:2:23: error.*f is broken' expected || fail "the cause is not told: $(cat expected)"
grep -q 'fails.jl:10:1: error.*must not be before' expected || fail "the second call has no place: $(cat expected)"
for log in 'log = true' 'logStates = true' 'logEvents = true' 'log = true, logEvents = true, logStates = true' \
    'logProgress = true, logTiming = true, logParameters = true'; do
    sed "s/0)\$/0, $log)/" fails.jl >logs.jl
    "$SEGUE" run logs.jl >out 2>err
    grep error err | sed 's/^logs/fails/' >seen
    grep error expected | diff - seen >/dev/null || fail "with $log: $(cat seen)"
done
"$SEGUE" run --log states,events,statistics fails.jl >out 2>err
grep error err >seen
grep error expected | diff - seen >/dev/null || fail "with --log: $(cat seen)"

# What is no number, or more than anybody wants to wait for, is refused by every command in words.
status 0 "$SEGUE" run -q -o numbers -e 'using Modia; M = Model(x = Var(init = 1.0), equations = :[der(x) = -x]);
m = @instantiateModel(M); simulate!(m, stopTime = 1.0)'
for option in columns legend scale; do
    for value in nan -nan inf -1 1e300 ''; do
        status 1 "$SEGUE" plot --$option "$value" numbers/M.segue x
        has err "--$option is a number"
    done
done
for option in rtol atol; do
    status 1 "$SEGUE" compare --$option nan numbers/M.segue numbers/M.segue
    has err "a tolerance is a number of at least 0"
done
for value in 99999999999999999999 0 -1 1e3 nan; do
    status 1 within 10 "$SEGUE" distance --bench $value /dev/null
    has err '--bench needs a number of repetitions'
done
