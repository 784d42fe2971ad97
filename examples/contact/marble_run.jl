# A marble rolls through a pipe: tubes collide by their walls.
#
# The pipe is 1 m long and slopes by 0.2 rad; the marble starts at its upper end and rolls out of the lower one onto a plate.
# By theory a ball that rolls has the acceleration 5/7 g sin(slope), so it takes 1.17 s for 0.95 m and leaves with 1.63 m/s.
using Modia3D

slope, length, bore, d = 0.2, 1.0, 0.1, 0.04
steel(shape, look) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = look)
glass = VisualMaterial(color = "LightBlue", transparency = 0.6)
along = [cos(slope), -sin(slope), 0.0]
across = [sin(slope), cos(slope), 0.0]

MarbleRun = Model3D(
    world = Object3D(feature = Scene(enableVisualization = true)),
    pipe = Object3D(parent = :world, translation = [0.0, 0.4, 0.0], rotation = [0.0, 0.0, -slope],
                    feature = steel(Cylinder(axis = 1, diameter = 0.12, innerDiameter = bore, length = length), glass)),
    plate = Object3D(parent = :world, translation = [1.0, -0.01, 0.0],
                     feature = steel(Box(lengthX = 2.0, lengthY = 0.02, lengthZ = 0.6), VisualMaterial(color = "Grey"))),
    marble = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.4, 0.0] - 0.45*along - 0.5*(bore - d)*across,
                      feature = steel(Sphere(diameter = d), VisualMaterial(color = "DarkRed"))))

run = @instantiateModel(MarbleRun, unitless = true)
simulate!(run, stopTime = 2.2, tolerance = 1e-7, interval = 0.01)
t, r, v = getValues(run, "time"), getValues(run, "marble.translation"), getValues(run, "marble.velocity")
out = [i for i in 1:size(r, 1) if r[i, 1]*along[1] + (r[i, 2] - 0.4)*along[2] > 0.5*length][1]
println("the marble left the pipe after ", round(t[out], digits = 2), " s with ", round(norm(v[out, :]), digits = 2), " m/s")
