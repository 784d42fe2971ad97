# Balls fall on two channels: one collides as its convex hull, the other as its convex parts (thesis figure B.11).
#
# Shows: what a concave mesh needs. The hull of a channel is a box: a ball comes to rest on top of an opening that it could
# fall into. With `convexPartition = true` the folder beside the mesh file holds convex parts (bottom and walls), and the
# ball falls in. Mass is that of the mesh either way.
# Expect: one ball at rest at the height of the rim, the other on the bottom.
using Modia3D
using Test
@usingModiaPlot

radius, rim, bottom = 0.06, 0.2, 0.05
channel(; parts) = Solid(shape = FileMesh(filename = "meshes/channel.obj", convexPartition = parts), solidMaterial = "DryWood", collision = true,
                         visualMaterial = VisualMaterial(color = parts ? "DarkSeaGreen" : "LightGray"))
ball(x) = Object3D(parent = :world, fixedToParent = false, translation = [x, 0.5, 0.03], velocity = [0.05, 0.0, 0.0],
                   feature = Solid(shape = Sphere(diameter = 2radius), solidMaterial = "DryWood", collision = true))
Channels = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), balance = true)),
    hull = Object3D(parent = :world, translation = [-0.4, 0.0, 0.0], feature = channel(parts = false)),
    parts = Object3D(parent = :world, translation = [0.4, 0.0, 0.0], feature = channel(parts = true)),
    onHull = ball(-0.4),
    inside = ball(0.4)
)
channels = @instantiateModel(Channels, unitless = true)
simulate!(channels, stopTime = 1.5, tolerance = 1e-7, interval = 0.002)

high = getValues(channels, "onHull.translation[2]")
low = getValues(channels, "inside.translation[2]")
println("balls at rest ", round(high[end] - radius, digits = 5), " m and ", round(low[end] - radius, digits = 5), " m above the floor")
@test abs(high[end] - radius - rim) < 1e-4
@test abs(low[end] - radius - bottom) < 1e-4
@test abs(getLastValue(channels, "inside.velocity[2]")) < 1e-3
energy = getValues(channels, "balance.totalEnergy")
@test all(energy[i+1] - energy[i] < 1e-6*energy[1] for i in 1:length(energy)-1)
plot(channels, [("onHull.translation[2]", "inside.translation[2]"), "balance.totalEnergy"], heading = "Hull and convex parts")
