# An arch of seven wedges without mortar, and one that is too thin to stand.
#
# Shows: convex meshes press on each other over areas, and friction holds; nothing is glued, nothing is fixed. Two threads
# press the stones (Scene(threads = 2)); one of them gives the same bits.
# Expect: half a circle of stones stands if it is thicker than a tenth of its radius (Couplet 1730, Milankovitch 1907: 0.1075 for many
# wedges). The one of 0.4 radii rests, each foot carries half of it and pushes outward; the one of 0.08 radii falls in.
using Modia3D
using Test
@usingModiaPlot

wedge(k, mesh, y) = Object3D(parent = :world, fixedToParent = false, translation = [cos((k - 0.5)*pi/7), y, sin((k - 0.5)*pi/7)], rotation = [0, -(k - 0.5)*pi/7, 0],
    feature = Solid(shape = FileMesh(filename = mesh), solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = k % 2 == 0 ? "SteelBlue" : "Tomato")))
function arch(mesh)
    A = Model3D(
        world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), visualizeContactPoints = true, threads = 2)),
        floor = Object3D(parent = :world, translation = [0, 0, -0.1], feature = Solid(shape = Box(lengthX = 4.0, lengthY = 2.0, lengthZ = 0.2), solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = "Grey"))))
    for k in 1:7
        A[Symbol("w$k")] = wedge(k, mesh, 0.0)
    end
    A[:left] = ContactResult(object1 = :w7, object2 = :floor)
    A[:right] = ContactResult(object1 = :w1, object2 = :floor)
    return @instantiateModel(A, unitless = true)
end

stands = arch("meshes/wedge.obj")
simulate!(stands, stopTime = 10.0, tolerance = 1e-6, interval = 0.1)
t = getValues(stands, "time")
from = findfirst(x -> x >= 1.0, t)
moved = maximum([norm(getValues(stands, "w$k.translation")[i, :] - getValues(stands, "w$k.translation")[end, :]) for k in 1:7 for i in from:length(t)])
weight = 8000*9.81*0.3*7*0.5*(1.2^2 - 0.8^2)*sin(pi/7)
carried = [getValues(stands, name*".normalForce")[end] for name in ["left", "right"]]
pushes = getValues(stands, "right.forceVector")[end, 1]
println("seven wedges of ", round(weight/9.81, digits = 0), " kg move by ", moved, " m from 1 s on; each foot carries ", round(carried[1], digits = 1), " N and pushes with ", round(abs(pushes), digits = 1), " N")
@test moved < 1e-9
@test maximum(abs.(carried/(weight/2) .- 1)) < 1e-6
# By symmetry the crown thrusts across, between its lower and its upper edge, and the foot stands between its own: half of the arch,
# whose middle is 0.6 to 0.7 m aside, turns about neither.
@test abs(pushes) > weight/2*(0.8 - 0.7)/1.2 && abs(pushes) < weight/2*(1.2 - 0.6)/0.78

falls = arch("meshes/thin_wedge.obj")
simulate!(falls, stopTime = 0.3, tolerance = 1e-6, interval = 0.01)
crown = getLastValue(falls, "w4.translation")[3]
println("the crown of the thin one has sunk by ", round(1 - crown, digits = 3), " m after 0.3 s")
@test crown < 0.95
plot(falls, "w4.translation[3]", figure = 1)
