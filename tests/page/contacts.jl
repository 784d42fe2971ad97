# Balls that strike a plate and each other, one that lies on it, and one that hits by an impulse: what the list of contacts shows.
using Modia3D

solid(d) = Solid(shape = Sphere(diameter = d), solidMaterial = "Steel", collision = true)
free(x, v, d) = Object3D(parent = :world, fixedToParent = false, translation = x, velocity = v, feature = solid(d))
Several = Model3D(
    world = Object3D(feature = Scene()),
    plate = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = Solid(shape = Box(lengthX = 3.0, lengthY = 0.1, lengthZ = 3.0), solidMaterial = "Steel", collision = true)),
    high = free([0.0, 0.6, 0.0], [0.0, 0.0, 0.0], 0.2),
    low = free([0.5, 0.15, 0.0], [0.0, 0.0, 0.0], 0.1),
    lying = free([-1.0, 0.05 - 1e-6, 0.0], [0.0, 0.0, 0.0], 0.1),
    left = free([-0.5, 1.0, 1.0], [2.0, 0.0, 0.0], 0.1),
    right = free([0.5, 1.0, 1.0], [-2.0, 0.0, 0.0], 0.1))
several = @instantiateModel(Several, unitless = true)
simulate!(several, stopTime = 0.5, interval = 0.05)
