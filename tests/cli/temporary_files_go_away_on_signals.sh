# Whatever signal ends the program, no temporary file stays, and no half of a file has the name of a whole one.
cat >long.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), y = Var(init = 0.0), equations = :[der(x) = y, der(y) = -x])
M = @instantiateModel(M, unitless = true)
simulate!(M, stopTime = 1e7, interval = 0.1)
END

grows() { [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -gt 100000 ]; }

# A run ends in order: what it reached is a result.
for signal in INT TERM HUP; do
    "$SEGUE" run -q --force long.jl -o "run-$signal" >out 2>err &
    run=$!
    until_true grows "run-$signal/M.segue.part"
    kill -s $signal $run
    wait $run
    got=$?
    [ $got -eq 130 ] || fail "status $got after SIG$signal"
    has err 'interrupted at time'
    left=$(ls "run-$signal" | grep 'part\|tmp')
    [ -z "$left" ] || fail "after SIG$signal there is $left"
    status 0 "$SEGUE" info "run-$signal"
done

# However early: where there is no result yet, there is no half of one.
for wait in 0.005 0.01 0.015 0.02 0.03 0.04; do
    "$SEGUE" run -q --force long.jl -o early >out 2>err &
    run=$!
    sleep $wait
    kill -s TERM $run
    wait $run 2>/dev/null
    left=$(ls early 2>/dev/null | grep 'part\|tmp')
    [ -z "$left" ] || fail "after $wait s there is $left"
done

# nohup(1) makes a lost terminal no reason to end.
(trap '' HUP; exec "$SEGUE" run -q --force long.jl -o kept >out 2>err) &
run=$!
until_true test -s kept/M.segue.part
kill -s HUP $run
sleep 0.5
kill -s TERM $run || fail 'SIGHUP ended a run that ignores it'
wait $run

# What a killed writer left where files without a name cannot be is taken away by the next run, if nobody holds it; other
# files with such endings stay.
mkdir stale
for name in M.csv.4242-0.tmp M.json.17-3.tmp held.csv.4243-0.tmp young.csv.4244-0.tmp notes.tmp 2026-11.tmp M.segue.4242.part; do
    echo x > "stale/$name"
    touch -d '1 hour ago' "stale/$name"
done
touch stale/young.csv.4244-0.tmp
ln -s ../long.jl stale/link.csv.1-0.tmp
flock -F stale/held.csv.4243-0.tmp sleep 60 >/dev/null 2>&1 &
holder=$!
until_true sh -c '! flock -n stale/held.csv.4243-0.tmp true'
status 0 "$SEGUE" run -q -e 'println(1)
using Modia
M = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(M, stopTime = 1.0)' -o stale
kill $holder
left=$(ls stale | grep -v 'segue$' | tr '\n' ' ')
[ "$left" = "2026-11.tmp M.segue.4242.part held.csv.4243-0.tmp link.csv.1-0.tmp notes.tmp young.csv.4244-0.tmp " ] ||
    fail "not just these stay: $left"

# A file that must have a name while it is written, as on some network drives, goes away when the end comes by force.
NAMELESS=$SG_BINARY_DIR/no_nameless_files.so
if [ -e "$NAMELESS" ] && [ "$SG_SLOWNESS" -eq 1 ]; then
    status 0 "$SEGUE" run -q -e 'using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
M = @instantiateModel(M, unitless = true)
simulate!(M, stopTime = 1.0, interval = 2e-7)' -o longer
    mkdir named
    for signal in INT TERM HUP; do
        LD_PRELOAD=$NAMELESS "$SEGUE" convert longer named/M.csv >out 2>err &
        run=$!
        until_true sh -c 'ls named/M.csv.*.tmp'
        kill -s $signal $run
        wait $run
        [ $? -eq 130 ] || fail "a conversion after SIG$signal: $(cat err)"
        [ -z "$(ls named)" ] || fail "after SIG$signal there is $(ls named)"
    done
fi

# A conversion has nothing to save; its file has no name before it is complete.
status 0 "$SEGUE" run -q -e 'using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
M = @instantiateModel(M, unitless = true)
simulate!(M, stopTime = 1.0, interval = 2e-6)' -o source
for signal in INT TERM HUP KILL; do
    mkdir "to-$signal"
    for wait in 0.02 0.05 0.1 0.2; do
        "$SEGUE" convert source "to-$signal/M.csv" >out 2>err &
        run=$!
        sleep $wait
        kill -s $signal $run 2>/dev/null
        wait $run 2>/dev/null
        left=$(ls "to-$signal" | grep 'tmp\|part')
        [ -z "$left" ] || fail "after SIG$signal there is $left"
        [ ! -e "to-$signal/M.csv" ] || [ "$(tail -c 1 "to-$signal/M.csv" | od -An -c | tr -d ' ')" = '\n' ] ||
            fail "half a file after SIG$signal"
        rm -f "to-$signal"/*
    done
done
