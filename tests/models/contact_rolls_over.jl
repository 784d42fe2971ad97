# A capsule that strikes a plate with one end, rolls over its side and strikes with the other end, without having left the
# plate: the point of contact jumps from end to end. What the contact remembers of the hit does not depend on where steps end.
#
# Seen: vz behind the second hit was off by 2 to 6 %, by something else at some tolerances and with some solvers.
using Modia3D
using Test

rolling(tilt, velocity, spin) = Model3D(
    world = Object3D(feature = Scene(flatContact = "point", gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                     feature = Solid(shape = Box(lengthX = 3.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true)),
    thing = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 0.2], rotation = tilt,
                     velocity = velocity, angularVelocity = spin,
                     feature = Solid(shape = Capsule(axis = 1, diameter = 0.1, length = 0.2), solidMaterial = "Steel", collision = true)))
velocities(m) = vcat(getValues(m, "thing.velocity")[end, :], 0.1*getValues(m, "thing.angularVelocity")[end, :])
tilt = 50*pi/180

# In a plane, beside SciPy (tests/peers/capsule_rolls_over.py).
InPlane = rolling([0.0, tilt, 0.0], [0.3, 0.0, 0.0], [0.0, 0.0, 0.0])
inPlane = @instantiateModel(InPlane, unitless = true)
exact = [0.158884077, 0.0, 0.338200301, 0.0, 0.2989361294, 0.0]
for (solver, tolerance) in [(CVODE_BDF(), 1e-6), (IDA(), 1e-7), (Rodas5(), 1e-7), (CVODE_BDF(), 1e-8)]
    simulate!(inPlane, solver, stopTime = 0.6, tolerance = tolerance, interval = 0.1)
    off = maximum(abs.(velocities(inPlane) - exact))
    println("in a plane, $tolerance: $off m/s off")
    @test off < max(500*tolerance, 1e-5)
end
# Steps of an explicit method that go over the jump scatter: of 60 runs of Tsit5 between 3e-8 and 1e-6 half are off by more than 130 tolerances
# and a tenth by more than 500. So not one of them counts, but the middle of five.
offs = Float64[]
for tolerance in [2e-8, 4e-8, 6e-8, 8e-8, 1e-7]
    simulate!(inPlane, Tsit5(), stopTime = 0.6, tolerance = tolerance, interval = 0.1)
    push!(offs, maximum(abs.(velocities(inPlane) - exact))/tolerance)
end
println("in a plane, Tsit5: $offs tolerances off")
@test sort(offs)[3] < 500

# With any spin solvers agree.
InSpace = rolling([0.1*tilt, tilt, 0.0], [0.3, 0.1, 0.0], [3.0, -4.0, 2.0])
inSpace = @instantiateModel(InSpace, unitless = true)
simulate!(inSpace, Rodas5(), stopTime = 0.5, tolerance = 1e-10, interval = 0.1)
exact = velocities(inSpace)
for (solver, tolerance) in [(CVODE_BDF(), 1e-6), (Tsit5(), 1e-7), (IDA(), 1e-7), (CVODE_BDF(), 1e-9)]
    simulate!(inSpace, solver, stopTime = 0.5, tolerance = tolerance, interval = 0.1)
    off = maximum(abs.(velocities(inSpace) - exact))
    println("in space, $tolerance: $off m/s off")
    @test off < max(500*tolerance, 1e-5)
end
