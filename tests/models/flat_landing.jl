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
# A flat one that spins comes to rest in its place, whatever its tilt: it turns by w^2/(2 mu g arm/i^2), arm the mean distance of a point of the
# square from its middle, while it bounces as well. A tall one does not stay (tests/models/flat_flutter.jl).
for (tilts, solver) in [([0.0, 0.0], CVODE_BDF()), ([1e-3, 5e-4], CVODE_BDF()), ([1e-3, 5e-4], Rodas5()), ([-0.01, 0.02], IDA())]
    spins = @instantiateModel(Landing(angularVelocity = [tilts[1], tilts[2], 20.0]), unitless = true)
    simulate!(spins, solver, stopTime = 0.5, tolerance = 1e-7, interval = 0.001)
    spin, t = getValues(spins, "plate.angularVelocity")[:, 3], getValues(spins, "time")
    turned = sum([(spin[i] + spin[i-1])/2*(t[i] - t[i-1]) for i in 2:length(t)])
    @test maximum(abs.(getLastValue(spins, "plate.translation")[1:2])) < 2e-3
    @test norm(getLastValue(spins, "plate.velocity")) < 1e-8 && norm(getLastValue(spins, "plate.angularVelocity")) < 1e-7
    arm = 0.1*(2*sqrt(2) + 2*asinh(1.0))/6
    @test abs(turned/(20.0^2/(2*0.5*9.81*arm/(0.2^2/6))) - 1) < (tilts[1] == 0.0 ? 0.01 : 0.05) # one that wobbles presses unevenly: 3 %, with each solver
end

# Distances of shapes as large as a field are rounded to more than those of a bench: a contact begins once all the same, and
# ends where it does by more than its rounding. Steel of 1 mm to 1 km on plates up to 1e4 times as large, near and far.
Field(shape, half, width, velocity, up) = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, -1, 0]), enableContactDetection = true)),
    floor = Object3D(parent = :world, translation = [0, up - half, 0], feature = Solid(shape = Box(lengthX = width, lengthY = 2*half, lengthZ = width/10), solidMaterial = "Steel", collision = true)),
    block = Object3D(parent = :world, fixedToParent = false, translation = [0, up + 1.0001*half, 0], velocity = [velocity, 0, 0],
        feature = Solid(shape = shape, solidMaterial = "Steel", collision = true)))
for (width, velocity) in [(1000.0, 0.0), (1000.0, 5.0), (10000.0, 5.0), (100.0, 5.0)]
    field = @instantiateModel(Field(Box(lengthX = 5.0, lengthY = 5.0, lengthZ = 5.0), 2.5, width, velocity, 0.0), unitless = true)
    simulate!(field, stopTime = velocity/(0.5*9.81) + 0.1)
    @test abs(getLastValue(field, "block.translation")[1] - velocity^2/9.81) < 2e-4
end
for (size, wide, up) in [(1e-3, 1e4, 1.0), (0.1, 1e4, 0.0), (0.1, 3.0, 1e5), (10.0, 1e4, 0.0), (10.0, 10.0, 1e6), (1e3, 100.0, 0.0)],
    shape in [Box(lengthX = size, lengthY = size, lengthZ = size), Cylinder(axis = 2, diameter = size, length = size), Sphere(diameter = size)]
    field = @instantiateModel(Field(shape, size/2, wide*size, 0.0, up), unitless = true)
    simulate!(field, stopTime = 0.3*sqrt(size))
    @test abs(getLastValue(field, "block.translation")[2] - up - size/2) < 0.01*size
    @test abs(getLastValue(field, "block.translation")[1]) < 1e-9*size
end

# Sizes: a box of a millimeter is 2e-10 of its size deep at rest, one of a hundred meters 2e-5. Both come to rest there.
for size in [1e-3, 100.0]
    steel(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
    Tumbles = Model3D(
        world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
        floor = Object3D(parent = :world, translation = [0, 0, -0.5*size], feature = steel(Box(lengthX = 10*size, lengthY = 10*size, lengthZ = size))),
        box = Object3D(parent = :world, fixedToParent = false, translation = [0, 0, 0.6*size], rotation = [0.1, 0.2, 0.3],
            feature = steel(Box(lengthX = size, lengthY = 0.7*size, lengthZ = 0.5*size))))
    tumbles = @instantiateModel(Tumbles, unitless = true)
    simulate!(tumbles, stopTime = 10*sqrt(size), tolerance = 1e-6)
    depth = 0.25 - getLastValue(tumbles, "box.translation")[3]/size
    M = 2e11*0.7/(1.3*0.4)                                     # of a layer of steel; both are as thick as they are high
    @test abs(depth*size/(8000*9.81*0.5*size*(0.5*size + size)/M) - 1) < 0.01
    @test norm(getLastValue(tumbles, "box.velocity")) < 1e-9*sqrt(size)
end
