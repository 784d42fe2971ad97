# A stack of cylinders and boxes that stands still.
#
# Shows: flat sides of different shapes on each other: a drum on a crate on a drum on a frustum, each put down 0.1 mm above the one below and a
# little askew. The areas where they meet carry the load, each by its pressure; ContactResult tells area and forces.
# Expect: each contact carries what is above it, over the exact area of disk or square, and nothing moves after a second.
using Modia3D
using Test

steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = look))
put(z, feature; x = 0.0, y = 0.0, turn = 0.0) = Object3D(parent = :world, fixedToParent = false, translation = [x, y, z], rotation = [0, 0, turn], feature = feature)
drum(d, look) = steel(Cylinder(axis = 3, diameter = d, length = 0.1), look)

Stack = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", visualizeContactPoints = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 1.0, lengthY = 1.0, lengthZ = 0.1), "Grey")),
    foot = put(0.0001, steel(Cone(axis = 3, diameter = 0.3, topDiameter = 0.2, length = 0.1), "SlateGrey")),
    low = put(0.1502, drum(0.18, "SteelBlue"), x = 0.005),
    crate = put(0.2503, steel(Box(lengthX = 0.16, lengthY = 0.16, lengthZ = 0.1), "Peru"), y = 0.004, turn = 0.5),
    top = put(0.3504, drum(0.1, "Tomato"), x = -0.003),
    onFloor = ContactResult(object1 = :foot, object2 = :floor),
    onFoot = ContactResult(object1 = :low, object2 = :foot),
    onLow = ContactResult(object1 = :crate, object2 = :low),
    onCrate = ContactResult(object1 = :top, object2 = :crate))
stack = @instantiateModel(Stack, unitless = true)
simulate!(stack, stopTime = 1.2, tolerance = 1e-7, interval = 0.01)

t = getValues(stack, "time")
k = findfirst(x -> x >= 1.0, t)
weight(volume) = 8000*9.81*volume
top = weight(pi*0.05^2*0.1)
crate = top + weight(0.16^2*0.1)
low = crate + weight(pi*0.09^2*0.1)
foot = low + weight(pi*0.1*(0.15^2 + 0.15*0.1 + 0.1^2)/3)
carried = [("onCrate", top, pi*0.05^2), ("onLow", crate, 0.0), ("onFoot", low, pi*0.09^2), ("onFloor", foot, pi*0.15^2)]
for (name, force, area) in carried
    f, a = getValues(stack, name*".normalForce")[end], getValues(stack, name*".contactPatchArea")[end]
    println(name, ": ", round(f, digits = 2), " N of ", round(force, digits = 2), " N, over ", round(1e4*a, digits = 2), " cm2")
    @test abs(f - force) < 1e-4*force
    @test area == 0.0 || abs(a/area - 1) < 1e-3
end
for name in ["foot", "low", "crate", "top"]
    r = getValues(stack, name*".translation")
    @test maximum([norm(r[i, :] - r[end, :]) for i in k:size(r, 1)]) < 1e-9
end
