# Results from the command line: convert, info, compare and plot work on every format, and say what
# is wrong with one line.
cat >a.csv <<'END'
"time","phi [rad]","body.r[1] [m]","body.r[2] [m]","late"
0,0,1,2,
0.5,0.25,1.5,2,
1,1,2,2,
1,1,2,2,5
1.5,2.25,2.5,2,5.5
2,4,3,2,6
END
sed '$s/^2,4,/2,4.1,/' a.csv >b.csv

for format in segue json mat arrow csv; do
    status 0 "$SEGUE" convert a.csv c.$format
    status 0 "$SEGUE" compare --rtol 0 a.csv c.$format
    has out "same: 5 signals"
    status 0 "$SEGUE" info c.$format
    has out "body.r"
done
[ "$(ls *.tmp *.part 2>/dev/null)" = "" ] || fail "temporary files are left"

status 0 "$SEGUE" info --json c.segue
has out '"points": 6'

status 5 "$SEGUE" compare a.csv b.csv
has out "phi: 4 and 4.1 at t = 2 s"
status 0 "$SEGUE" compare --rtol 0.1 a.csv b.csv
status 0 "$SEGUE" compare --signals 'body.*' --rtol 0 a.csv b.csv
status 5 "$SEGUE" compare --json a.csv b.csv
has out '"worst": "phi"'

status 0 "$SEGUE" convert --signals 'body.*' c.segue d.csv
lacks d.csv phi
has d.csv 'body.r[2]'
status 1 "$SEGUE" convert --signals 'bodi.r' c.segue e.csv
has err "did you mean 'body.r'"
[ ! -e e.csv ] || fail "a file was written for a pattern that keeps nothing"
status 1 "$SEGUE" convert c.segue e.xyz
has err "no result format"
status 1 "$SEGUE" convert absent.segue e.csv
has err "No such file"
status 1 "$SEGUE" convert c.segue no/such/folder/e.csv
has err "cannot write"
status 1 "$SEGUE" info "$SEGUE"
has err "not a result"

status 0 "$SEGUE" plot c.segue phi,late body.r
has out "phi [rad]"
status 0 "$SEGUE" plot c.segue -o p.svg --events --columns 2 phi 'body.*' late
has p.svg "body.r[1] [m]"
status 0 "$SEGUE" plot a.csv b.csv phi -o q.svg
has q.svg "b: phi [rad]"
status 1 "$SEGUE" plot c.segue fi
has err "no signal 'fi'"
status 1 "$SEGUE" plot c.segue phi -o p.gif
has err ".svg, .png or .pdf"
status 1 "$SEGUE" plot c.segue absent.mat phi
has err "cannot read 'absent.mat'"

# A file that was cut is read up to there, with a warning.
size=$(wc -c <c.segue)
head -c $((size - 200)) c.segue >cut.segue
status 0 "$SEGUE" info cut.segue
has err "is incomplete"

for command in plot compare convert; do
    status 0 "$SEGUE" $command --help
    has out "usage: segue $command"
    status 1 "$SEGUE" $command --nonsense
    status 1 "$SEGUE" $command
done

# A text that is no table is not a result, and a plot of an unknown signal is told with its line.
echo garbage > foreign.segue
"$SEGUE" info foreign.segue > out.txt 2> err.txt && { echo "garbage is a result"; exit 1; }
grep -q "not a result" err.txt || { cat err.txt; exit 1; }
cat > unknown.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
plot(m, "nosuch")
END
"$SEGUE" run -o unknown unknown.jl 2> err.txt
[ $? -eq 2 ] || { cat err.txt; exit 1; }
grep -q "unknown.jl:5:1: error.*no signal 'nosuch'" err.txt || { cat err.txt; exit 1; }
