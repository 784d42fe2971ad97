# What contacts keep: energy does not rise by more than 10 tolerances where they are inelastic, and stays to 1e-6 in each
# impact where they are not; momentum and angular momentum stay to the tolerance.
using Modia3D
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_closed_forms.txt")
solid(shape, touch) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = touch, collision = true)
flying(from, velocity, spin, shape, touch) = Object3D(parent = :world, fixedToParent = false, translation = from, velocity = velocity,
                                                      angularVelocity = spin, feature = solid(shape, touch))
shapes = [("sphere", Sphere(diameter = 0.2)), ("ellipsoid", Ellipsoid(lengthX = 0.1, lengthY = 0.2, lengthZ = 0.3)),
          ("capsule", Capsule(axis = 1, diameter = 0.1, length = 0.2)), ("box", Box(lengthX = 0.1, lengthY = 0.15, lengthZ = 0.2)),
          ("cylinder", Cylinder(axis = 1, diameter = 0.1, length = 0.2)), ("cone", Cone(axis = 2, diameter = 0.2, length = 0.2)),
          ("beam", Beam(axis = 3, length = 0.2, width = 0.1, thickness = 0.05))]

# By how much a number rises in contacts, at most; flights between them have errors of their own.
function rise(x, number)
    least, most = x[1], 0.0
    for i in 2:length(x)
        if number[i-1] == 0
            least = x[i]
        end
        most = max(most, x[i] - least)
        least = min(least, x[i])
    end
    return most
end
change(x, number) = maximum(max(rise(x[:, k], number), rise(-x[:, k], number)) for k in 1:3)

# Each shape falls on a plate, turning, with all energy losses: restitution 0.7, friction, rolling.
function drop(shape, touch, tolerance, stop)
    Drop = Model3D(world = Object3D(feature = Scene(flatContact = "point", balance = true)),
                   plate = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = solid(Box(lengthX = 9.0, lengthY = 0.1, lengthZ = 9.0), touch)),
                   body = flying([0.0, 0.5, 0.0], [1.0, 0.0, 0.5], [1.0, 2.0, 3.0], shape, touch))
    m = @instantiateModel(Drop, unitless = true)
    simulate!(m, stopTime = stop, tolerance = tolerance, interval = 0.002)
    return m
end
for (name, shape) in shapes, tolerance in [1e-6, 1e-8]
    m = drop(shape, "Steel", tolerance, 0.6)
    energy, number = getValues(m, "balance.totalEnergy"), getValues(m, "contacts.number")
    @test getLastValue(m, "contacts.begun") >= 1
    @test rise(energy, number) < 10*tolerance*energy[1]
    @test energy[end] < 0.9*energy[1]
    # What is gone is accounted for.
    @test abs(energy[end] + getValues(m, "balance.dissipatedEnergy")[end] - energy[1]) < 1000*tolerance*energy[1]
end

# Without friction and with restitution 1 they bounce for ever.
for (name, shape) in shapes
    m = drop(shape, "Spring", 1e-9, 1.5)
    energy, ended = getValues(m, "balance.totalEnergy"), getValues(m, "contacts.ended")
    for k in 1:Int(ended[end])
        i = findfirst(ended .== k)
        @test abs(energy[i] - energy[1]) < k*1e-6*energy[1]
    end
    @test ended[end] >= 2
end

# Two bodies meet in space, off their centers.
for (name, shape) in shapes, tolerance in [1e-4, 1e-6, 1e-8, 1e-10]
    Meet = Model3D(world = Object3D(feature = Scene(flatContact = "point", gravityField = NoGravityField(), balance = true)),
                   a = flying([-0.5, 0.03, 0.0], [2.0, 0.0, 0.0], [3.0, 1.0, 0.0], shape, "Steel"),
                   b = flying([0.5, 0.0, 0.02], [-1.0, 0.0, 0.2], [0.0, 2.0, 1.0], Ellipsoid(lengthX = 0.2, lengthY = 0.3, lengthZ = 0.15), "Steel"))
    m = @instantiateModel(Meet, unitless = true)
    simulate!(m, stopTime = 0.6, tolerance = tolerance, interval = 5e-5)
    energy, number = getValues(m, "balance.totalEnergy"), getValues(m, "contacts.number")
    p, L = getValues(m, "balance.momentum"), getValues(m, "balance.angularMomentum")
    @test getLastValue(m, "contacts.begun") >= 1
    @test rise(energy, number) < 10*tolerance*energy[1]
    # Within contacts; the bodies start half a meter from the origin.
    @test change(p, number) < 0.1*tolerance*norm(p[1, :])
    @test change(L, number) < 0.1*tolerance*norm(p[1, :])*0.5
    # Over the whole run, flights included. Momentum is a sum of states where the center of mass is the origin of a body, and
    # methods keep sums. That of a cone is not, and angular momentum never is: the errors of all steps add up, and none grows, since
    # what was added to an invariant stays as it is. A step may add some tolerances (theory/contact.md); it adds a fifth of one at most.
    steps = Modia3D.contactStatistics(m)[:crossings]
    @test steps < 3000
    @test norm(p[end, :] - p[1, :]) < (name == "cone" ? 0.2*steps : 0.001)*tolerance*norm(p[1, :])
    @test norm(L[end, :] - L[1, :]) < 0.2*steps*tolerance*norm(p[1, :])*0.5
end
