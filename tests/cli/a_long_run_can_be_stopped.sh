# Ctrl-C ends a long run at its next step and keeps what was computed, status 130; SIGUSR1 asks how far
# it is. In a pipe there is no progress line.
cp "$SG_SOURCE_DIR/tests/models/scenes/long.jl" long.jl

# A pipe: only what the script prints, and the message about the interrupt.
rm -rf out-dir
"$SEGUE" run -o out-dir --summary summary.json long.jl > out 2> err &
run=$!
# However busy the machine: the signals are sent when the run is on its way, each after the last.
result_grows() { [ "$(stat -c %s out-dir/Long.segue.part 2> /dev/null || echo 0)" -gt 100000 ]; }
until_true result_grows
kill -USR1 $run
until_true grep -q steps err
kill -INT $run
wait $run
got=$?
[ $got -eq 130 ] || fail "exit status $got instead of 130"
has out before
lacks out after
has err "interrupted at time = "
has err "steps"
[ "$(grep -c 'steps' err)" -eq 1 ] || fail "SIGUSR1 prints one line"
lacks err "$(printf '\r')"
has summary.json '"exitStatus":130'
lacks summary.json '"finalTime":0,'
# The result is there up to the interrupt, and its last point is where the run stopped.
status 0 "$SEGUE" info out-dir/Long.segue
status 0 "$SEGUE" convert out-dir/Long.segue long.csv
rows=$(wc -l < long.csv)
[ "$rows" -gt 50 ] || fail "only $rows rows in the result"
last=$(tail -n 1 long.csv | cut -d, -f1)
grep -qF "\"finalTime\":$last" summary.json || fail "the result ends at $last, not where the run stopped"

# A limit of CPU time ends it as well, with its own status.
status 6 "$SEGUE" run -q --max-cpu-time 1 long.jl
has err "the limit of 1 s of CPU time was reached at time = "
