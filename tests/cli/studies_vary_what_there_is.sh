# Names that a study varies: with units, elements of arrays, whole numbers, truth values, start values that are
# computed; what cannot be is refused, or fails its row.
cat >model.jl <<'EOT'
using Modia
Sub = Model(k = 100.0u"N/m", n = 3, on = true, r = [0.1, 0.2, 0.3]u"m", w = 2.0, name = "text", x0 = Par(value = :(2*w)),
    x = Var(init = :(x0)), v = Var(init = 0.0), f = Var(start = 0.0u"N"),
    equations = :[der(x) = v; der(v) = -w^2*x*n - (if on; 0.0 else 1.0 end); f = k*r[2]])
Top = Model(a = Sub, q = Var(init = [1.0, 2.0]), c = 3.0, equations = :[der(q) = -c*q])
top = @instantiateModel(Top)
simulate!(top, stopTime = 1.0, tolerance = 1e-8)
EOT
made() { # made WANTED OPTION...: the columns behind the number of the run
    wanted=$1
    shift
    rm -rf o
    "$SEGUE" study model.jl -o o "$@" >out 2>err
    found=$(tail -n +2 o/table.csv | sed 's/,ok,.*//' | cut -d, -f2- | tr '\n' ' ')
    test "$found" = "$wanted" || fail "$*: $found, not $wanted"
}
made '50,10 200,40 ' --vary a.k=50,200 --metric 'last(a.f)'
made '0.5,50,0.1 0.6,60,0.1 ' --vary 'a.r[2]=0.5,0.6' --metric 'last(a.f)' --metric 'last(a.r[1])'
made '5,7,5,7 5,8,5,8 6,7,6,7 6,8,6,8 ' --vary 'q[1]=5,6' --vary 'q[2]=7,8' --metric 'first(q[1])' --metric 'first(q[2])'
made '1,2,2 2,4,4 ' --vary a.w=1,2 --metric 'first(a.x)' --metric a.x0
made '7,7 8,8 ' --vary a.x=7,8 --metric 'first(a.x)'
status 5 "$SEGUE" study model.jl -o whole --vary a.n=1:3:5 --metric 'last(a.x)'
test "$(grep -c ',value,' whole/table.csv)" -eq 2 || fail 'whole numbers'
has whole/table.csv "'a.n' is a whole number, and 1.5 was given"
status 5 "$SEGUE" study model.jl -o truth --vary a.on=0,0.5,1 --metric 'last(a.x)'
has truth/table.csv 'true or false'
for name in a 'q[3]' 'q[0]' 'q[1,1]' 'c[1]' a.none; do
    status 1 "$SEGUE" study model.jl -o none --vary "$name=1,2"
    has err "nothing to be set called '$name'"
done
status 5 "$SEGUE" study model.jl -o text --vary a.name=1,2
status 1 "$SEGUE" study model.jl -o none --vary c=1,2 --vary c=3
has err "'c' is varied twice"
status 1 "$SEGUE" study model.jl -o none --vary c=1,2 --metric 'c=last(q[1])'
has err "has a column 'c' already"
status 1 "$SEGUE" study model.jl -o none --vary c=1,2 --metric 'run=last(q[1])'
has err "has a column 'run' already"
status 1 "$SEGUE" study model.jl -o none --runs 0
# One run; numbers that are none are values like others.
made '-Inf,NaN,NaN ' --metric '-1/(0*last(c*time))' --metric '0/0' --metric 'when(a.x > 100)'
# Paths with spaces.
mkdir 'a folder' && cp model.jl 'a folder/the model.jl'
status 0 "$SEGUE" study 'a folder/the model.jl' --vary c=1,2 --metric 'last(q[1])' -o 'a folder/the study' -j 2
status 0 "$SEGUE" study --resume 'a folder/the study'
status 0 "$SEGUE" plot 'a folder/the study' --x c -o 'a folder/the plot.svg'
# One study at a time works in a folder.
"$SEGUE" study model.jl --vary c=1:2:100000 --metric 'last(q[1])' -o busy >/dev/null 2>&1 &
pid=$!
until_true test -f busy/study.txt
until_true sh -c 'ls busy/rows-*.part >/dev/null 2>&1'
status 1 "$SEGUE" study --resume busy
has err "another study is at work in 'busy'"
status 1 "$SEGUE" study model.jl --vary c=1,2 -o busy --force
has err "another study is at work in 'busy'"
kill -INT $pid
wait $pid
test $? -eq 130 || fail 'the status of a study that was interrupted'
