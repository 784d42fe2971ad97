# A bracket from a mesh file swings beside the same bracket made of two boxes.
#
# Shows: a body whose mass, center and inertia come from the triangles of an .obj file. CAD programs write millimeters,
# so the mesh is scaled to meters. The surface must be closed, with corners counter-clockwise seen from outside.
# Expect: both swing alike, to the last digits: the integrals over the surface are exact.
using Modia3D
using Test
@usingModiaPlot

mesh = Solid(shape = FileMesh(filename = "meshes/bracket.obj", scale = [0.001, 0.001, 0.001]), solidMaterial = "Steel",
             visualMaterial = VisualMaterial(color = "Light Steel Blue"))
leg(; x, y) = Solid(shape = Box(lengthX = x, lengthY = y, lengthZ = 0.05), solidMaterial = "Steel")

Brackets = Model3D(
    world = Object3D(feature = Scene()),
    place = Object3D(parent = :world, translation = [1.0, 0.0, 0.0]),
    bracket = Object3D(feature = mesh),
    corner = Object3D(),
    leg1 = Object3D(parent = :corner, translation = [0.15, 0.05, 0.0], feature = leg(x = 0.3, y = 0.1)),
    leg2 = Object3D(parent = :corner, translation = [0.05, 0.25, 0.0], feature = leg(x = 0.1, y = 0.3)),
    hinge1 = Revolute(obj1 = :world, obj2 = :bracket),
    hinge2 = Revolute(obj1 = :place, obj2 = :corner)
)

mass, center, inertia = Modia3D.massProperties(mesh)
volume = 0.05*(0.3*0.1 + 0.1*0.3)
println("the mesh weighs ", round(mass, digits = 6), " kg; its center of mass is at (", round(center[1], digits = 6), ", ",
        round(center[2], digits = 6), ") m")
@test abs(mass - 8000.0*volume) < 1e-12*mass
@test maximum(abs.(center - [0.1, 0.15, 0.0])) < 1e-14

brackets = @instantiateModel(Brackets, unitless = true)
simulate!(brackets, stopTime = 3.0, tolerance = 1e-8)
@test maximum(abs.(getValues(brackets, "hinge1.phi") - getValues(brackets, "hinge2.phi"))) < 1e-6
@test minimum(getValues(brackets, "hinge1.phi")) < -2.0
plot(brackets, [("hinge1.phi", "hinge2.phi"), ("hinge1.w", "hinge2.w"), "leg1.r_abs"])
