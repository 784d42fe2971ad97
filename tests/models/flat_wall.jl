# A wall of 20 bricks without mortar: five rows of four, each a quarter of a brick aside, laid on each other. It sinks in by what
# its weight asks for and rests; the floor carries all of it.
using Modia3D, Test

steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
brick(row, k) = Object3D(parent = :world, fixedToParent = false, translation = [0.202*k + 0.05*(row%2), 0, 0.03 + 0.06*row], feature = steel(Box(lengthX = 0.2, lengthY = 0.1, lengthZ = 0.06)))
Wall = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), enableContactDetection = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 4.0, lengthY = 4.0, lengthZ = 0.1))),
    b00 = brick(0, 0), b01 = brick(0, 1), b02 = brick(0, 2), b03 = brick(0, 3),
    b10 = brick(1, 0), b11 = brick(1, 1), b12 = brick(1, 2), b13 = brick(1, 3),
    b20 = brick(2, 0), b21 = brick(2, 1), b22 = brick(2, 2), b23 = brick(2, 3),
    b30 = brick(3, 0), b31 = brick(3, 1), b32 = brick(3, 2), b33 = brick(3, 3),
    b40 = brick(4, 0), b41 = brick(4, 1), b42 = brick(4, 2), b43 = brick(4, 3),
    f0 = ContactResult(object1 = :b00, object2 = :floor), f1 = ContactResult(object1 = :b01, object2 = :floor), f2 = ContactResult(object1 = :b02, object2 = :floor), f3 = ContactResult(object1 = :b03, object2 = :floor))
wall = @instantiateModel(Wall, unitless = true)
simulate!(wall, stopTime = 10.0, tolerance = 1e-6, interval = 0.1)
t = getValues(wall, "time")
k = findfirst(x -> x >= 1.0, t)
for row in 0:4, i in 0:3
    r = getValues(wall, "b$row$i.translation")
    @test maximum([norm(r[j, :] - r[end, :]) for j in k:size(r, 1)]) < 1e-9
end
carried = sum([getValues(wall, "f$i.normalForce")[end] for i in 0:3])
@test abs(carried/(20*8000*9.81*0.2*0.1*0.06) - 1) < 1e-6
