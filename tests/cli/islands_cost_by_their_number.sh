# Spheres that fall on a plate and never meet: by default each has a solver of its own, so steps for each sphere are as many among eighty as
# among twenty. With one solver for all, each of them pays for the events of all others.
cp -r "$SG_SOURCE_DIR/tests/models/scenes" scenes
steps() { # steps N CHANGE: steps of all spheres
    cat >"drop$1.jl" <<END
include("scenes/drop.jl")
Drop = drop($1) | Map($2)
spheres = @instantiateModel(Drop, unitless = true)
simulate!(spheres, stopTime = 1.0, tolerance = 1e-5, interval = 0.1)
println("at last: ", getLastValue(spheres, "ball7.velocity"))
END
    status 0 "$SEGUE" run --log statistics -o results "drop$1.jl"
    sed -n 's/.*nAcceptedSteps *= *//p' out
}
count() { sed -n "s/.*$1 *= *//p" out; }
few=$(steps 20 '')
has out 'nIslands               = 20 '
# Of few bodies both sides of each event are points of the result.
[ "$(count nResults)" -eq $((11 + 2*$(count nStateEvents))) ] || fail "20 spheres: $(count nStateEvents) events, $(count nResults) points"
"$SEGUE" info results/Drop.segue >info
has info 'islands: at most 20, each with a solver of its own'
many=$(steps 80 '')
has out 'nIslands               = 80 '
# Of many they are not, as nothing jumps there; the table of contacts has their times.
[ "$(count nStateEvents)" -gt 100 ] || fail "80 spheres have $(count nStateEvents) events"
[ "$(count nResults)" -eq 11 ] || fail "80 spheres: $(count nResults) points instead of 11"
"$SEGUE" info --contacts results/Drop.segue >info
[ "$(grep -c 'ball[0-9]*' info)" -ge 80 ] || fail "contacts of 80 spheres: $(grep -c 'ball[0-9]*' info)"
# What jumps is shown: springs are damped as soon as they touch.
sed 's/DryWood/Sprung/' scenes/drop.jl >scenes/sprung.jl
sed 's/drop.jl/sprung.jl/; s/^Drop/Modia3D.loadPalettes!(solidMaterialPalette = "sprung.txt")\n&/' drop80.jl >sprung80.jl
printf 'solid Sprung: density 700, young 1e9, poisson 0.3\ntouch Sprung Sprung: spring 1e6, damping 100, friction 0.4\n' >sprung.txt
status 0 "$SEGUE" run --log statistics -o results sprung80.jl
[ "$(count nStateEvents)" -gt 50 ] || fail "80 spheres on springs have $(count nStateEvents) events"
[ "$(count nResults)" -eq $((11 + 2*$(count nStateEvents))) ] || fail "on springs: $(count nStateEvents) events, $(count nResults) points"
awk -v a="$few" -v b="$many" 'BEGIN { r = b/80/(a/20); exit !(r > 0.9 && r < 1.1) }' || fail "20 spheres take $few steps, 80 take $many"
together=$(steps 20 'world = Map(feature = Map(islands = false))')
lacks out nIslands
# All of them take each of these steps.
[ "$((together * 20))" -gt "$((5 * few))" ] || fail "one solver takes $together steps for 20 spheres, islands $few"

# Where results are stored changes no step, and no bit.
for interval in 0.1 0.003; do
    "$SEGUE" run --log statistics --interval $interval -o results drop80.jl >"out.$interval" || fail "interval $interval"
    grep -E 'nAcceptedSteps|nRejectedSteps|nStateEvents|nJac|nIslands|at last' "out.$interval" >"figures.$interval"
done
cmp figures.0.1 figures.0.003 || fail "the interval changes steps: $(diff figures.0.1 figures.0.003)"
