# segue study --minimise: a valley whose least value is known, the same search for every number of
# processes and after a kill, bounds, runs that fail.
cat >valley.jl <<'EOF'
using Modia
Valley = Model(a = 0.0, b = 0.0, x = Var(init = 0.0), equations = :[
    der(x) = 0.0*x
    y = 100*(b - a^2)^2 + (1 - a)^2 + (if b < -1.5; sqrt(-1.0 - time) else 0.0 end)])
valley = @instantiateModel(Valley, unitless = true)
simulate!(valley, stopTime = 1.0, interval = 1.0)
EOF
ask="--vary a=-2:2 --vary b=-2:2 --minimise last(y) --runs 900"
status 0 "$SEGUE" study valley.jl $ask -o one
has out 'least value of last(y)'
awk '$1 == "a" && ($3 < 0.99 || $3 > 1.01) { bad = 1 } $1 == "b" && ($3 < 0.98 || $3 > 1.02) { bad = 1 }
    $1 == "a" { n++ } END { exit bad || n != 1 }' out || { fail 'the least value'; cat out; }
grep -q ',ok,' one/table.csv || fail 'rows'
status 0 "$SEGUE" study valley.jl $ask -o two -j 2
cmp one/table.csv two/table.csv || fail 'two processes search elsewhere'
"$SEGUE" study valley.jl $ask -o killed >/dev/null 2>&1 &
pid=$!
until_true test -s killed/points.csv
sleep 0.5
kill -9 $pid
wait $pid
sleep 0.3
status 0 "$SEGUE" study --resume killed -j 2
cmp one/table.csv killed/table.csv || fail 'a search that was killed'
status 0 "$SEGUE" study --resume killed
cmp one/table.csv killed/table.csv || fail 'a search that is at its end'
# A least value on the bounds is found there, and a metric that has a name is meant by it.
status 0 "$SEGUE" study valley.jl --vary a=0:2 --vary b=0:1 --metric 'far=a - 2*b + 0*last(y)' --minimise far -o corner
has out 'a = 0'
has out 'b = 1'
test "$(head -1 corner/table.csv)" = 'run,a,b,far,status,message,seed' || fail 'titles'
for wrong in 'a=1,2' 'a=normal(0,1)'; do
    status 1 "$SEGUE" study valley.jl --vary "$wrong" --minimise 'last(y)' -o wrong
    has err 'bounds'
    rm -rf wrong
done
# The example: the same gains from two seeds.
for seed in 1 2; do
    status 0 "$SEGUE" study "$SG_SOURCE_DIR/examples/studies/servo_gains.study" --seed $seed -o gains$seed -j 2
    awk '/least value/ { exit !($(NF-3) + 0 < 0.0475 && $(NF-3) + 0 > 0.0470) }' out || { fail 'gains'; cat out; }
done
