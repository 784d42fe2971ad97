# Pages of runs: of a model, of a run file, of other results; small, without markup of a model's texts.
# What they look like is the business of tests/page, in a browser.
"$SEGUE" run --html probe.html -e '1' 2>err >out
if grep -q "cannot make pages" err; then
    echo "this build has no page"
    exit 77
fi

cat >evil.jl <<'END'
using Modia3D
Evil = Model3D(
    world = Object3D(feature = Scene()),
    ball = Object3D(feature = Solid(shape = Sphere(diameter = 0.2), solidMaterial = "Steel")),
    sign = Object3D(parent = :ball, feature = Visual(shape = TextShape(text = "</script><img src=x onerror=alert(1)>"))),
    free = FreeMotion(obj1 = :world, obj2 = :ball, r = Var(init = [0.0, 1.0, 0.0])))
evil = @instantiateModel(Evil, unitless = true)
simulate!(evil, stopTime = 0.5, interval = 0.01)
simulate!(evil, stopTime = 0.25, interval = 0.01)
END
status 0 "$SEGUE" run --html page.html evil.jl
has err "page: page.html"
has err "2 bodies x 51 frames"
has err "page: page-2.html"
has err "2 bodies x 26 frames"
[ "$(grep -c '<img' page.html)" = 0 ] || fail "a text of the model became markup"
has page.html '\u003cimg src=x onerror=alert(1)>'
# Four script elements: head, numbers, program; and the one that is only text.
[ "$(grep -o '<script' page.html | wc -l)" = 3 ] || fail "$(grep -o '<script' page.html | wc -l) scripts"
grep -qE '(src|href)="https?:' page.html && fail "the page loads something"
[ ! -e evil-results ] || fail "a folder was made that nobody asked for"

# Later, from the run file alone; the same page.
status 0 "$SEGUE" run -o kept evil.jl
status 0 "$SEGUE" view -o later.html kept/Evil.segue
cmp page.html later.html || fail "the page of the run file is another one"
# Without -o it lies beside the result, and its path is printed where there is no screen.
status 0 env -u DISPLAY -u WAYLAND_DISPLAY "$SEGUE" view kept/Evil.segue
has out "kept/Evil.html"
cmp -s page.html kept/Evil.html || fail "kept/Evil.html is another one"
status 0 env -u DISPLAY -u WAYLAND_DISPLAY "$SEGUE" view -q evil.jl
has out "evil-results/evil.html"
[ -s evil-results/evil.html ] || fail "no page of the model"

# A browser is asked to show it.
printf '#!/bin/sh\necho "$1" >shown\n' >browser
chmod +x browser
status 0 env DISPLAY=:9 BROWSER=./browser "$SEGUE" view kept/Evil.segue
lacks out Evil.html
for try in 1 2 3 4 5 6 7 8 9 10; do [ -s shown ] || sleep 0.2; done
has shown kept/Evil.html

# Other results have diagrams.
printf '"time","x [m]"\n0,1\n1,2\n' >a.csv
status 0 "$SEGUE" view -o a.html a.csv
has err "1 signals"
has a.html '"name":"x"'
printf '"time","x [m]"\n' >empty.csv
status 1 "$SEGUE" view -o b.html empty.csv
has err "E0808"
[ ! -e b.html ] || fail "a page without points was written"

# The limit leaves out signals, and says so.
status 0 "$SEGUE" view -o small.html --max-size 0.9 kept/Evil.segue
status 0 "$SEGUE" view -o small.html --max-size 0.1 kept/Evil.segue
has err "signals are left out"

# What cannot be.
status 1 "$SEGUE" view missing.jl
status 1 "$SEGUE" view -o nowhere/page.html kept/Evil.segue
has err "nowhere/page.html"
printf 'println(1)\n' >none.jl
status 1 "$SEGUE" view none.jl
has err "simulates nothing"
# A run that fails is shown up to there, with its status.
sed 's/stopTime = 0.25.*/stopTime = 0.25, requiredFinalStates = [1.0])/' evil.jl >fails.jl
status 5 "$SEGUE" run --html fails.html fails.jl
[ -s fails-2.html ] || fail "no page of the run that failed"
