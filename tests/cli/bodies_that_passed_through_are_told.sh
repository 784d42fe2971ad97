# A body that is pushed through another one is told, and no balance closes over it; one that only sinks in and comes back is
# none, however deep.
model() { # model FACTOR SPEED ASIDE [OTHER SHAPE]
    cat > soft.jl <<END
using Modia3D
s(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
M = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), elasticContactReductionFactor = $1)),
    wall = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = s(${4:-Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 2.0)})),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [$3, 0.3, 0.0], velocity = [0.0, -$2, 0.0], feature = s(Sphere(diameter = 0.1))))
m = @instantiateModel(M, unitless = true)
simulate!(m, method(), stopTime = 1.0/$2)
println("velocity ", round(getLastValue(m, "ball.velocity")[2], digits = 1))
END
}
run() { # run METHOD
    sed "s/method()/$1()/" soft.jl > now.jl
    status 0 within 60 "$SEGUE" run --balance now.jl
}
for method in CVODE_BDF IDA Tsit5 Rodas5; do
    model 1e-6 100.0 0.0
    run $method
    has out "velocity -99.9"
    has err "'wall' and 'ball' have passed through each other at time = 0.0035"
    [ "$(grep -c 'have passed through' err)" -eq 1 ] || fail "$method: not once"
    has out "'wall' and 'ball' passed through each other at 0.0035"
    has out "the balance does not close"
    has err "the balance of energy does not close: a body went through another one"
    # Past the middle of another ball, where the normal turns round by and by.
    model 1e-6 100.0 0.02 'Sphere(diameter = 0.1)'
    run $method
    has err "'wall' and 'ball' have passed through each other"
    has out "the balance does not close"
    # Deep, and back.
    model 2e-3 100.0 0.0
    run $method
    has err "% of the thinner one"
    lacks err "passed through"
    has out "the balance closes"
done
# What is only watched may go through anything.
echo '{"Steel,Steel": {"responseType": "ObserverResponse"}}' > pairs.json
model 1.0 100.0 0.013 # not with centers that coincide
sed -i '2i Modia3D.loadPalettes!(contactPairMaterialPalette = "pairs.json")' soft.jl
run CVODE_BDF
has out "velocity -100.0"
lacks err "passed through"
has out "the balance closes"
