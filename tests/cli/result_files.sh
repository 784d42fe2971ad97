# Where the results of a run go: with -o, without, in which formats, and what a kill leaves.
cat >m.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), y = Var(init = 0.0), equations = :[der(x) = -x; der(y) = x])
m = @instantiateModel(M)
simulate!(m, stopTime = 2.0)
simulate!(m, stopTime = 1.0)
END
status 0 "$SEGUE" run m.jl
[ "$(ls m-results)" = "M-2.segue
M.segue" ] || fail "run files are kept, and nothing else: $(ls m-results)"

status 0 "$SEGUE" run -o res --result-format csv,json,mat,arrow m.jl
for format in segue csv json mat arrow; do
    for name in M M-2; do
        [ -f res/$name.$format ] || fail "res/$name.$format is missing"
    done
    status 0 "$SEGUE" compare --rtol 0 res/M.segue res/M.$format
done
status 5 "$SEGUE" compare res/M.segue res/M-2.segue
[ "$(ls res | grep -c -e part -e tmp)" = 0 ] || fail "temporary files: $(ls res)"
status 0 "$SEGUE" info res/M.segue
has out "501 points from 0 to 2 s"
cp res/M.segue before.segue
status 0 "$SEGUE" run -o res m.jl
status 0 cmp before.segue res/M.segue
status 0 "$SEGUE" run -o res --converge m.jl
status 0 cmp before.segue res/M.segue

status 0 "$SEGUE" run -o few --signals 'x,der(x)' m.jl
status 0 "$SEGUE" info few/M.segue
lacks out "y "
status 1 "$SEGUE" run -o res --result-format xls m.jl
has err "no result format"

# A run without end, killed after it began to spool.
sed -e 's/stopTime = 2.0/stopTime = 1e9, interval = 1e-3/' -e 's/-x;/1000*cos(100*y) - x;/' m.jl >long.jl
"$SEGUE" run --force long.jl >killed.out 2>&1 &
run=$!
until_true test -s long-results/M.segue.part
sleep 0.5
kill -9 $run
wait $run 2>/dev/null
status 0 "$SEGUE" info long-results/M.segue.part
has out "the run has not ended"
[ ! -e long-results/M.segue ] || fail "a killed run has a finished file"
