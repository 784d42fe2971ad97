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

# A block of 5 m on a field of a kilometer, whose distances are rounded to more than those of a bench.
Field(width, velocity) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = true)),
    floor = Object3D(parent = :world, translation = [0, -2.5, 0], feature = Solid(shape = Box(lengthX = width, lengthY = 5.0, lengthZ = 50.0), solidMaterial = "Steel", collision = true)),
    block = Object3D(parent = :world, fixedToParent = false, translation = [0, 2.50025, 0], velocity = [velocity, 0, 0],
        feature = Solid(shape = Box(lengthX = 5.0, lengthY = 5.0, lengthZ = 10.0), solidMaterial = "Steel", collision = true)))
for (width, velocity) in [(1000.0, 0.0), (1000.0, 5.0), (10000.0, 5.0), (100.0, 5.0)]
    field = @instantiateModel(Field(width, velocity), unitless = true)
    simulate!(field, stopTime = velocity/(0.5*9.81) + 0.1)
    @test abs(getLastValue(field, "block.translation")[1] - velocity^2/9.81) < 2e-4
end
