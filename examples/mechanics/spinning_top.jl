# A top that spins on its tip and goes around slowly instead of falling over.
#
# Shows: three joints without flanges in a row; frames without mass between them; mass properties asked for by a
# function of the script, to choose the start so that the top goes around steadily.
# Steady precession with W about the vertical at the tilt c needs the spin w3 along the axis of the top with
# I3*w3*W - I1*W^2*cos(c) = m*g*l (I1 and I3 about the tip, l from the tip to the center of mass).
# Expect: the tilt stays where it is, and the top goes around once in 2 pi/W = 3.14 s.
using Modia3D
using Test
@usingModiaPlot

disc = Solid(shape = Cylinder(axis = 2, diameter = 0.1, length = 0.02), solidMaterial = "Aluminium")
l, g, tilt, W = 0.06, 9.81, 0.5, 2.0
mass, center, I = Modia3D.massProperties(disc)
I1, I3 = I[1, 1] + mass*l^2, I[2, 2]
w3 = (mass*g*l + I1*W^2*cos(tilt))/(I3*W)

Top = Model3D(
    world = Object3D(feature = Scene(balance = true)),
    turning = Object3D(feature = Visual(shape = CoordinateSystem(length = 0.05))),
    tilting = Object3D(),
    tip = Object3D(feature = Visual(shape = Sphere(diameter = 0.01))),
    top = Object3D(parent = :tip, translation = [0.0, l, 0.0], feature = disc),
    stem = Object3D(parent = :tip, translation = [0.0, l/2, 0.0],
                    feature = Visual(shape = Cylinder(axis = 2, diameter = 0.006, length = l))),
    precession = Revolute(obj1 = :world, obj2 = :turning, axis = 2, w = Var(init = W)),
    nutation = Revolute(obj1 = :turning, obj2 = :tilting, axis = 3, phi = Var(init = tilt)),
    spin = Revolute(obj1 = :tilting, obj2 = :tip, axis = 2, w = Var(init = w3 - W*cos(tilt)))
)
top = @instantiateModel(Top, unitless = true)
simulate!(top, stopTime = 5.0, tolerance = 1e-8)

println("spin ", round(w3, digits = 1), " rad/s; around ", round(getLastValue(top, "precession.phi")/(2*pi), digits = 3),
        " times in 5 s")
@test maximum(abs.(getValues(top, "nutation.phi") .- tilt)) < 1e-5
@test abs(getLastValue(top, "precession.phi") - W*5.0) < 1e-4
energy = getValues(top, "balance.totalEnergy")
@test maximum(abs.(energy .- energy[1])) < 1e-6*energy[1]

# The same top with a little more speed around: now it nods, and goes up and down between two angles.
simulate!(top, stopTime = 1.0, tolerance = 1e-8, merge = Map(precession = Map(w = 2*W)))
@test minimum(getValues(top, "nutation.phi")) < tilt - 0.01

plot(top, ["nutation.phi", "precession.phi", "top.r_abs"], heading = "The top nods")
