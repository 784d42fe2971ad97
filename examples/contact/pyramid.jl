# A spinning pyramid comes down on a table, slides to its edge and falls over it (paper of 2005, section 3.2).
#
# Shows: a mesh body on feet (its base would be a face on a face, see crate_on_feet.jl). The mesh itself collides
# too, and is what meets the edge when the pyramid tips; the table is round, so that this is one point and not a line. Friction takes from speed and spin together.
# Expect: it reaches the edge with nearly no speed left, tips, and turns while it falls.
using Modia3D
using Test
@usingModiaPlot

half, r, out, edge = 0.1, 0.01, 0.008, 0.6
foot(x, z) = Object3D(parent = :pyramid, translation = [x, r - out, z],
                      feature = Solid(shape = Sphere(diameter = 2r), solidMaterial = "DryWood", collision = true,
                                      massProperties = MassProperties(mass = 0.0)))
Table = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), balance = true)),
    table = Object3D(parent = :world, translation = [edge - 1.0, -0.02, 0.0],
                     feature = Solid(shape = Cylinder(axis = 2, diameter = 2.0, length = 0.04), solidMaterial = "DryWood", collision = true,
                                     visualMaterial = VisualMaterial(color = "Peru"))),
    pyramid = Object3D(parent = :world, fixedToParent = false, translation = [-1.0, 0.05, 0.0], velocity = [2.99, 0.0, 0.0],
                       angularVelocity = [0.0, 12.0, 0.0],
                       feature = Solid(shape = FileMesh(filename = "meshes/pyramid.obj"), solidMaterial = "DryWood", collision = true)),
    foot1 = foot(-half + r, -half + r), foot2 = foot(half - r, -half + r), foot3 = foot(-half + r, half - r), foot4 = foot(half - r, half - r)
)
table = @instantiateModel(Table, unitless = true)
simulate!(table, stopTime = 1.6, tolerance = 1e-6, interval = 0.005)

t = getValues(table, "time")
x, y = getValues(table, "pyramid.translation[1]"), getValues(table, "pyramid.translation[2]")
v, spin = getValues(table, "pyramid.velocity[1]"), getValues(table, "pyramid.angularVelocity[2]")
over = findfirst(x .>= edge)
println("reaches the edge after ", round(t[over], digits = 3), " s with ", round(v[over], digits = 3), " m/s and ", round(spin[over], digits = 3), " rad/s; ends ", round(y[end], digits = 3), " m high")
# On the flat part it was level; at the end it tumbles below the table.
@test 0.0 < v[over] < 0.3
@test maximum(abs.(getValues(table, "pyramid.rotation[1]")[(t .> 0.6) .& (t .< 0.8)])) < 0.02
@test y[end] < -0.5
energy = getValues(table, "balance.totalEnergy")
@test all(energy[i+1] - energy[i] < 1e-5*energy[1] for i in 1:length(energy)-1)
plot(table, [("pyramid.translation[1]", "pyramid.translation[2]"), ("pyramid.velocity[1]", "pyramid.angularVelocity[2]"), "balance.totalEnergy"], heading = "Over the edge")
