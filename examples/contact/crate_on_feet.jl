# A crate slides down a slope on four feet.
#
# Shows: what to do about faces on faces. A contact has one point and one normal, so a box that lies on a plate has no good
# point to be held at. Spheres at its lower corners have one each; the box itself does not collide, the spheres have no mass.
# Expect: all four feet press; the crate does not turn, and slides with a = g (sin(slope) - mu cos(slope)).
using Modia3D
using Test
@usingModiaPlot

g, slope, mu = 9.81, 0.5, 0.3
lx, ly, lz, r = 0.4, 0.2, 0.3, 0.01
foot(x, z) = Object3D(parent = :crate, translation = [x, -ly/2 + r, z],
                      feature = Solid(shape = Sphere(diameter = 2*r), solidMaterial = "DryWood", collision = true,
                                      massProperties = MassProperties(mass = 0.0)))
Slide = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]))),
    incline = Object3D(parent = :world, rotation = [0.0, 0.0, -slope]),
    plate = Object3D(parent = :incline, translation = [2.0, -0.05, 0.0],
                     feature = Solid(shape = Box(lengthX = 6.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = "DryWood", collision = true)),
    crate = Object3D(parent = :incline, fixedToParent = false, translation = [0.0, ly/2, 0.0],
                     feature = Solid(shape = Box(lengthX = lx, lengthY = ly, lengthZ = lz), solidMaterial = "DryWood")),
    foot1 = foot(-lx/2 + r, -lz/2 + r), foot2 = foot(-lx/2 + r, lz/2 - r),
    foot3 = foot(lx/2 - r, -lz/2 + r), foot4 = foot(lx/2 - r, lz/2 - r),
    uphill = ContactResult(object1 = :foot1, object2 = :plate),
    downhill = ContactResult(object1 = :foot3, object2 = :plate)
)
crate = @instantiateModel(Slide, unitless = true)
simulate!(crate, stopTime = 1.2, tolerance = 1e-7, interval = 0.01)

force(name) = ustrip(getLastValue(crate, name))
t, v = getValues(crate, "time"), getValues(crate, "crate.velocity")[:, 1]
i = argmin(abs.(t .- 0.6))
a = (v[end] - v[i])/(t[end] - t[i])
theory = g*(sin(slope) - mu*cos(slope))
# Friction acts below the center and tips the crate forward: the lower feet carry more.
weight = Modia3D.massProperties(Solid(shape = Box(lengthX = lx, lengthY = ly, lengthZ = lz), solidMaterial = "DryWood"))[1]*g*cos(slope)
lower = weight/4*(1 + mu*ly/(lx - 2*r))
println("acceleration ", round(a, digits = 4), " m/s2, by theory ", round(theory, digits = 4), " m/s2; a lower foot carries ",
        round(force("downhill.normalForce"), digits = 2), " N, by theory ", round(lower, digits = 2), " N")
@test abs(a - theory) < 1e-4*theory
@test abs(force("downhill.normalForce") - lower) < 1e-3*weight
@test abs(force("uphill.normalForce") - (weight/2 - lower)) < 1e-3*weight
@test maximum(abs.(getValues(crate, "crate.rotation"))) < 1e-3
plot(crate, ["crate.velocity[1]", ("uphill.normalForce", "downhill.normalForce")], heading = "A crate on feet")
