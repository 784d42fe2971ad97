# A handle in orbit turns over again and again: the effect that Dzhanibekov saw in 1985.
#
# Shows: a free body, its angular velocity along its own axes, momentum in the world, angles that change their
# sequence before they become singular.
# A body is unstable when it turns about its middle axis. Almost all of its spin is about y here; it flips, though no
# torque acts on it: its angular momentum stays what it was.
# Expect: it flips every 5.54 s, which an elliptic integral says as well.
using Modia3D
using Test
@usingModiaPlot

# A bar along x with a stem along y: the moment about z is the largest, about x the smallest.
Ix, Iy, Iz = 1.0e-4, 4.0e-4, 4.6e-4
spin = [0.01, 5.0, 0.01]

Orbit = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true, animationFile = "handle.json",
                                     nominalLength = 0.05)),
    handle = Object3D(parent = :world, fixedToParent = false, angularVelocity = spin, angularVelocityResolvedInParent = false,
                      feature = Solid(massProperties = MassProperties(mass = 0.2, Ixx = Ix, Iyy = Iy, Izz = Iz))),
    bar = Object3D(parent = :handle, feature = Visual(shape = Cylinder(axis = 1, diameter = 0.02, length = 0.2))),
    stem = Object3D(parent = :handle, translation = [0.0, -0.03, 0.0],
                    feature = Visual(shape = Cylinder(axis = 2, diameter = 0.02, length = 0.06)))
)
orbit = @instantiateModel(Orbit, unitless = true)
simulate!(orbit, stopTime = 40.0, tolerance = 1e-9, interval = 0.01)

t = getValues(orbit, "time")
w = getValues(orbit, "handle.angularVelocity")
L = getValues(orbit, "balance.angularMomentum")

# Where the spin about y changes its sign, by linear interpolation.
flips = [t[i] - w[i, 2]*(t[i+1] - t[i])/(w[i+1, 2] - w[i, 2]) for i in 1:length(t)-1 if w[i, 2]*w[i+1, 2] < 0]

# The same from twice the energy E2 and the square of the momentum L2 (Landau and Lifshitz, Mechanics, section 37); the
# complete elliptic integral comes from the arithmetic-geometric mean.
agm(a, b) = abs(a - b) < 1e-14*a ? a : agm((a + b)/2, sqrt(a*b))
E2 = Ix*spin[1]^2 + Iy*spin[2]^2 + Iz*spin[3]^2
L2 = Ix^2*spin[1]^2 + Iy^2*spin[2]^2 + Iz^2*spin[3]^2
a = (Iz - Iy)*(L2 - E2*Ix)
b = (Iy - Ix)*(E2*Iz - L2)
halfPeriod = pi*sqrt(Ix*Iy*Iz)/agm(sqrt(max(a, b)), sqrt(abs(a - b)))

println(length(flips), " flips, one every ", round(flips[end] - flips[end-1], digits = 4), " s; by theory every ",
        round(halfPeriod, digits = 4), " s")
@test length(flips) == 7
@test all(abs(flips[i+1] - flips[i] - halfPeriod) < 1e-3 for i in 1:length(flips)-1)
@test maximum(abs(L[i, k] - L[1, k]) for i in 1:length(t), k in 1:3) < 1e-5*sqrt(L2)

plot(orbit, ["handle.angularVelocity", "balance.angularMomentum", "handle.rotation"],
     heading = "Spin about the middle axis")
