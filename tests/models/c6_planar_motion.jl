# Scenario C6: a box on two prismatic joints and a revolute one; exact.
using Modia3D
using Test

Planar = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 1.0, n = [0, -1, 0]))),
    slideX = Object3D(),
    slideY = Object3D(),
    box = Object3D(feature = Solid(shape = Box(lengthX = 0.4, lengthY = 0.6, lengthZ = 0.1), solidMaterial = "Steel")),
    x = Prismatic(obj1 = :world, obj2 = :slideX, axis = 1, s = Var(init = -1.0), v = Var(init = 1.0)),
    y = Prismatic(obj1 = :slideX, obj2 = :slideY, axis = 2, s = Var(init = -1.0), v = Var(init = 2.0)),
    z = Revolute(obj1 = :slideY, obj2 = :box, axis = 3, w = Var(init = 3.0))
)
planar = @instantiateModel(Planar, unitless = true)
simulate!(planar, stopTime = 4.0, requiredFinalStates = [1.0, 3.0, -2.0, -1.0, 3.0, 12.0])
@test get_xNames(planar) == ["x.v", "x.s", "y.v", "y.s", "z.w", "z.phi"]
@test maximum(abs.(getValues(planar, "box.r_abs")[end, :] - [3.0, -1.0, 0.0])) < 1e-6
