# Who touches whom: groups of solids by bits, and NoContact between two bodies.
using Modia3D
using Test

floor(; groups...) = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = Solid(; shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = "Steel", collision = true, groups...))
ball(height; groups...) = Object3D(parent = :world, fixedToParent = false, translation = [0.0, height, 0.0], feature = Solid(; shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true, groups...))
world = Object3D(feature = Scene())
function ends(scene)
    m = @instantiateModel(scene, unitless = true)
    simulate!(m, stopTime = 0.3, tolerance = 1e-10)
    return getLastValue(m, "ball.translation")[2]
end
fallen = 0.2 - 9.81*0.3^2/2

# As usual it rests above the floor; a free fall ends below it.
@test ends(Model3D(world = world, floor = floor(), ball = ball(0.2))) > 0.04
@test abs(ends(Model3D(world = world, floor = floor(), ball = ball(0.2), apart = NoContact(object1 = :floor, object2 = :ball))) - fallen) < 1e-7
# Neither is a partner of the other; one of both is enough.
@test abs(ends(Model3D(world = world, floor = floor(), ball = ball(0.2, collisionGroups = 2, collidesWith = 2))) - fallen) < 1e-7
@test abs(ends(Model3D(world = world, floor = floor(collisionGroups = 2, collidesWith = 0), ball = ball(0.2, collisionGroups = 2, collidesWith = 5))) - fallen) < 1e-7
@test ends(Model3D(world = world, floor = floor(collisionGroups = 2, collidesWith = 0), ball = ball(0.2, collisionGroups = 0, collidesWith = 6))) > 0.04
@test ends(Model3D(world = world, floor = floor(collisionGroups = 2147483648, collidesWith = 0), ball = ball(0.2, collidesWith = 4294967295))) > 0.04
@test abs(ends(Model3D(world = world, floor = floor(collisionGroups = 0, collidesWith = 0), ball = ball(0.2))) - fallen) < 1e-7
