## a contact where numbers are too far apart for what bodies yield
#status 0
#says warning[E0911]: 'floor' and 'ball' touch at time
#says positions are rounded to 4e-07 m
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
Drop = Model3D(world = Object3D(feature = Scene()),
               floor = Object3D(parent = :world, translation = [2e9, 0.0, 0.0], feature = solid(Box(lengthX = 1.0, lengthY = 0.2, lengthZ = 1.0))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [2e9, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## a place where nothing is left of a step
#status 4
#says error[E0703]: M: simulation with CVODE_BDF stopped at time = 0 s: the tolerance is too tight for double precision
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
M = Model3D(world = Object3D(feature = Scene()),
            floor = Object3D(parent = :world, translation = [0.0, 1e12, 0.0], feature = solid(Box(lengthX = 1.0, lengthY = 0.2, lengthZ = 1.0))),
            ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 1e12 + 1.0, 0.0], feature = solid(Sphere(diameter = 0.2))))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)
