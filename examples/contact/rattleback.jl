# A rattleback: spun one way it begins to rattle, stops, and turns the other way.
#
# Shows: an ellipsoid that rolls and slides on a plate, an inertia whose axes are turned against those of the surface, and
# where the energy goes.
# The bottom of the stone is part of an ellipsoid. Its mass lies a little askew on that: the long axis of the inertia is
# turned by 0.05 rad. That couples spin with pitching: turning one way a small pitch grows and takes all energy from the
# spin, and it gives it back turning the other way. No force is needed but that of the contact.
# Expect: the spin of 5 rad/s is gone after 1.08 s and comes back as nearly 5 rad/s the other way. The equations of a stone
# that rolls without slip, integrated apart from Segue, say 1.08 s too; the small slip of the contact costs some energy.
using Modia3D
using Test
@usingModiaPlot

Modia3D.loadPalettes!(contactPairMaterialPalette = "parts/rattleback.txt")

mass, h, skew, spin = 0.3, 0.004, 0.05, 5.0
Ilong, Iup, Iwide = 3e-5, 5.5e-4, 5.4e-4  # about the center of mass, which is h below that of the ellipsoid
stone = MassProperties(mass = mass, centerOfMass = [0.0, -h, 0.0],
                       Ixx = Ilong*cos(skew)^2 + Iwide*sin(skew)^2, Iyy = Iup,
                       Izz = Ilong*sin(skew)^2 + Iwide*cos(skew)^2, Ixz = (Ilong - Iwide)*sin(skew)*cos(skew))
# The height of the center over the lowest point, with the up direction in axes of the stone: it begins just on the plate.
semi, tilt = [0.1, 0.015, 0.02], 0.005
up = Modia3D.rot123(tilt, 0.0, tilt)*[0.0, 1.0, 0.0]
height = sqrt(sum((semi.*up).^2))

Rattleback = Model3D(
    world = Object3D(feature = Scene(balance = true)),
    plate = Object3D(parent = :world, translation = [0.0, -0.01, 0.0],
                     feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.02, lengthZ = 1.0), solidMaterial = "Steel",
                                     contactMaterial = "Glass", collision = true)),
    stone = Object3D(parent = :world, fixedToParent = false, translation = [0.0, height, 0.0], rotation = [tilt, 0.0, tilt],
                     angularVelocity = [0.0, spin, 0.0],
                     feature = Solid(shape = Ellipsoid(lengthX = 2*semi[1], lengthY = 2*semi[2], lengthZ = 2*semi[3]), solidMaterial = "Steel",
                                     contactMaterial = "Stone", collision = true, massProperties = stone))
)
rattleback = @instantiateModel(Rattleback, unitless = true)
simulate!(rattleback, stopTime = 3.0, tolerance = 1e-8, interval = 0.005)

t = getValues(rattleback, "time")
w = getValues(rattleback, "stone.angularVelocity")[:, 2]
still = t[findfirst(w .< 0)]
println("the spin is gone after ", round(still, digits = 2), " s; later ", round(minimum(w), digits = 2), " rad/s")
@test abs(still - 1.08) < 0.02
@test -5.0 < minimum(w) < -4.8

# Nothing but the contact takes energy, and little of it.
energy = getValues(rattleback, "balance.totalEnergy")
lost = getValues(rattleback, "balance.dissipatedEnergy")
spinEnergy = Iup*spin^2/2
@test maximum(abs.(energy + lost .- energy[1])) < 1e-3*spinEnergy
@test 0.0 < lost[end] < 0.05*spinEnergy
plot(rattleback, ["stone.angularVelocity", ("balance.kineticEnergy", "balance.dissipatedEnergy")],
     heading = "A rattleback turns back")
