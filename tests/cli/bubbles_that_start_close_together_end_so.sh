# label: long
# Scenario F1 where it is sure: at 1e-8, with starts up to 1e-7 m aside, the bubble comes to rest in its window. At 1e-6 m aside half of them
# do not (docs/theory/contact.md, "A bubble that tumbles").
data=$SG_SOURCE_DIR/../shared/data/meshes/pcm
[ -d "$data" ] || { echo "skipped: no shared meshes"; return 0; }
cp "$data/funnel.obj" "$data/bubble.obj" "$SG_SOURCE_DIR/tests/cli/bubble_above_a_funnel.jl" .
cat > aside.jl <<'EOF'
using Test
include("bubble_above_a_funnel.jl")
for aside in [[0.0, 0.0, 0.0], [1e-7, 0.0, 0.0], [-4e-8, 7e-8, 5e-8]]
    simulate!(fall, stopTime = 5.0, tolerance = 1e-8, dtmax = 0.01, interval = 0.1, merge = Map(bubble = Map(translation = [0.0, 0.0, 1.0] + aside)))
    last(name) = getLastValue(fall, name)
    r = last("bubble.translation")
    println(r, " ", norm(last("bubble.velocity")), " ", norm(last("bubble.angularVelocity")))
    @test norm(last("bubble.velocity")) < 5e-3
    @test norm(last("bubble.angularVelocity")) < 5e-2
    @test abs(r[3] - 0.1394) < 5e-4
    @test maximum(abs.(abs.(r[1:2]) .- 0.064)) < 1e-3
end
EOF
status 0 "$SEGUE" run -q aside.jl
cat out
