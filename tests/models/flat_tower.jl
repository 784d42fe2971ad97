# Ten cubes of steel on each other that sway as a whole, 31 times a second. Damping at rest is that of the loaded contacts, so the sway dies away with 18/s,
# and methods of high order do not keep it alive below the tolerance: from 1 s on nothing moves by 1e-9 m.
using Modia3D, Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
Tower = Model3D(world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
                floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1))))
for i in 1:10
    Tower[Symbol("b$i")] = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.1 + 0.2*(i - 1)], velocity = [1e-4*i^2, 5e-5*i^2, 0],
        feature = steel(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2)))
end
tower = @instantiateModel(Tower, unitless = true)
simulate!(tower, stopTime = 2.0, tolerance = 1e-6, interval = 0.02)
t, r = getValues(tower, "time"), getValues(tower, "b10.translation")
early = [i for i in 1:length(t) if t[i] < 0.1]
late = [i for i in 1:length(t) if t[i] >= 1.0]
@test maximum([norm(r[i, :] - r[end, :]) for i in early]) > 5e-6
@test maximum([norm(r[i, :] - r[end, :]) for i in late]) < 1e-9
