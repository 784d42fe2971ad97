# Things that stand on things: crates in a stack, and one on a slope that sticks.
#
# Flat sides press over the area where they meet, and friction sticks. The crate on the slope has tan(slope) = 0.99 mu: it holds
# for an hour. Three crates are put down 0.1 mm above each other and come to rest within a second; after that nothing moves by a
# billionth of a millimeter. The areas where they press are colored by pressure.
using Modia3D

steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = look))
crate(look) = steel(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), look)
down = UniformGravityField(g = 9.81, n = [0, 0, -1])

mu = 0.5
slope = atan(0.99*mu)
Slope = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [sin(slope), 0, -cos(slope)]))),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), "Grey")),
    a = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.1], feature = crate("SaddleBrown")))

held = @instantiateModel(Slope, unitless = true)
simulate!(held, stopTime = 3600.0, tolerance = 1e-7, interval = 1.0)
r, k = getValues(held, "a.translation"), findfirst(x -> x >= 1.0, getValues(held, "time"))
println("on the slope the crate moved by less than 1e-12 m in an hour: ", norm(r[k, :] - r[end, :]) < 1e-12)

Stack = Model3D(
    world = Object3D(feature = Scene(gravityField = down, visualizeContactPoints = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), "Grey")),
    a = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.1001], feature = crate("SaddleBrown")),
    b = Object3D(parent = :world, fixedToParent = false, translation = [0.02, 0, 0.3002], rotation = [0, 0, 0.3], feature = crate("Peru")),
    c = Object3D(parent = :world, fixedToParent = false, translation = [0, 0.03, 0.5003], rotation = [0, 0, -0.2], feature = crate("Tan")))

stack = @instantiateModel(Stack, unitless = true)
simulate!(stack, stopTime = 5.0, tolerance = 1e-7, interval = 0.02)
t = getValues(stack, "time")
k = findfirst(x -> x >= 1.0, t)
for name in ["a", "b", "c"]
    r = getValues(stack, name*".translation")
    moved = maximum([norm(r[i, :] - r[end, :]) for i in k:size(r, 1)])
    println("crate ", name, " moved by less than 1e-12 m from 1 s on: ", moved < 1e-12)
end
