# Five free bodies meet in space.
#
# Shows: contacts of different shapes without gravity or ground. All forces are between the bodies, so the momentum and the
# angular momentum of all together stay what they were, to rounding of the sums; the energy only falls.
# Expect: several impacts in the middle, after which the bodies fly apart, turning.
using Modia3D
using Test
@usingModiaPlot

wood(shape) = Solid(shape = shape, solidMaterial = "DryWood", collision = true)
flying(from, velocity, spin, shape) = Object3D(parent = :world, fixedToParent = false, translation = from, velocity = velocity,
                                               angularVelocity = spin, feature = wood(shape))
Space = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)),
    sphere = flying([-1.0, 0.0, 0.02], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], Sphere(diameter = 0.3)),
    ellipsoid = flying([1.0, 0.05, 0.0], [-1.5, 0.0, 0.0], [1.0, 2.0, 3.0], Ellipsoid(lengthX = 0.2, lengthY = 0.3, lengthZ = 0.4)),
    capsule = flying([0.0, -1.0, 0.05], [0.0, 1.8, 0.0], [0.5, 0.0, 2.0], Capsule(axis = 1, diameter = 0.15, length = 0.3)),
    box = flying([0.03, 1.1, 0.0], [0.0, -1.6, 0.0], [1.0, 1.5, 0.3], Box(lengthX = 0.2, lengthY = 0.25, lengthZ = 0.3)),
    cone = flying([0.0, 0.02, 1.2], [0.0, 0.0, -1.7], [0.7, 0.2, 0.0], Cone(axis = 3, diameter = 0.3, length = 0.3))
)
space = @instantiateModel(Space, unitless = true)
simulate!(space, stopTime = 2.0, tolerance = 1e-8, interval = 0.01)

p, L = getValues(space, "balance.momentum"), getValues(space, "balance.angularMomentum")
energy = getValues(space, "balance.totalEnergy")
drift(x) = maximum(abs(x[i, k] - x[1, k]) for i in 1:size(x, 1), k in 1:3)
println("energy ", round(energy[1], digits = 3), " J before, ", round(energy[end], digits = 3), " J after; momentum changes by ",
        round(drift(p), sigdigits = 1), " kg m/s, angular momentum by ", round(drift(L), sigdigits = 1), " kg m2/s")
total = sum(abs.(getValues(space, "sphere.velocity")[1, :]))*Modia3D.massProperties(wood(Sphere(diameter = 0.3)))[1]
@test drift(p) < 1e-6*total
@test drift(L) < 1e-6*total
@test all(energy[i+1] - energy[i] < 1e-6*energy[1] for i in 1:length(energy)-1)
# Each of them has been hit.
for name in ["sphere", "ellipsoid", "capsule", "box", "cone"]
    v = getValues(space, "$name.velocity")
    @test sum(abs.(v[end, :] - v[1, :])) > 0.1
end
plot(space, [("sphere.translation", "box.translation"), "balance.momentum", "balance.totalEnergy"], heading = "Five bodies")
