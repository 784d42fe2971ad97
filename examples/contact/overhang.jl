# Boxes on the edge of a table: one stays, one tips over.
#
# Shows: the area of contact ends at the edge of the table, and its center of pressure must lie below the middle of the box.
# Expect: with 45 % over the edge the box stays, and presses hardest at the edge; with 55 % it tips and falls.
using Modia3D
using Test
@usingModiaPlot

steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = look))
box(over, y, look) = Object3D(parent = :world, fixedToParent = false, translation = [0.2*(over - 0.5), y, 0.05], feature = steel(Box(lengthX = 0.2, lengthY = 0.15, lengthZ = 0.1), look))
Edge = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", visualizeContactPoints = true)),
    table = Object3D(parent = :world, translation = [-0.5, 0, -0.05], feature = steel(Box(lengthX = 1.0, lengthY = 1.0, lengthZ = 0.1), "Grey")),
    stays = box(0.45, -0.2, "SteelBlue"),
    tips = box(0.55, 0.2, "Tomato"),
    under = ContactResult(object1 = :stays, object2 = :table))
edge = @instantiateModel(Edge, unitless = true)
simulate!(edge, stopTime = 1.0, tolerance = 1e-6, interval = 0.01)
center, area = getValues(edge, "under.positionVector")[end, 1], getValues(edge, "under.contactPatchArea")[end]
r = getValues(edge, "tips.translation")
println("the one that stays rests on ", round(1e4*area, digits = 1), " cm2, its center of pressure at ", round(100*center, digits = 2), " cm; the other is at a height of ", round(r[end, 3], digits = 2), " m")
# The pressure is linear from the edge on and must balance the middle of the box, 1 cm from the edge: a triangle of 3 cm.
@test abs(center + 0.01) < 1e-6
@test abs(area - 0.03*0.15) < 1e-5
@test r[end, 3] < -0.1
@test norm(getValues(edge, "stays.translation")[end, :] - [-0.01, -0.2, 0.05]) < 1e-5
