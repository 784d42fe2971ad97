# Every solid of the palette that touches itself, and every pair: a ball of one flies against a plate of the other with 1 m/s and comes back with the restitution of
# their line. Pairs without one take the mean of both. Names of solids are names of looks, too.
using Modia3D
using Test

solids = ["Steel", "StainlessSteel", "Aluminium", "CastIron", "Copper", "Brass", "Bronze", "Titanium", "Magnesium", "Zinc", "Nickel", "Tungsten", "Lead", "Gold", "Silver", "Glass", "Alumina", "Concrete",
          "Granite", "Ice", "DryWood", "Oak", "Pine", "Rubber", "Nylon", "Polyethylene", "PVC", "Acrylic", "PTFE", "Iron", "Tin", "Platinum", "Polypropylene", "ABS", "PET", "PLA"]
function rebound(a, b)
    Flight = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField(), restitution = "exact")),
                     plate = Object3D(parent = :world, feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.5, lengthZ = 0.5), solidMaterial = b, visualMaterial = b, collision = true)),
                     ball = Object3D(parent = :world, fixedToParent = false, translation = [0.08, 0.0, 0.0], velocity = [-1.0, 0.0, 0.0],
                                     feature = Solid(shape = Sphere(diameter = 0.05), solidMaterial = a, visualMaterial = a, collision = true)))
    m = @instantiateModel(Flight, unitless = true)
    simulate!(m, stopTime = 0.1, interval = 0.05, log = false)
    return getLastValue(m, "ball.velocity", unit = false)[1]
end
self = [0.7, 0.7, 0.5, 0.6, 0.3, 0.4, 0.4, 0.5, 0.3, 0.2, 0.5, 0.7, 0.16, 0.2, 0.2, 0.9, 0.9, 0.3, 0.5, 0.4, 0.6, 0.5, 0.5, 0.75, 0.6, 0.5, 0.5, 0.6, 0.4, 0.6, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5]
for i in 1:length(solids)
    v = rebound(solids[i], solids[i])
    @test abs(v - self[i]) < 0.01
end
for (a, b, e) in [("Steel", "Ice", 0.4), ("Ice", "Steel", 0.4), ("Rubber", "Concrete", 0.7), ("Concrete", "Rubber", 0.7), ("PTFE", "Steel", 0.5), ("Lead", "Steel", 0.2), ("Copper", "Glass", 0.6), ("Oak", "Pine", 0.5)]
    v = rebound(a, b)
    @test abs(v - e) < 0.01
end

# Densities weigh: a liter of each, by shape and material.
liter = [8.0, 8.0, 2.7, 7.2, 8.96, 8.5, 8.8, 4.51, 1.74, 7.13, 8.9, 19.3, 11.34, 19.3, 10.49, 2.5, 3.9, 2.4, 2.7, 0.917, 0.7, 0.68, 0.5, 1.1, 1.14, 0.955, 1.4, 1.19, 2.2, 7.874, 7.31, 21.45, 0.916, 1.06, 1.38, 1.24]
for i in 1:length(solids)
    m, c, I = Modia3D.massProperties(Solid(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1), solidMaterial = solids[i]))
    @test abs(m - liter[i]) < 1e-12
end

# A block on a slope: ice on steel slides by g (sin a - 0.02 cos a), rubber on concrete stays.
slope(a, b) = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [sin(0.2), -cos(0.2), 0.0]))),
    plate = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = Solid(shape = Box(lengthX = 6.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = b, collision = true)),
    block = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.05, 0.0], velocity = [1.0, 0.0, 0.0], feature = Solid(shape = Box(lengthX = 0.2, lengthY = 0.1, lengthZ = 0.2), solidMaterial = a, collision = true)))
ice = @instantiateModel(slope("Ice", "Steel"), unitless = true)
simulate!(ice, stopTime = 0.5)
@test abs(getLastValue(ice, "block.velocity", unit = false)[1] - 1 - 0.5*9.81*(sin(0.2) - 0.02*cos(0.2))) < 2e-3
