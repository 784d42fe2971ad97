# What must not matter to flat contacts: the method, where down is, which body comes first and what it is called; and energy
# never grows. The numbers below are for boxes that are soft enough for methods that are not made for stiff equations.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "flat_contact.txt")
soft(shape) = Solid(shape = shape, solidMaterial = SolidMaterial(density = 1000.0, YoungsModulus = 1e7, PoissonsRatio = 0.3), contactMaterial = "Half", collision = true)

# ---- methods and symmetries --------------------------------------------------------------------------------------------
function fall(method, tolerance; turned = zeros(3), order = [1, 2, 3], names = ["a", "b"])
    down = Modia3D.rot123(turned[1], turned[2], turned[3])'*[0.0, 0.0, -1.0]
    Fall = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = down), flatContact = "area")),
                   frame = Object3D(parent = :world, rotation = turned))
    bodies = [:floor => Object3D(parent = :frame, translation = [0, 0, -0.05], feature = soft(Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1))),
              Symbol(names[1]) => Object3D(parent = :frame, fixedToParent = false, translation = [0, 0, 0.14], rotation = [0.1, 0.2, 0.3],
                                           velocity = [0.5, 0.2, 0], feature = soft(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2))),
              Symbol(names[2]) => Object3D(parent = :frame, fixedToParent = false, translation = [0.03, 0.02, 0.33], angularVelocity = [0, 0, 3.0],
                                           feature = soft(Box(lengthX = 0.15, lengthY = 0.2, lengthZ = 0.1)))]
    for k in order
        Fall[bodies[k][1]] = bodies[k][2]
    end
    m = @instantiateModel(Fall, unitless = true)
    simulate!(m, method, stopTime = 0.12, tolerance = tolerance)
    last(name) = getLastValue(m, name)
    return [last(names[1]*".translation"); last(names[1]*".velocity"); last(names[2]*".translation"); last(names[2]*".velocity"); last(names[2]*".angularVelocity")]
end
expected = fall(CVODE_BDF(), 1e-10)
for method in [CVODE_BDF(), IDA(), Rodas5(), Tsit5()]
    @test norm(fall(method, 1e-8) - expected) < 1e-6
end
# As far apart as runs that start 1e-15 m apart: the errors of the steps, which follow the tolerance.
exact = fall(CVODE_BDF(), 1e-12)
for (turned, order) in [([0.3, 0.7, -0.4], [1, 2, 3]), ([pi/2, 0.0, 0.0], [1, 2, 3]), ([0.0, 0.0, 0.0], [3, 2, 1])]
    @test norm(fall(CVODE_BDF(), 1e-10, turned = turned, order = order) - expected) < 1e-9
    @test norm(fall(CVODE_BDF(), 1e-12, turned = turned, order = order) - exact) < 3e-11
end
@test fall(CVODE_BDF(), 1e-10, names = ["z", "b"]) == expected

# ---- energy of random drops --------------------------------------------------------------------------------------------
# tests/cli/flat_drops_of_many_seeds.sh has more of them.
seeds, boxes, stopTime = 1:3, 4, 0.4
state = [1]
function draw(lo, hi) # multiplicative congruences
    state[1] = mod(16807*state[1], 2147483647)
    return lo + (hi - lo)*state[1]/2147483647
end
box() = Solid(shape = Box(lengthX = draw(0.1, 0.2), lengthY = draw(0.1, 0.2), lengthZ = draw(0.1, 0.2)), contactMaterial = "Half", collision = true,
              solidMaterial = SolidMaterial(density = 1000.0, YoungsModulus = 1e8, PoissonsRatio = 0.3))
for seed in seeds
    state[1] = 12345 + 7919*seed
    Drop = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", balance = true)),
                   floor = Object3D(parent = :world, translation = [0, 0, -0.1], feature = soft(Box(lengthX = 6.0, lengthY = 6.0, lengthZ = 0.2))))
    for k in 0:boxes-1
        Drop[Symbol("b", k)] = Object3D(parent = :world, fixedToParent = false, feature = box(),
            translation = [0.3*mod(k, 2) + draw(-0.02, 0.02), 0.3*mod(div(k, 2), 2) + draw(-0.02, 0.02), 0.2 + 0.3*div(k, 4)],
            rotation = [draw(-1.0, 1.0), draw(-1.0, 1.0), draw(-1.0, 1.0)], velocity = [draw(-0.5, 0.5), draw(-0.5, 0.5), 0.0],
            angularVelocity = [draw(-3.0, 3.0), draw(-3.0, 3.0), draw(-3.0, 3.0)])
    end
    m = @instantiateModel(Drop, unitless = true)
    simulate!(m, stopTime = stopTime, tolerance = 1e-6, interval = 0.0005)
    energy, lost = getValues(m, "balance.totalEnergy"), getValues(m, "balance.dissipatedEnergy")
    most, rise = energy[1], 0.0
    for e in energy
        rise = max(rise, e - most)
        most = min(most, e)
    end
    # A tolerance is more than what was seen, 1e-9 of it; so much was lost for good, but for the errors of its integral.
    @test rise < 1e-7*energy[1]
    @test maximum(abs.(energy + lost .- energy[1])) < 1e-5*energy[1]
    # They did fall on something: 0.67 to 0.81 of it are left, by what lies above what.
    @test energy[end] < 0.9*energy[1]
end
