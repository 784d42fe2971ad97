# Standard output that is full, closed, or a pipe nobody reads: status 1 of every command, with a message.
cat >decay.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
println("done")
END
status 0 "$SEGUE" run -o results decay.jl
printf 'cases 1\ncase a far\nshape sphere 1 1 1 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv 0 nf 0\nshape sphere 1 1 1 rot 1 0 0 0 1 0 0 0 1 pos 5 0 0 nv 0 nf 0\n' >pair.txt
status 0 "$SEGUE" distance pair.txt

# broken COMMAND...: on a full device, closed, and as a pipe that was closed before
broken() {
    if [ -e /dev/full ]; then
        "$SEGUE" "$@" >/dev/full 2>err </dev/null
        got=$?
        [ $got -eq 1 ] || fail "status $got on a full device: $*"
        has err 'segue: cannot write to standard output: No space left'
    fi
    "$SEGUE" "$@" >&- 2>err </dev/null
    got=$?
    [ $got -eq 1 ] || fail "status $got with standard output closed: $*"
    has err 'segue: cannot write to standard output'
    "$SEGUE" "$@" >&- 2>&- </dev/null
    got=$?
    [ $got -eq 1 ] || fail "status $got with both streams closed: $*"
    rm -f late
    { { until [ -e late ]; do sleep 0.05; done; "$SEGUE" "$@" 2>err </dev/null; echo $? >got; } | { exec <&-; touch late; }; }
    [ "$(cat got)" = 1 ] || fail "status $(cat got) into a pipe nobody reads: $*"
    has err 'segue: cannot write to standard output: Broken pipe'
}

broken --help
broken --version
broken help run
broken run --help
broken run -o results decay.jl
broken run -o results --json decay.jl
broken run -o results --summary - decay.jl
broken run -e 'println(1)'
broken check decay.jl
broken info decay.jl
broken info results
broken info --json results
broken info --help
broken plot results x
broken plot --help
broken compare results results
broken compare --json results results
broken compare --help
broken convert --help
broken distance pair.txt
broken distance --help
broken dump flat decay.jl
broken view --help

# A closed stream is no place for what is printed: not in the first file that is opened either.
"$SEGUE" run -o apart decay.jl >&- 2>&- <&-
status 0 "$SEGUE" info apart
grep -q done apart/*.segue && fail "what the script prints is in the result"
[ -f apart/M.segue ] || fail "no result"
