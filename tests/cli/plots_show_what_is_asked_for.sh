# Options of segue plot: parts, axes, degrees, many runs. Numbers on the axes are read from the SVG.
cat > study.jl <<'END'
using Modia
Swing = Model(k = 1.0, phi = Var(init = 1.0u"rad"), w = Var(init = 0.0u"rad/s"), up = Var(), on = Var(start = false), n = 2.0,
    equations = :[der(phi) = w; der(w) = -k*phi*u"1/s^2"; up = exp(-20*time/(n*u"s")); on = phi > 0.0u"rad"])
swing = @instantiateModel(Swing)
for k in 1:25
    simulate!(swing, stopTime = 4.0, interval = 0.01, merge = Map(k = 0.5 + 0.1*k))
end
END
status 0 "$SEGUE" run -q -o runs study.jl
one=runs/Swing.segue
plot() { status 0 "$SEGUE" plot -o p.svg "$@"; }
lacks() { ! grep -qF -- "$2" "$1" || fail "$1 has '$2'"; }

# A part of the run: the horizontal axis ends there, the vertical one fits what is seen.
plot --from 1 --to 1.5 $one phi
has p.svg '>1.5<'; lacks p.svg '>2.0<'; lacks p.svg '>1.0 <'
plot --xlim :2 --ylim -3:3 $one phi
has p.svg '>−3<'; lacks p.svg '>4.0<'
# Outside all points, the wrong way round, and no numbers.
status 1 "$SEGUE" plot --from 7 $one phi
has err 'no points from 7'
for bad in '--from 2 --to 1' '--xlim 3:1' '--ylim 4' '--xlim a:b' '--from x' '--log=z' '--equal' '--band --x phi'; do
    status 1 "$SEGUE" plot $bad $one phi
done
# Logarithms: decades, and a word on what has none.
plot --log $one up
has p.svg '>10⁻'; [ ! -s err ] || fail "a warning without reason: $(cat err)"
plot --log $one phi
has err "'phi' has values of 0 or below"
status 1 "$SEGUE" plot --log --ylim 0:1 $one up
has err 'no place for 0'
# Degrees: 1 rad is 57.3 degrees; rates too.
plot --deg $one phi w
has p.svg 'phi [°]'; has p.svg 'w [°/s]'; has p.svg '>50<'
# Two units have an axis each; or as asked.
plot $one phi,w
has p.svg 'w [rad/s] (right)'
plot --right up $one phi,up,n
has p.svg 'up (right)'
status 1 "$SEGUE" plot --right nobody -o p.svg $one phi,w
has err "no curve of the figure is called 'nobody'"
# true and false as steps: horizontal and vertical pieces only.
plot $one on
has p.svg '>true<'; has p.svg '>false<'
python3 - <<'END' || fail "a Bool is not drawn in steps"
import re
path = re.search(r'stroke="#0072b2".*? d="([^"]*)"', open('p.svg').read()).group(1)
points = [tuple(map(float, p.split())) for p in re.split('[ML]', path)[1:]]
assert len(points) > 3 and all(a[0] == b[0] or a[1] == b[1] for a, b in zip(points, points[1:]))
END
# A circle is round: the same number of points for a unit in both directions.
plot --x phi --equal --no-grid --deg --size 600x400 $one phi
python3 - <<'END' || fail "--equal is not equal"
import re
text = open('p.svg').read()
marks = [(float(x), float(y), float(v.replace('−', '-'))) for x, y, v in
         re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>(−?[\d.]+)<', text)]
across = [(x, v) for x, y, v in marks if y == max(m[1] for m in marks)]
up = [(y, v) for x, y, v in marks if (x, v) not in across]
sx = (across[-1][0] - across[0][0]) / (across[-1][1] - across[0][1])
sy = (up[0][0] - up[-1][0]) / (up[-1][1] - up[0][1])
assert abs(sx - sy) < 1e-2 * sx, (sx, sy)
END
# Many runs: one entry and thin lines; colored by a parameter with a bar; as a band; a few by name.
plot runs/*.segue phi
has p.svg 'phi [rad], 25 runs'; has p.svg 'stroke-width="1" stroke-opacity'
plot --color-by k runs/*.segue phi
has p.svg '>k<'; [ "$(grep -o 'stroke="#[0-9a-f]*" stroke-width="1"' p.svg | sort -u | wc -l)" -gt 15 ] || fail "runs have one color"
plot --color-by k runs/Swing.segue runs/Swing-2.segue runs/Swing-3.segue phi
has p.svg '>k = 0.6<'; has p.svg '>k = 0.8<'
status 1 "$SEGUE" plot --color-by phi -o p.svg $one phi
has err 'not a number among the parameters'
plot --band runs/*.segue phi,w
has p.svg 'median of 25 runs'; [ "$(grep -c 'fill-opacity' p.svg)" -ge 4 ] || fail "no areas"
# Results of the same name are told apart by their folders.
cp -r runs other
plot runs/Swing.segue other/Swing.segue phi
has p.svg '>runs/Swing: phi [rad]<'; has p.svg '>other/Swing: phi [rad]<'
# Legends: 30 entries fit, the rest is counted; the same in the terminal.
plot --legend 5 $one phi,w,up,n,k,on,der\(phi\),der\(w\)
has p.svg 'and 3 more'
plot --size 400x200 $one phi,w,up,n,k,on,der\(phi\),der\(w\),phi,w,up,n,k
grep -q 'and [0-9]* more' p.svg || fail "nothing is said of what does not fit"
status 0 "$SEGUE" plot --ascii runs/*.segue phi
has out '25 runs'
status 0 "$SEGUE" plot --ascii $one phi,w,up,n,k,on,der\(phi\),der\(w\)
grep -q 'and [0-9]* more' out || fail "the terminal does not say what is left out"

# The same from a script.
cat >> study.jl <<'END'
plot(swing, ["phi", ("phi", "w")], xlim = (1.0, 2.0), deg = true, figure = 1)
plot(swing, "up", log = true, figure = 2)
plot(swing, "w", xAxis = "phi", equal = true, figure = 3)
plot(swing, ("phi", "up"), right = "up", from = 1.0, to = 2.0, figure = 4)
END
status 0 "$SEGUE" run -q -o scripted study.jl
has scripted/figure1.svg 'w [°/s] (right)'
has scripted/figure2.svg '>10⁻'
has scripted/figure4.svg 'up (right)'
status 2 "$SEGUE" run -e 'using Modia; M = Model(x = Var(init = 1.0), equations = :[der(x) = -x]); m = @instantiateModel(M); simulate!(m, stopTime = 1.0)
plot(m, "x", xlim = 3.0)'
has err '2:1: error'; has err 'a pair of numbers'

# A signal that is not there: an error with its line; as published, a warning.
cat > unknown.jl <<'END'
using Modia
M = Model(x = Var(init = 1.0), equations = :[der(x) = -x])
m = @instantiateModel(M)
simulate!(m, stopTime = 1.0)
plot(m, ["x", "y"])
println("goes on")
END
status 2 "$SEGUE" run unknown.jl
has err 'unknown.jl:5:1: error'; has out 'goes on'
status 0 "$SEGUE" run --compat modia-0.12 unknown.jl
has err 'unknown.jl:5:1: warning'; has out 'goes on'
