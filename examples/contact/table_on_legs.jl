# A table on four flat legs, one of which is 1 mm too short.
#
# Shows: one body with several flat feet. A weight stands above the short leg, so the table tips by a milliradian until that leg touches, too, and the one across is lifted.
# Expect: the legs carry the weight of all, the lifted one nothing; nothing moves in the end.
using Modia3D
using Test
@usingModiaPlot

steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = look))
leg(x, y, short) = Object3D(parent = :top, translation = [x, y, -0.26 + short/2], feature = steel(Box(lengthX = 0.05, lengthY = 0.05, lengthZ = 0.5 - short), "SaddleBrown"))
Table = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", visualizeContactPoints = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = steel(Box(lengthX = 2.0, lengthY = 2.0, lengthZ = 0.1), "Grey")),
    top = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 0.5101], feature = steel(Box(lengthX = 0.8, lengthY = 0.6, lengthZ = 0.02), "Peru")),
    leg1 = leg(-0.35, -0.25, 0.0), leg2 = leg(0.35, -0.25, 0.0), leg3 = leg(-0.35, 0.25, 0.0), leg4 = leg(0.35, 0.25, 0.001),
    weight = Object3D(parent = :world, fixedToParent = false, translation = [0.3, 0.2, 0.5703], feature = steel(Cylinder(axis = 3, diameter = 0.15, length = 0.1), "SteelBlue")),
    f1 = ContactResult(object1 = :leg1, object2 = :floor), f2 = ContactResult(object1 = :leg2, object2 = :floor),
    f3 = ContactResult(object1 = :leg3, object2 = :floor), f4 = ContactResult(object1 = :leg4, object2 = :floor))
table = @instantiateModel(Table, unitless = true)
simulate!(table, stopTime = 2.0, tolerance = 1e-6, interval = 0.01)
f = [getValues(table, "f$i.normalForce")[end] for i in 1:4]
all = 8000*9.81*(0.8*0.6*0.02 + 0.05^2*(4*0.5 - 0.001) + pi*0.075^2*0.1)
println("the legs carry ", [round(x, digits = 1) for x in f], " N, together ", round(sum(f), digits = 2), " of ", round(all, digits = 2), " N")
r, t = getValues(table, "top.translation"), getValues(table, "time")
k = findfirst(s -> s >= 1.5, t)
drift = maximum([norm(r[i, :] - r[end, :]) for i in k:size(r, 1)])
println("it moves by less than 1e-12 m from 1.5 s on: ", drift < 1e-12)
@test abs(sum(f)/all - 1) < 1e-4
@test drift < 1e-9
@test f[1] == 0.0 && minimum(f[2:4]) > 0.0
