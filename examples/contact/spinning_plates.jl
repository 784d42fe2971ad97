# A disk and a square spin on a plate until friction stops them.
#
# Shows: friction against turning over an area: 2/3 mu N R for a disk, 0.3826 mu N a for a square of side a.
# Expect: both slow down evenly; the disk needs 3 R w/(4 mu g) seconds.
using Modia3D
using Test
@usingModiaPlot

steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = look))
spin(x, shape, look) = Object3D(parent = :world, fixedToParent = false, translation = [x, 0, 0.01 + 1e-4], angularVelocity = [0, 0, 20.0], feature = steel(shape, look))
Spin = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", visualizeContactPoints = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 1.0, lengthY = 0.6, lengthZ = 0.1), "Grey")),
    disk = spin(-0.2, Cylinder(axis = 3, diameter = 0.2, length = 0.02), "SteelBlue"),
    square = spin(0.2, Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.02), "Tomato"),
    under = ContactResult(object1 = :disk, object2 = :floor), below = ContactResult(object1 = :square, object2 = :floor))
plates = @instantiateModel(Spin, unitless = true)
simulate!(plates, stopTime = 0.5, tolerance = 1e-7, interval = 0.002)
t = getValues(plates, "time")
stops(name) = t[findfirst(w -> abs(w) < 1e-3, getValues(plates, name*".angularVelocity")[:, 3])]
mu, R, a, w = 0.5, 0.1, 0.2, 20.0
disk, square = 3*R*w/(4*mu*9.81), a^2/6*w/(0.38260*a*mu*9.81)
println("the disk stops after ", round(stops("disk"), digits = 3), " s, by theory ", round(disk, digits = 3), " s; the square after ", round(stops("square"), digits = 3), " s, by theory ", round(square, digits = 3), " s")
@test abs(stops("disk") - disk) < 0.01*disk + 0.002
@test abs(stops("square") - square) < 0.01*square + 0.002
plot(plates, ["disk.angularVelocity[3]", "square.angularVelocity[3]"], heading = "Friction against turning")
