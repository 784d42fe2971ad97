# The commands that look at results and shapes know limits as well, and Ctrl-C ends them within half a second.
STOP=$SG_BINARY_DIR/stop
allowed=500 # [ms] of CPU time
[ "$SG_SLOWNESS" -gt 1 ] && allowed=2500
status 0 "$SEGUE" run -q -o big -e 'using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x; a = sin(time); b = cos(time); c = a*b; d = a + b; e = a - b])
M = @instantiateModel(M, unitless = true)
simulate!(M, stopTime = 1.0, interval = 1e-6)'
status 0 "$SEGUE" convert big big.csv # reading it takes seconds
cat > pair.txt <<'END2'
PAIR 1
case one apart
shape box 1 2 3 rot 1 0 0 0 1 0 0 0 1 pos 0 0 0 nv 0 nf 0
shape cylinder 1 2 0 rot 1 0 0 0 1 0 0 0 1 pos 5 5 5 nv 0 nf 0
END2
status 0 "$SEGUE" distance pair.txt

# judge WHAT STATUS MOST-MS PATTERN: the line of stop is in `figures`
judge() {
    read -r got ms mib < figures
    [ "$got" -eq "$2" ] || fail "$1: status $got, not $2: $(head -n 3 err)"
    [ "$ms" -le "$3" ] || fail "$1: $ms ms of CPU time, not $3"
    [ "$(grep -cE "$4" err)" -eq 1 ] || fail "$1: not one message: $(cat err)"
    left=$(ls | grep -E '^new|tmp$')
    [ -z "$left" ] || fail "$1 left $left"
}

# What each command does.
options() {
    case $1 in
    convert) echo "convert big new.csv" ;;
    json) echo "convert big new.json" ;;
    plot) echo "plot -o new.svg big.csv x a b c d e" ;;
    compare) echo "compare --rtol 0 big big.csv" ;;
    info) echo "info --json big.csv" ;;
    distance) echo "distance --bench 100000000 pair.txt" ;;
    esac
}
for name in convert json plot compare info distance; do
    "$STOP" 0.02 "$SEGUE" $(options $name) > figures.all 2> err < /dev/null
    tail -n 1 figures.all > figures
    judge "$name" 130 $allowed 'error\[E0005\]: interrupted'
    "$STOP" 0 "$SEGUE" $(options $name) --max-cpu-time 0.02 > figures.all 2> err < /dev/null
    tail -n 1 figures.all > figures
    judge "$name" 6 $((allowed + 20)) 'error\[E0004\]: the limit of 0.02 s of CPU time was reached'
    "$STOP" 0 "$SEGUE" $(options $name) --max-time=0.05 > figures.all 2> err < /dev/null
    tail -n 1 figures.all > figures
    judge "$name" 6 $((allowed + 50)) 'error\[E0004\]: the limit of 0.05 s was reached'
done
"$STOP" 0 "$SEGUE" convert big new.csv --max-output 1 > figures 2> err
judge 'written bytes' 6 5000 'error\[E0004\]: the limit of 1 MB of written bytes was reached'
if [ "$SG_SLOWNESS" -eq 1 ]; then # the sanitizers need more than any limit
    for name in plot compare; do
        "$STOP" 0 "$SEGUE" $(options $name) --max-memory 5 > figures.all 2> err < /dev/null
        tail -n 1 figures.all > figures
        judge "$name" 6 5000 'out of memory'
    done
fi

# Limits that are none, and commands that know other limits only.
for value in nan -1 '' 1x; do
    status 1 "$SEGUE" convert --max-time "$value" big new.csv
    has err 'needs a number'
done
status 1 "$SEGUE" convert big new.csv --max-memory
status 1 "$SEGUE" plot --max-events 3 big
has err 'no such option'
status 0 "$SEGUE" info --max-time 0 --max-memory 0 --max-output 0 big
