# Two processes with the same model and folder, and a failure after a success: nobody damages another's result.
cat >slow.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
M = @instantiateModel(M, unitless = true)
simulate!(M, stopTime = 2e4, interval = 0.02)
END
sed 's/stopTime = 2e4/stopTime = 3e4/' slow.jl >other.jl
mkdir out1
"$SEGUE" run slow.jl -o shared >out1/a 2>out1/b &
first=$!
until_true test -e shared/M.segue.part -o -e shared/M.segue
"$SEGUE" run other.jl -o shared >out 2>err || fail "the second run failed: $(cat err)"
wait $first || fail 'the first run failed'
status 0 "$SEGUE" info shared/M.segue
[ -z "$(ls shared | grep part)" ] || fail "left behind: $(ls shared)"

# A writer that finds the file locked says so and uses a name of its own.
mkdir locked
: >locked/M.segue.part
if command -v flock >/dev/null; then
    flock locked/M.segue.part sh -c '"$0" run slow.jl -o locked >out 2>err' "$SEGUE" || fail 'a locked file ends the run'
    has err 'another run writes'
    status 0 "$SEGUE" info locked/M.segue
fi

# A failed run keeps what it reached beside the earlier result.
cat >failing.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = if time > 0.5; sqrt(-1.0 - x) else -x end])
M = @instantiateModel(M, unitless = true)
simulate!(M, stopTime = 1.0)
END
sed 's/sqrt(-1.0 - x)/-x/' failing.jl >good.jl
status 0 "$SEGUE" run good.jl -o kept
cp kept/M.segue before
"$SEGUE" run failing.jl -o kept >out 2>err && fail 'the failing run does not fail'
cmp -s before kept/M.segue || fail 'the failed run replaced the good result'
has err 'M.failed.segue'
status 0 "$SEGUE" info kept/M.failed.segue
