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

# With --json what the script prints goes to standard error.
if [ -e /dev/full ]; then
    "$SEGUE" run -q --json -e 'println(1)' >out 2>/dev/full
    got=$?
    [ $got -eq 1 ] || fail "status $got where the text of a script is lost"
fi

# What does not fit into a pipe at once, to somebody who reads ten bytes.
echo 'for i in 1:100000; println("line ", i, " of a text that no pipe holds at once"); end' >long.jl
awk 'BEGIN {
    print "PAIR 1"
    box = "shape box 1 2 3 rot 1 0 0 0 1 0 0 0 1 pos "
    for (i = 0; i < 5000; i++)
        print "case c" i " apart\n" box "0 0 0 nv 0 nf 0\n" box "5 5 5 nv 0 nf 0"
}' >pairs.txt
cat >chain.jl <<'END'
using Modia
name(i) = Symbol("a_state_with_a_long_name_", i)
M = Model(equations = Expr(:vect, [:(der($(name(i))) = -$(name(i))) for i in 1:3000]...))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.01)
END
status 0 "$SEGUE" run -q -o chain chain.jl
ten_bytes() {
    { "$SEGUE" "$@" 2>err; echo $? >got; } | head -c 10 >/dev/null
    [ "$(cat got)" = 1 ] || fail "status $(cat got) after ten bytes: $*"
}
ten_bytes run long.jl
ten_bytes run -q --json -o chain chain.jl
ten_bytes run -q --summary - -o chain chain.jl
ten_bytes info --equations chain.jl
ten_bytes info chain
ten_bytes info --json chain
ten_bytes dump flat chain.jl
ten_bytes dump program chain.jl
ten_bytes compare --all --json chain chain
ten_bytes compare --all chain chain
ten_bytes distance pairs.txt
ten_bytes distance --json pairs.txt
ten_bytes convert chain /dev/stdout --format csv

# A closed stream is no place for what is printed: not in the first file that is opened either.
"$SEGUE" run -o apart decay.jl >&- 2>&- <&-
status 0 "$SEGUE" info apart
grep -q done apart/*.segue && fail "what the script prints is in the result"
[ -f apart/M.segue ] || fail "no result"
