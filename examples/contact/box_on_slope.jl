# Two boxes on a slope: one holds, the other slides.
#
# Shows: friction that sticks. The slope of 0.4 rad asks for a coefficient of tan(0.4) = 0.4228; the rough box has 0.43 and uses
# 98.3 % of it, the smooth one has 0.3. The areas show how the pressure leans towards the lower edge.
# Expect: the rough box stays where it is, to a billionth of a millimeter; the smooth one slides with g (sin - 0.3 cos) = 1.1096 m/s2.
using Modia3D
using Test
@usingModiaPlot

Modia3D.loadPalettes!(contactPairMaterialPalette = "box_on_slope.txt")
solid(shape, touch, look) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true, visualMaterial = VisualMaterial(color = look))
angle = 0.4
up = [sin(angle), 0.0, cos(angle)]          # across the slope; it goes down towards x
along = [cos(angle), 0.0, -sin(angle)]
box(y, touch, look) = Object3D(parent = :world, fixedToParent = false, translation = 0.05*up - 0.6*along + [0, y, 0], rotation = [0, angle, 0],
                               feature = solid(Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.1), touch, look))
Slope = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", visualizeContactPoints = true)),
    plank = Object3D(parent = :world, translation = -0.05*up, rotation = [0, angle, 0], feature = solid(Box(lengthX = 2.0, lengthY = 1.0, lengthZ = 0.1), "Plank", "Grey")),
    rough = box(-0.2, "Rough", "SaddleBrown"),
    smooth = box(0.2, "Smooth", "SteelBlue"),
    holds = ContactResult(object1 = :rough, object2 = :plank),
    slides = ContactResult(object1 = :smooth, object2 = :plank))
slope = @instantiateModel(Slope, unitless = true)
simulate!(slope, stopTime = 1.0, tolerance = 1e-7, interval = 0.01)

t, r, s = getValues(slope, "time"), getValues(slope, "rough.translation"), getValues(slope, "smooth.translation")
k = findfirst(x -> x >= 0.5, t)
share, stuck = getValues(slope, "holds.frictionShare"), getValues(slope, "holds.sticking")
println("the rough box uses ", round(100*share[end], digits = 1), " % of its friction and moved by less than 1e-12 m since 0.5 s: ", norm(r[k, :] - r[end, :]) < 1e-12)
way = dot(s[end, :] - s[1, :], along)
println("the smooth box slid by ", round(way, digits = 4), " m, by theory ", round(0.5*9.81*(sin(angle) - 0.3*cos(angle)), digits = 4), " m")
@test norm(r[k, :] - r[end, :]) < 1e-12 && stuck[end] == 1.0
@test abs(share[end] - tan(angle)/0.43) < 1e-4
@test abs(way/(0.5*9.81*(sin(angle) - 0.3*cos(angle))) - 1) < 0.01
@test getValues(slope, "slides.sticking")[end] == 0.0 && getValues(slope, "slides.frictionShare")[end] > 0.999
plot(slope, [("holds.frictionShare", "slides.frictionShare"), ("slides.tangentialVelocity")], heading = "Boxes on a slope")
