# What must not matter: where down is, in which order bodies are declared, and how large everything is.
#
# A body and an ellipsoid fall on each other and on a plate. With all lengths scaled by s, times and speeds by its root and
# elasticity by s the motion is the same in other units; so must be what the thresholds of speed and the largest damping say.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_symmetries.txt")
upright = [0.0, 0.0, 0.0]

function fall(make; size = 1.0, touch = "Meter", turned = upright, order = [1, 2, 3])
    s, q = size, sqrt(size)
    matter = SolidMaterial(density = 8000.0, YoungsModulus = 2e9*s, PoissonsRatio = 0.3)
    solid(shape) = Solid(shape = shape, solidMaterial = matter, contactMaterial = touch, collision = true, collisionSmoothingRadius = 0.002*s)
    falling(from, velocity, spin, shape) = Object3D(parent = :frame, fixedToParent = false, translation = s*from, velocity = q*velocity,
                                                    angularVelocity = spin/q, feature = solid(shape))
    bodies = [:plate => Object3D(parent = :frame, translation = [0.0, -0.05*s, 0.0], feature = solid(Box(lengthX = 4.0*s, lengthY = 0.1*s, lengthZ = 3.0*s))),
              :upper => falling([0.0, 0.6, 0.0], [0.3, 0.0, 0.1], [5.0, 1.0, -2.0], make(s)),
              :lower => falling([0.05, 0.3, 0.02], [0.0, 0.0, 0.0], [1.0, 1.0, 1.0], Ellipsoid(lengthX = 0.2*s, lengthY = 0.1*s, lengthZ = 0.15*s))]
    down = Modia3D.rot123(turned[1], turned[2], turned[3])'*[0.0, -1.0, 0.0]
    Fall = Model3D(world = Object3D(feature = Scene(flatContact = "point", gravityField = UniformGravityField(g = 9.81, n = down), maximumContactDamping = 2000.0/q)),
                   frame = Object3D(parent = :world, rotation = turned))
    for k in order
        Fall[bodies[k][1]] = bodies[k][2]
    end
    m = @instantiateModel(Fall, unitless = true)
    simulate!(m, stopTime = 0.55*q, tolerance = 1e-10)
    last(name) = getLastValue(m, name)
    return [last("upper.translation")/s; last("lower.translation")/s; last("upper.velocity")/q; last("upper.angularVelocity")*q;
            last("lower.angularVelocity")*q; last("contacts.begun")]
end

for make in [s -> Ellipsoid(lengthX = 0.1*s, lengthY = 0.2*s, lengthZ = 0.3*s), s -> Capsule(axis = 1, diameter = 0.1*s, length = 0.2*s),
             s -> Box(lengthX = 0.1*s, lengthY = 0.15*s, lengthZ = 0.2*s), s -> Cone(axis = 2, diameter = 0.2*s, length = 0.2*s)]
    expected = fall(make)
    same(x, rtol) = x[end] == expected[end] && norm(x - expected) < rtol*norm(expected)
    @test expected[end] >= 8
    @test same(fall(make, turned = [0.3, 0.7, -0.4]), 1e-6)
    @test same(fall(make, turned = [pi/2, 0.0, 0.0]), 1e-6)
    @test same(fall(make, order = [3, 2, 1]), 1e-6)
    @test same(fall(make, size = 1e-3, touch = "Millimeter"), 1e-5)
    @test same(fall(make, size = 1e3, touch = "Kilometer"), 1e-5)
end
