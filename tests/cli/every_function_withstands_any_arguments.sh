# Whatever a script hands to whatever function: an answer or an error, and the program goes on.

# calls SEED ROUNDS: all functions, so many calls each
calls() {
    sed "s/= SEED/= $1/; s/\"ONLY\"/\"\"/; s/1:ROUNDS/1:$2/" "$SG_SOURCE_DIR/tests/models/scenes/any_arguments.jl" >"calls_$1.jl"
    "$SEGUE" run "calls_$1.jl" -o "out_$1" >"text_$1" 2>"messages_$1" </dev/null
    got=$?
    grep -q '^called [0-9]\{4,\}' "text_$1" || {
        fail "seed $1: ended with status $got before the last call"
        grep -m 3 'runtime error\|ERROR: ' "messages_$1"
        tail -c 300 "messages_$1"
    }
}

for seed in 1 2 3; do
    calls $seed 20
done

# One by one: what crashed once.
same() { # message, text of the script
    printf '%s\n' "$2" >one.jl
    "$SEGUE" run one.jl >out 2>err
    got=$?
    [ $got -eq 2 ] || fail "status $got of: $2"
    grep -q -- "$1" err || { fail "no '$1' for: $2"; cat err; }
}
same 'mean takes' 'using Statistics; mean()'
same 'isdefined takes' 'isdefined()'
same 'too large for an integer' '"abc"[range(2, length = typemax(Int), step = 1)]'
same 'the number of elements from inf to inf by inf is undefined' 'Inf:Inf:Inf'
same 'outside of a string' '"abc"[2:typemax(Int)]'
same 'contains itself' 'a = Any[1]; push!(a, a); -a'
same 'contains itself' 'a = Any[1]; push!(a, a); a + a'
same 'contains itself' 'a = Any[1]; push!(a, a); isapprox(a, a)'
same 'contains itself' 'a = Any[1]; push!(a, a); ustrip(a)'
same 'contains itself' 'a = Any[1]; push!(a, a); isless((a, 1), (a, 2))'
same 'nested more than' 'a = Any[]; for i in 1:10^6; global a = Any[a]; end; deepcopy(a)'
same 'nested more than' 'a = (); for i in 1:10^6; global a = (a,); end; sort([a, a])'
same 'above 100000' 'using Printf; println(@sprintf("%1000000d", 1))'
same 'too long to be padded' 'println(lpad("a", 10^10))'

printf 'using Printf\nr = Ref(1)\nprintln(r.x, length(@sprintf("%%1000d", 1)), length(lpad("a", 2000000)))\n' >fine.jl
"$SEGUE" run fine.jl >out || fail "fine.jl"
[ "$(cat out)" = 110002000000 ] || fail "printed $(cat out)"
