# So small that each of its requests for memory can be refused (cmake/tests.cmake).
using Modia3D
M = Model3D(world = Object3D(feature = Scene(enableContactDetection = true)),
    plate = Object3D(parent = :world, feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0),
                                                      solidMaterial = "Steel", collision = true)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.1, 0.0],
                    feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1e-3, interval = 1e-3)
