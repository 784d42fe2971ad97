# What becomes of an impulse that cannot be one, and how deep bodies sink, is told once for two objects.
cat > pairs.txt <<'END'
solid Rubber: density 1000, young 1e7, poisson 0.3
touch Hard Hard: restitution 0.5, friction 0, impulse 1
touch Rubber Rubber: restitution 0, friction 0
END
cat > feet.jl <<'END'
using Modia3D
Modia3D.loadPalettes!(contactPairMaterialPalette = "pairs.txt")
hard(shape) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = "Hard", collision = true)
Feet = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, translation = [0.0, -0.1, 0.0], feature = hard(Box(lengthX = 2.0, lengthY = 0.2, lengthZ = 2.0))),
               bar = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.2, 0.0]),
               left = Object3D(parent = :bar, translation = [-0.3, 0.0, 0.0], feature = hard(Sphere(diameter = 0.1))),
               right = Object3D(parent = :bar, translation = [0.3, 0.0, 0.0], feature = hard(Sphere(diameter = 0.1))))
feet = @instantiateModel(Feet, unitless = true)
simulate!(feet, stopTime = 1.0)
END
status 0 "$SEGUE" run feet.jl
has err "the impact of 'floor' and 'left' at time = 0.174"
has err "should be an impulse (ImpulseResponse), but there is another contact at the same time: the elastic law is used instead"
[ "$(grep -c 'should be an impulse' err)" -le 2 ] || fail "told more than once for two objects"
# One ball alone is what the law says, until it is slow; that is no news.
sed '/right = /d; s/left = .*/left = Object3D(parent = :bar, feature = hard(Sphere(diameter = 0.1))))/' feet.jl > ball.jl
status 0 "$SEGUE" run ball.jl
lacks err "warning"
# A plate of rubber, 1 cm thick, under a ton; a tenth of that is nothing to tell.
cat > sink.jl <<'END'
using Modia3D
Modia3D.loadPalettes!(contactPairMaterialPalette = "pairs.txt")
rubber(shape, mass) = Solid(shape = shape, solidMaterial = "Rubber", massProperties = mass, collision = true)
Sink = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, translation = [0.0, -0.005, 0.0], feature = rubber(Box(lengthX = 1.0, lengthY = 0.01, lengthZ = 1.0), 1.0)),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.05, 0.0], feature = rubber(Sphere(diameter = 0.1), 1000.0)))
sink = @instantiateModel(Sink, unitless = true)
simulate!(sink, stopTime = 0.5)
END
status 0 "$SEGUE" run sink.jl
has err "'floor' and 'ball' are 0.001"
has err "of the thinner one, under "
has err "their contact materials 'Rubber' and 'Rubber' are too soft for this load"
[ "$(grep -c 'too soft' err)" -eq 1 ] || fail "told more than once"
sed 's/1000\.0/5.0/' sink.jl > light.jl
status 0 "$SEGUE" run light.jl
lacks err "warning"
# A start deep in each other, at rest: nothing is said of what they do then.
sed 's/0\.05, 0\.0\], feature = rubber(Sphere/0.049, 0.0], feature = rubber(Sphere/' light.jl > deep.jl
status 0 "$SEGUE" run deep.jl
has err "'floor' and 'ball' start 0.001 m deep in each other at time = 0 s, 10 % of the thinner one, and press with "
lacks err "shot apart"
lacks err "too soft"
