# Three blocks on a steep slope: the tall one tips over.
#
# Shows: whether a block slides or tips is decided by its form: it tips where its weight acts beside its foot. All are of steel with friction 0.5.
# Expect: on a slope of 0.42 rad (tan = 0.447 < 0.5) nothing slides; the tall block, 5 times as high as wide, tips, the low ones stay.
using Modia3D
using Test
@usingModiaPlot

steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = look))
angle = 0.42
up, along = [sin(angle), 0.0, cos(angle)], [cos(angle), 0.0, -sin(angle)]
block(y, wide, high, look) = Object3D(parent = :world, fixedToParent = false, translation = 0.5*high*up + [0, y, 0], rotation = [0, angle, 0],
                                      feature = steel(Box(lengthX = wide, lengthY = 0.1, lengthZ = high), look))
Blocks = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), flatContact = "area", visualizeContactPoints = true)),
    slope = Object3D(parent = :world, translation = -0.05*up, rotation = [0, angle, 0], feature = steel(Box(lengthX = 1.6, lengthY = 0.8, lengthZ = 0.1), "Grey")),
    low = block(-0.25, 0.2, 0.1, "SteelBlue"),
    upright = block(0.0, 0.14, 0.2, "YellowGreen"),
    tall = block(0.25, 0.1, 0.5, "Tomato"),
    lowFoot = ContactResult(object1 = :low, object2 = :slope),
    uprightFoot = ContactResult(object1 = :upright, object2 = :slope))
blocks = @instantiateModel(Blocks, unitless = true)
simulate!(blocks, stopTime = 0.4, tolerance = 1e-6, interval = 0.005)
tilt(name) = getValues(blocks, name*".rotation")[end, 2] - angle
println("the low block turned by ", round(tilt("low"), digits = 4), " rad, the upright one by ", round(tilt("upright"), digits = 4), " rad, the tall one by ", round(tilt("tall"), digits = 2), " rad")
# Center of pressure: h tan(angle)/2 below the middle of the foot; the patch is shorter than the foot where that is beyond its middle third.
lean = 0.5*0.2*tan(angle)
area = getValues(blocks, "uprightFoot.contactPatchArea")[end]
println("the upright block stands on ", round(1e4*area, digits = 2), " cm2 of its 140 cm2, by theory on ", round(1e4*3*(0.07 - lean)*0.1, digits = 2), " cm2")
@test abs(tilt("low")) < 1e-4 && abs(tilt("upright")) < 1e-3
@test abs(tilt("tall")) > 0.3
@test abs(area/(3*(0.07 - lean)*0.1) - 1) < 0.01
@test getValues(blocks, "lowFoot.sticking")[end] == 1.0 && abs(getValues(blocks, "lowFoot.frictionShare")[end] - tan(angle)/0.5) < 1e-3
