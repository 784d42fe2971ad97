# Faces that slide or spin when they land: the first touch holds no force yet, and the solver looks into it from there. It
# bounces for a while, but friction is what it is in all: v^2/(2 mu g) to the stop, under every solver and tolerance.
using Modia3D, Test

Landing(; thickness = 0.02, velocity = [0.0, 0.0, 0.0], angularVelocity = [0.0, 0.0, 0.0]) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), enableContactDetection = true)),
    floor = Object3D(parent = :world, translation = [0, 0, -0.05], feature = Solid(shape = Box(lengthX = 8.0, lengthY = 2.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true)),
    plate = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, thickness/2 + 1e-4], velocity = velocity, angularVelocity = angularVelocity,
        feature = Solid(shape = Box(lengthX = 0.2, lengthY = 0.2, lengthZ = thickness), solidMaterial = "Steel", collision = true)))

stop = 2.0^2/(2*0.5*9.81)
slides = @instantiateModel(Landing(velocity = [2.0, 0.0, 0.0]), unitless = true)
for tol in [1e-5, 1e-6, 1e-7, 1e-8]
    simulate!(slides, stopTime = 0.5, tolerance = tol)
    @test abs(getLastValue(slides, "plate.translation")[1] - stop) < 1e-4
end
cube = @instantiateModel(Landing(thickness = 0.2, velocity = [2.0, 0.0, 0.0]), unitless = true)
for solver in [CVODE_BDF(), IDA(), Rodas5(), KenCarp4()]
    simulate!(cube, solver, stopTime = 0.5, tolerance = 1e-6)
    @test abs(getLastValue(cube, "plate.translation")[1] - stop) < 1e-4
    @test abs(getLastValue(cube, "plate.translation")[2]) < 1e-6
end
# It spins in its place.
spins = @instantiateModel(Landing(thickness = 0.2, angularVelocity = [0.0, 0.0, 20.0]), unitless = true)
for tol in [1e-6, 1e-8]
    simulate!(spins, stopTime = 0.5, tolerance = tol)
    @test maximum(abs.(getLastValue(spins, "plate.translation")[1:2])) < 1e-6
end
