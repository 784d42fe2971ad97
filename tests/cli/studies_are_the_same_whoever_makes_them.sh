# Studies: one table whatever the number of processes, after kill -9 of a process or of all, after
# Ctrl-C, and made from pieces; failed runs are rows; grids, lists, tables and draws.
cat >osc.jl <<'EOF'
using Modia
Osc = Model(k = 1.0, d = 0.1, x = Var(init = 1.0), v = Var(init = 0.0), s = Var(start = 0.0),
    equations = :[
        c = Clock(0.5)
        s = sample(x, c) + 1e-3*rand()
        der(x) = v
        der(v) = -k*x - d*v + 0.1*hold(s, c) + (if k > 9.5; log(0.5 - time) else 0.0 end)
    ])
osc = @instantiateModel(Osc, unitless = true)
simulate!(osc, stopTime = 10.0, tolerance = 1e-6)
EOF
ask="--vary k=1:10:40 --vary d=uniform(0.05,0.2) --runs 400 --seed 5 --metric last(x) --metric peak=max(abs(v))"
status 5 "$SEGUE" study osc.jl $ask -o one
has out '400 of 400 runs, 30 failed'
has err 'failed'
has one/table.csv 'run,k,d,last(x),peak,status,message,seed'
test "$(grep -c ',ok,' one/table.csv)" -eq 370 || fail 'rows that are right'
test "$(grep -c 'the logarithm of a number that is not positive' one/table.csv)" -eq 30 || fail 'reasons'
test "$(wc -l <one/times.csv)" -eq 401 || fail 'times'
status 0 "$SEGUE" info one/table.segue
status 0 "$SEGUE" info one/table.arrow
# The other formats hold the same: all numbers, and status and message of rows that have one as events.
for kind in segue arrow; do
    status 0 "$SEGUE" convert one/table.$kind $kind.csv
    sed '1d; s/"[^"]*"//g' one/table.csv | awk -F, '{ n = NF; s = $1; for (i = 2; i <= n - 3; i++) s = s "," ($i == "" ? "NaN" : $i); print s "," ($(n - 2) == "ok" ? 0 : 1) "," $n }' >expected.csv
    sed 1d $kind.csv | cmp - expected.csv || fail "table.$kind holds other numbers"
    status 0 "$SEGUE" info --events one/table.$kind
    test "$(grep -c ': the logarithm of a number that is not positive\|: .*the logarithm of a number' out)" -eq 30 || fail "table.$kind does not say why runs failed"
done
status 5 "$SEGUE" study osc.jl $ask -o three -j 3
same() { cmp one/table.csv "$1/table.csv" && cmp one/table.segue "$1/table.segue" || fail "$2"; }
same three 'three processes make another table'

# Another seed is another table; the same folder is not overwritten unasked.
status 1 "$SEGUE" study osc.jl $ask -o one
has err 'holds a study'
status 5 "$SEGUE" study osc.jl $ask --seed 6 -o other
cmp -s one/table.csv other/table.csv && fail 'the seed makes no difference'

# Rows that are missing are made, and no others: the time of a row that was there is kept.
sed -i '100,200d' three/table.csv
sed 's/^7,.*/7,123/' three/times.csv >times && cp times three/times.csv
status 5 "$SEGUE" study --resume three -j 2
same three 'what was missing is not the same'
grep -qx 7,123 three/times.csv || fail 'a row that was there was made again'
status 5 "$SEGUE" study --resume three --again
same three 'failed runs made again'

# A full disk: rows that are there stay, and the study goes on when there is room.
few="--vary k=1:10:40 --vary d=uniform(0.05,0.2) --runs 800 --seed 5 --metric last(x)"
"$SEGUE" study osc.jl $few -o roomy -j 2 >/dev/null 2>&1
for jobs in 1 2; do
    (ulimit -f 32; exec "$SEGUE" study osc.jl $few -o full$jobs -j $jobs) >out 2>err
    test $? -eq 1 || fail 'a full disk is not told'
    has err 'cannot be written'
    has err 'runs are made and stay'
    cat full$jobs/rows-*.part | grep -c , >rows.txt
    test "$(cat rows.txt)" -gt 50 || fail 'rows were lost on a full disk'
    status 5 "$SEGUE" study --resume full$jobs -j 2
    cmp roomy/table.csv full$jobs/table.csv || fail 'another table after a full disk'
done

