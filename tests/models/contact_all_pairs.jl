# Every shape strikes every other one, askew and off center: 64 pairs of eight kinds, in space.
#
# Without losses energy, momentum and angular momentum are what they were; with friction and restitution energy falls, and is accounted for, and momentum
# and angular momentum are the same. Which of the two is named first does not matter, nor does their size. (That distances are right is the matter of
# src/collide/oracle_test.c.)
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_closed_forms.txt")
shapes = [("sphere", s -> Sphere(diameter = 0.2*s)), ("ellipsoid", s -> Ellipsoid(lengthX = 0.1*s, lengthY = 0.2*s, lengthZ = 0.3*s)),
          ("capsule", s -> Capsule(axis = 1, diameter = 0.1*s, length = 0.2*s)), ("box", s -> Box(lengthX = 0.1*s, lengthY = 0.15*s, lengthZ = 0.2*s)),
          ("cylinder", s -> Cylinder(axis = 1, diameter = 0.1*s, length = 0.2*s)), ("cone", s -> Cone(axis = 2, diameter = 0.2*s, length = 0.2*s)),
          ("beam", s -> Beam(axis = 3, length = 0.2*s, width = 0.1*s, thickness = 0.05*s)), ("mesh", s -> FileMesh(filename = "block.obj", scale = [1.0, 0.75, 1.0]*s))]
noise(k) = 43758.5453*sin(12.9898*k) - floor(43758.5453*sin(12.9898*k)) # 0 to 1
angles(k) = 2*pi*[noise(3*k), noise(3*k + 1), noise(3*k + 2)]

function body(shape, touch, place, turned, velocity, spin)
    return Object3D(parent = :world, fixedToParent = false, translation = place, rotation = turned, velocity = velocity, angularVelocity = spin,
                    feature = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true))
end
function meet(i, k, touch, s; tolerance = 1e-8, swapped = false)
    u = sqrt(s)
    a = body(shapes[i][2](s), touch, s*[-0.3, 0.02, 0.0], angles(i), u*[1.0, 0.0, 0.0], u/s*[0.5, 1.0, 0.2])
    b = body(shapes[k][2](s), touch, s*[0.0, 0.0, 0.01], angles(10 + k), u*[-1.0, 0.1, 0.0], u/s*[0.1, -0.3, 0.4])
    Meet = merge(Model3D(world = Object3D(feature = Scene(flatContact = "point", gravityField = NoGravityField(), balance = true))), swapped ? Model(b = b, a = a) : Model(a = a, b = b))
    m = @instantiateModel(Meet, unitless = true)
    simulate!(m, stopTime = 0.3*s/u, tolerance = tolerance, interval = 0.01*s/u)
    return m
end
at_end(m) = vcat(getLastValue(m, "a.velocity"), getLastValue(m, "b.velocity"))
drift(q) = maximum(abs.(q .- q[1:1, :]))

# Of energy, momentum and angular momentum, in parts of what both bodies have together at the start.
function changes(m, s)
    e, p, L = getValues(m, "balance.totalEnergy"), getValues(m, "balance.momentum"), getValues(m, "balance.angularMomentum")
    gone = getValues(m, "balance.dissipatedEnergy")[end]
    each = e[1]/sqrt(s) # about the momentum of each: the speeds are sqrt(s)
    return abs(e[end]/e[1] - 1), drift(p)/each, drift(L)/(0.1*s*each), abs((e[end] + gone)/e[1] - 1)
end
function check(i, k, s)
    m = meet(i, k, "Spring", s)
    @test getLastValue(m, "contacts.begun") >= 1
    (e, p, L, sum) = changes(m, s)
    @test e < 1e-6
    @test p < 2e-6
    @test L < 2e-5
    if i != k
        @test norm(at_end(meet(i, k, "Spring", s, swapped = true)) - at_end(m)) < 1e-6*sqrt(s)
    end
    m = meet(i, k, "Rough", s)
    (e, p, L, sum) = changes(m, s)
    @test 0.01 < e < 1.0
    @test p < 2e-6
    @test L < 2e-5
    @test sum < 1e-5
end
for i in 1:8, k in 1:8
    check(i, k, 1.0)
end
for i in 1:8, s in [0.005, 50.0]
    check(i, mod1(i + 3, 8), s)
end
