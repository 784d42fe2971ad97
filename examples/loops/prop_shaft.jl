# A car's propeller shaft: two universal joints with a spline between them.
#
# Shows: Universal in a tree, with angles of its own, and the second one closing the loop over the two bearings. A single
# universal joint bent by b turns unevenly: w2/w1 = cos(b)/(1 - (sin(b) sin(phi))^2), with phi from where its driving yoke lies
# in the plane of the bend. The second one takes that back if its yoke on the shaft is in line with that of the first; turned by
# a right angle, it does the same once more.
# Expect: the tube between them runs between cos(b) and 1/cos(b) of the speed, the output as evenly as the input; assembled
# wrongly between cos(b)^2 and 1/cos(b)^2.
using Modia3D
using Test
@usingModiaPlot

bend, length, w = 25*pi/180, 0.8, 20.0 # [rad], [m], [rad/s]
shaft(L) = Solid(shape = Cylinder(axis = 3, diameter = 0.05, length = L), solidMaterial = "Steel", visualMaterial = VisualMaterial(color = "Slate Gray"))
yoke(color) = Visual(shape = Box(lengthX = 0.14, lengthY = 0.03, lengthZ = 0.03), visualMaterial = VisualMaterial(color = color))
yokeAcross(color) = Visual(shape = Box(lengthX = 0.03, lengthY = 0.14, lengthZ = 0.03), visualMaterial = VisualMaterial(color = color))

PropShaft(outer, inner) = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), enableContactDetection = false, cameraDistance = 2.5)),
    rear = Object3D(parent = :world, translation = [0.0, -length*sin(bend), length*cos(bend)]),
    input = Object3D(), inputShaft = Object3D(parent = :input, translation = [0.0, 0.0, -0.15], feature = shaft(0.3)),
    inputYoke = Object3D(parent = :input, feature = yoke("Orange Red")),
    tube = Object3D(), tubeShaft = Object3D(parent = :tube, translation = [0.0, 0.0, 0.25], feature = shaft(0.5)),
    tubeYoke = Object3D(parent = :tube, feature = yokeAcross("Gold")),
    spline = Object3D(), splineShaft = Object3D(parent = :spline, translation = [0.0, 0.0, -0.2], feature = Solid(shape = Cylinder(axis = 3, diameter = 0.03, length = 0.4),
                                       solidMaterial = "Steel", visualMaterial = VisualMaterial(color = "Gainsboro"))),
    splineYoke = Object3D(parent = :spline, feature = inner == 2 ? yokeAcross("Gold") : yoke("Gold")),
    output = Object3D(), outputShaft = Object3D(parent = :output, translation = [0.0, 0.0, 0.15], feature = shaft(0.3)),
    outputYoke = Object3D(parent = :output, feature = outer == 1 ? yoke("Orange Red") : yokeAcross("Orange Red")),
    motor = RevoluteWithFlange(obj1 = :world, obj2 = :input, axis = 3, phi = Var(init = nothing), w = Var(init = nothing)),
    front = Universal(obj1 = :input, obj2 = :tube, axis1 = 1, axis2 = 2, phi1 = Var(init = bend)),
    slide = Prismatic(obj1 = :tube, obj2 = :spline, axis = 3, s = Var(init = length)),
    bearing = Revolute(obj1 = :rear, obj2 = :output, axis = 3, w = Var(init = w)),
    back = Universal(obj1 = :spline, obj2 = :output, axis1 = inner, axis2 = outer),
    spin = SensorResult(object = :tube, objectCoordinateRef = :tube),
    equations = :[
        motor.flange.phi = $w*time
        tubeSpeed = spin.angularVelocity[3]
    ]
)

# Every yoke on the tube in line; and the second one turned by a right angle.
right = @instantiateModel(PropShaft(1, 2), unitless = true)
simulate!(right, stopTime = 1.0, tolerance = 1e-9, interval = 0.002)
wrong = @instantiateModel(PropShaft(2, 1), unitless = true)
simulate!(wrong, stopTime = 1.0, tolerance = 1e-9, interval = 0.002)

t = getValues(right, "time")
uneven(phi) = cos(bend)./(1 .- (sin(bend)*sin.(phi)).^2)
tube, even, twice = getValues(right, "tubeSpeed")/w, getValues(right, "bearing.w")/w, getValues(wrong, "bearing.w")/w
println("tube from ", round(minimum(tube), digits = 4), " to ", round(maximum(tube), digits = 4), " of the speed, output ", round(minimum(even), digits = 12))
println("assembled wrongly: output from ", round(minimum(twice), digits = 4), " to ", round(maximum(twice), digits = 4))
@test maximum(abs.(tube .- uneven(w*t))) < 1e-10
@test maximum(abs.(even .- 1)) < 1e-10
# It sees the angle of the tube, tan(angle) = cos(b) tan(phi), as the first one sees that of the input.
angle = atan.(cos(bend)*sin.(w*t), cos.(w*t))
@test maximum(abs.(twice .- uneven(w*t).*cos(bend)./(1 .- (sin(bend)*sin.(angle)).^2))) < 1e-10
plot(right, ["tubeSpeed", "bearing.w"], heading = "Propeller shaft")
