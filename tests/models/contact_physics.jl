# Physics of contacts in model files: restitution, energy, momentum, sinking, sliding to rolling.
using Modia3D
using Test

Modia3D.loadPalettes!(solidMaterialPalette = "contact_pairs.txt")
still() = Object3D(feature = Scene(gravityField = NoGravityField()))
steel(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)

# The effective restitution of the law, from independent integrations of it.
for (touch, effective) in [("Cor100", 1.0), ("Cor98", 0.97869), ("Cor90", 0.89392), ("Cor80", 0.78854), ("Steel", 0.68318), ("Cor60", 0.57728),
                           ("Cor50", 0.47044), ("Cor30", 0.25621), ("Cor10", 0.06944), ("Cor5", 0.03289), ("Cor1", 0.00631)]
    Wall = Model3D(world = still(),
                   wall = Object3D(parent = :world, translation = [-0.05, 0.0, 0.0], feature = steel(Box(lengthX = 0.1, lengthY = 1.0, lengthZ = 1.0), touch)),
                   ball = Object3D(parent = :world, fixedToParent = false, translation = [0.1, 0.0, 0.0], velocity = [-1.0, 0.0, 0.0],
                                   feature = steel(Sphere(diameter = 0.1), touch)))
    wall = @instantiateModel(Wall, unitless = true)
    simulate!(wall, stopTime = 0.1, tolerance = 1e-9)
    @test abs(getLastValue(wall, "ball.velocity")[1] - effective) < 2e-5
end

# Two spinning balls off center: momentum and angular momentum to the tolerance, energy never up.
Two = Model3D(world = still(),
              a = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.03, 0.0], angularVelocity = [0.0, 0.0, 30.0],
                           feature = steel(Sphere(diameter = 0.1), "Steel")),
              b = Object3D(parent = :world, fixedToParent = false, translation = [0.3, 0.0, 0.0], velocity = [-2.0, 0.0, 0.0], angularVelocity = [5.0, 0.0, -10.0],
                           feature = steel(Sphere(diameter = 0.1), "Steel")),
              both = ContactResult(object1 = :a, object2 = :b))
two = @instantiateModel(Two, unitless = true)
simulate!(two, stopTime = 0.3, tolerance = 1e-8)
m = 8000*pi*0.1^3/6
J = 0.4*m*0.05^2
at(name, k) = getValues(two, name)[k, :]
momentum(k) = m*(at("a.velocity", k) + at("b.velocity", k))
spin(k) = m*(cross(at("a.translation", k), at("a.velocity", k)) + cross(at("b.translation", k), at("b.velocity", k))) + J*(at("a.angularVelocity", k) + at("b.angularVelocity", k))
energy(k) = 0.5*m*(sum(at("a.velocity", k).^2) + sum(at("b.velocity", k).^2)) + 0.5*J*(sum(at("a.angularVelocity", k).^2) + sum(at("b.angularVelocity", k).^2))
n = length(getValues(two, "time"))
for k in 1:n
    @test norm(momentum(k) - momentum(1)) < 1e-7*norm(momentum(1))
    @test norm(spin(k) - spin(1)) < 1e-6*norm(spin(1))
    @test energy(k) < energy(1)*(1 + 10*1e-8)
end
@test energy(n) < 0.8*energy(1)

# A ball that drops without loss comes back to its height; three bounces.
Drop = Model3D(world = Object3D(feature = Scene()),
               ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = steel(Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), "Cor100")),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.55, 0.0], feature = steel(Sphere(diameter = 0.1), "Cor100")))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 2.1, tolerance = 1e-9)
high(k) = 0.5*getValues(drop, "ball.velocity")[k, 2]^2 + 9.81*(getValues(drop, "ball.translation")[k, 2] - 0.05)
@test abs(high(length(getValues(drop, "time")))/(9.81*0.5) - 1) < 3e-6
