# A connecting rod, a throw of a crank shaft and a cylinder fall on the ground, and on each other (paper of 2017, figure 8).
#
# Shows: mesh files that collide as their convex hulls, among themselves too.
# They press at points, as published (flatContact = "point").
# Expect: nothing sinks in by more than a hair, and energy only goes down.
using Modia3D
using Test
@usingModiaPlot

steel(shape, color) = Solid(shape = shape, solidMaterial = "Steel", collision = true, visualMaterial = VisualMaterial(color = color))
EngineParts = Model3D(
    world = Object3D(feature = Scene(flatContact = "point", gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), balance = true)),
    ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = steel(Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 2.0), "Green")),
    rod = Object3D(parent = :world, fixedToParent = false, translation = [-0.1, 0.5, 0.0], rotation = [0.4, 0.3, 0.5],
                   feature = steel(FileMesh(filename = "meshes/rod.obj"), "LightSteelBlue")),
    crank = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.25, 0.02], rotation = [0.2, 0.9, 0.3],
                     feature = steel(FileMesh(filename = "meshes/crank.obj"), "Goldenrod")),
    cylinder = Object3D(parent = :world, fixedToParent = false, translation = [0.05, 0.75, 0.05], rotation = [0.5, 0.0, 0.4],
                        feature = steel(Cylinder(axis = 2, diameter = 0.08, length = 0.12), "IndianRed")),
    rodToCrank = DistanceResult(object1 = :rod, object2 = :crank),
    rodToGround = DistanceResult(object1 = :rod, object2 = :ground),
    crankToGround = DistanceResult(object1 = :crank, object2 = :ground),
    cylinderToGround = DistanceResult(object1 = :cylinder, object2 = :ground),
    cylinderToRod = DistanceResult(object1 = :cylinder, object2 = :rod)
)
parts = @instantiateModel(EngineParts, unitless = true)
simulate!(parts, stopTime = 0.6, tolerance = 1e-6, interval = 0.002)

for pair in ["rodToCrank", "rodToGround", "crankToGround", "cylinderToGround", "cylinderToRod"]
    d = getValues(parts, "$pair.distance")
    println(pair, ": least distance ", minimum(d), " m")
    @test minimum(d) > -1e-3
end
# The parts have met each other, not only the ground.
@test minimum(getValues(parts, "rodToCrank.distance")) < 0.0
energy = getValues(parts, "balance.totalEnergy")
println("energy ", round(energy[1], digits = 3), " J at the start, ", round(energy[end], digits = 3), " J at the end")
@test all(energy[i+1] - energy[i] < 1e-5*energy[1] for i in 1:length(energy)-1)
plot(parts, [("rod.translation[2]", "crank.translation[2]", "cylinder.translation[2]"), "balance.totalEnergy"], heading = "Engine parts")
