# A ring of 70 capsules, a jack of 6 boxes, a cylinder, a box and a sphere meet in space (paper of 2017, figure 9).
#
# Shows: concave bodies as convex parts. Parts of one body are rigidly attached and never touch each other, so of the 3081
# pairs of 79 shapes 6*70 + 3*76 + 3 = 651 are left; the tree of boxes looks at the few of them that are near.
# Expect: momentum and angular momentum are what they were, and the sphere flies through the ring without touching it.
using Modia3D
using Test
@usingModiaPlot

n, ring, thick = 70, 0.5, 0.06
part(shape; color) = Solid(shape = shape, solidMaterial = "DryWood", collision = true, visualMaterial = VisualMaterial(color = color))
colors = ["IndianRed", "Goldenrod", "DarkSeaGreen", "SteelBlue", "Orchid", "LightGray", "Peru"]

Concave = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)),
    ring = Object3D(parent = :world, fixedToParent = false, angularVelocity = [0.3, 0.0, 0.2]),
    jack = Object3D(parent = :world, fixedToParent = false, translation = [0.55, 0.0, 1.0], velocity = [0.0, 0.0, -1.0], angularVelocity = [1.0, 2.0, 0.5]),
    sphere = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.1, 1.2], velocity = [0.0, 0.0, -2.0],
                      feature = part(Sphere(diameter = 0.2), color = "White")),
    cylinder = Object3D(parent = :world, fixedToParent = false, translation = [-0.5, 0.1, 0.8], rotation = [0.4, 0.2, 0.0], velocity = [0.0, 0.0, -1.2],
                        feature = part(Cylinder(axis = 2, diameter = 0.15, length = 0.3), color = "SteelBlue")),
    box = Object3D(parent = :world, fixedToParent = false, translation = [0.1, -0.6, 1.0], rotation = [0.3, 0.5, 0.1], velocity = [0.0, 0.1, -1.5],
                   feature = part(Box(lengthX = 0.2, lengthY = 0.15, lengthZ = 0.25), color = "Goldenrod"))
)
for i in 1:n
    angle = 2*pi*(i - 1)/n
    Concave[Symbol("ring$i")] = Object3D(parent = :ring, translation = ring*[cos(angle), sin(angle), 0.0], rotation = [0.0, 0.0, angle],
        feature = part(Capsule(axis = 2, diameter = thick, length = 2*pi*ring/n), color = colors[mod1(i, 7)]))
end
for i in 1:6
    axis, side = div(i - 1, 2) + 1, isodd(i) ? 1.0 : -1.0
    arm = [k == axis ? 0.16 : 0.06 for k in 1:3]
    Concave[Symbol("jack$i")] = Object3D(parent = :jack, translation = [k == axis ? side*0.08 : 0.0 for k in 1:3],
        feature = part(Box(lengthX = arm[1], lengthY = arm[2], lengthZ = arm[3]), color = colors[i]))
end
bodies = @instantiateModel(Concave, unitless = true)
simulate!(bodies, stopTime = 1.5, tolerance = 1e-7, interval = 0.005)
energy = getValues(bodies, "balance.totalEnergy")
println("energy ", round(energy[1], digits = 4), " J at the start, ", round(energy[end], digits = 4), " J at the end")
@test all(energy[i+1] - energy[i] < 1e-6*energy[1] for i in 1:length(energy)-1)
@test energy[end] < 0.99*energy[1]
drift(q) = maximum(abs.(q .- q[1:1, :]))
p, L = getValues(bodies, "balance.momentum"), getValues(bodies, "balance.angularMomentum")
println("momentum changes by ", round(drift(p), sigdigits = 1), " kg m/s, angular momentum by ", round(drift(L), sigdigits = 1), " kg m2/s")
@test drift(p) < 1e-9
@test drift(L) < 1e-5
@test getLastValue(bodies, "sphere.velocity") == [0.0, 0.0, -2.0]
plot(bodies, [("ring.angularVelocity[1]", "ring.angularVelocity[2]", "ring.angularVelocity[3]"), "balance.totalEnergy"], heading = "Concave bodies")