# The end at any moment: a process, all of them, Ctrl-C.
long="--vary k=1:10:40 --vary d=uniform(0.05,0.2) --runs 2000 --seed 5 --metric last(x) --metric peak=max(abs(v))"
"$SEGUE" study osc.jl $long -o whole -j 2 >/dev/null 2>&1
rows() { cat "$1"/rows-*.part 2>/dev/null | wc -l; }
wait_for() { # wait_for FOLDER ROWS
    n=0
    while test "$(rows "$1")" -lt "$2" && test $n -lt 600; do
        sleep 0.05
        n=$((n + 1))
    done
}
"$SEGUE" study osc.jl $long -o killed -j 2 >/dev/null 2>&1 &
pid=$!
wait_for killed 50
kill -9 $pid
wait $pid
sleep 0.3
before=$(rows killed)
test "$before" -ge 50 || fail 'rows were lost'
sleep 0.5
test "$(rows killed)" -eq "$before" || fail 'processes go on without the command'
printf '0.1\t1999,cut off' >killed/rows-0-0.part
status 5 "$SEGUE" study --resume killed -j 2
cmp whole/table.csv killed/table.csv || fail 'a study that was killed'
ls killed/rows-* >/dev/null 2>&1 && fail 'pieces are left'

"$SEGUE" study osc.jl $long -o hurt -j 2 >/dev/null 2>&1 &
pid=$!
wait_for hurt 50
keeper=$(cat /proc/$pid/task/$pid/children 2>/dev/null | cut -d' ' -f1)
worker=$(cat /proc/${keeper:-0}/task/${keeper:-0}/children 2>/dev/null | cut -d' ' -f1)
test -n "$worker" && kill -9 "$worker"
wait $pid
cmp whole/table.csv hurt/table.csv || fail 'a process that was killed'

"$SEGUE" study osc.jl $long -o stopped -j 2 >/dev/null 2>err &
pid=$!
wait_for stopped 50
kill -INT $pid
wait $pid
test $? -eq 130 || fail 'the status of an interrupt'
has err 'goes on'
test "$(wc -l <stopped/table.csv)" -gt 50 || fail 'the table of what was made'
status 5 "$SEGUE" study --resume stopped
cmp whole/table.csv stopped/table.csv || fail 'a study that was interrupted'

# In pieces, as a queue of jobs does it.
status 1 "$SEGUE" study osc.jl $ask -o pieces --task 0:1
rm -rf pieces
mkdir pieces
cp one/study.txt pieces
for task in 300:400 0:150 150:300; do
    status 0 "$SEGUE" study --resume pieces --task $task
done
status 5 "$SEGUE" study --resume pieces
same pieces 'a table of pieces'

# More runs; other options are refused; rows that do not belong to the plan are made again.
status 5 "$SEGUE" study osc.jl $ask -o more --sampler lhs --runs 40
status 5 "$SEGUE" study --resume more --runs 80
"$SEGUE" study osc.jl $ask -o more2 --sampler lhs --runs 80 >/dev/null 2>&1
cmp more/table.csv more2/table.csv || fail 'more runs of a Latin hypercube'
status 5 "$SEGUE" study --resume more
has out '80 of 80'
for other in '--stop 5' '--tol 1e-4' '--seed 9' '--set d=1' '--metric max(x)' '--vary x=1,2'; do
    status 1 "$SEGUE" study --resume more $other
    has err 'other options'
done

# Values from a table, and options in a file.
printf 'k,x\n1,1\n2,0.5\n4,2\n' >points.csv
cat >few.study <<'EOF'
# Three points, two of damping each.
file osc.jl
points points.csv
vary d=0,0.1
metric first(x)
metric when(x < 0)
interval 0.01
EOF
status 0 "$SEGUE" study few.study -o few
test "$(cut -d, -f1-5 few/table.csv | sed -n '4,5p' | tr '\n' ' ')" = '2,2,0.5,0,0.5 3,2,0.5,0.1,0.5 ' ||
    fail 'points of a table'
status 0 "$SEGUE" study few.study -o few --force --stop 1
status 0 "$SEGUE" study osc.jl --vary k=1:2:3 --keep-runs 'x,v' -o kept
test "$(find kept/runs -name '*.segue' | wc -l)" -eq 3 || fail 'runs that are kept'
status 0 "$SEGUE" compare kept/runs/000000/0.segue kept/runs/000000/0.segue

# What goes wrong is told once, and leaves nothing behind.
refused() { # refused WORDS ARGUMENTS...
    words=$1
    shift
    status 1 "$SEGUE" study osc.jl "$@" -o refused -j 2
    has err "$words"
    test -e refused/table.csv && fail "a table of a study that was refused: $words"
    rm -rf refused
}
refused "'q'" --vary q=1,2 --metric 'last(x)'
refused 'y' --vary k=1,2 --metric 'last(y)'
refused 'curve' --vary k=1,2 --metric x
refused 'number of runs' --vary 'k=normal(1,1)'
refused 'whole number' --vary k=1,2 --runs 2.5
refused 'sampler' --vary 'k=normal(1,1)' --runs 3 --sampler dice
status 1 "$SEGUE" study --resume nowhere
has err 'no study'
echo '# another' >>osc.jl
status 1 "$SEGUE" study --resume one
has err 'has changed'
