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
until_true test -s shown
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

# The scene for other programs: from a run and from its file alone.
cp "$SG_SOURCE_DIR/examples/space/two_stage_rocket.jl" rocket.jl
status 0 "$SEGUE" run -q -o rocket --glb a.glb --three-json a.json --obj a.obj --stl a.stl rocket.jl
status 0 "$SEGUE" view -q --glb b.glb --three-json b.json --obj b.obj --stl b.stl rocket/TwoStageRocket.segue
for suffix in glb json obj stl; do cmp a.$suffix b.$suffix || fail "a.$suffix and b.$suffix differ"; done
lacks out .html
[ "$(head -c 4 a.glb)" = glTF ] || fail "a.glb is no glTF"
[ "$(grep -c '^o ' a.obj)" = 2 ] || fail "a.obj has other objects"
# 80 bytes of header, a count, 50 bytes a triangle
triangles=$(od -An -tu4 -j80 -N4 a.stl | tr -d ' ')
[ "$(wc -c <a.stl)" -eq $((84 + 50*triangles)) ] || fail "a.stl has $triangles triangles in $(wc -c <a.stl) bytes"
[ "$triangles" -eq "$(grep -c '^f ' a.obj)" ] || fail "a.stl and a.obj have other triangles"
# The stage that is deleted is hidden at 10 s.
has a.json '.visible","uuid"'
has a.json '"type":"bool","times":[0,10],"values":[true,false]'
# What has no scene says so.
status 1 "$SEGUE" view --glb c.glb a.csv
has err "has no scene"
[ ! -e c.glb ] || fail "c.glb was written"
status 1 "$SEGUE" view --png x kept/Evil.segue
status 1 "$SEGUE" view --png 0.1 --size 10 kept/Evil.segue
status 1 env SEGUE_CHROMIUM=./nowhere "$SEGUE" view --png 0.1 -o c.png kept/Evil.segue
has err "needs Chromium"
# What Chromium is asked for; what it says does not matter, the picture does.
printf '#!/bin/sh\necho "$*" >asked\nfor word; do case $word in --screenshot=*) echo png >"${word#*=}" ;; esac; done\n' >chromium
chmod +x chromium
status 0 env SEGUE_CHROMIUM=./chromium "$SEGUE" view --png 0.1 --size 320x200 -o c.png kept/Evil.segue
has out c.png
has asked "--window-size=320,200"
grep -qE 'file:///.*segue-.*\.html#t=0\.1.*&ui=none' asked || fail "asked for $(cat asked)"
printf '#!/bin/sh\nexit 3\n' >chromium
status 1 env SEGUE_CHROMIUM=./chromium "$SEGUE" view --png 0.1 -o c.png kept/Evil.segue
has err "made no picture"
