# ImpulseResponse in the log of events, the table of contacts and the balance.
cat > pairs.json <<'END'
{"Steel,Steel": {"responseType": "ImpulseResponse", "coefficientOfRestitution": 0.5, "vsmall": 0.6}}
END
cat > drop.jl <<'END'
using Modia3D
Modia3D.loadPalettes!(contactPairMaterialPalette = "pairs.json")
steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = steel(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.3, 0.0], feature = steel(Sphere(diameter = 0.2))),
               stone = Object3D(parent = :world, fixedToParent = false, translation = [0.3, 0.2, 0.0], feature = steel(Sphere(diameter = 0.2))))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.35, tolerance = 1e-8, logEvents = true)
END
status 0 "$SEGUE" run -q --balance --log contacts drop.jl
# 33.51 kg with 1.4 m/s: 1.5 m v, and 3/8 m v^2 are lost.
has out "impulse(floor,ball) = [0, 70.4"
has out "N s on ball, which takes 24.65"
has out "(floor,stone) goes over to ElasticResponse: it approaches slowly (0 m/s, vsmall = 0.6 m/s)"
has out "impulses               2  impulses"
has out "yielded                1  contacts that were to be impulses and went over to forces"
has out "the balance closes"
cat >> drop.jl <<'END'
simulate!(drop, stopTime = 1.0, tolerance = 1e-8, logEvents = true)
END
status 0 "$SEGUE" run -q drop.jl
has out "(floor,ball) goes over to ElasticResponse: it approaches slowly (0.35"
