# Scenario E1: a sphere on a prismatic joint bounces on a plate. Each impact keeps 0.68318 of the speed.
using Modia3D
using Test

BouncingSphere = Model3D(
    world = Object3D(feature = Scene()),
    ground = Object3D(parent = :world, translation = [0.0, -0.15, 0.0],
                      feature = Solid(shape = Box(lengthX = 4.0, lengthY = 0.1, lengthZ = 0.7), solidMaterial = "Steel", collision = true)),
    sphere = Object3D(feature = Solid(shape = Sphere(diameter = 0.2), solidMaterial = "Steel", collision = true,
                                      massProperties = MassPropertiesFromShapeAndMass(mass = 0.001))),
    prism = Prismatic(obj1 = :world, obj2 = :sphere, axis = 2, s = Var(init = 1.0), v = Var(init = 0.0))
)
bouncing = @instantiateModel(BouncingSphere, unitless = true)
simulate!(bouncing, stopTime = 2.2, tolerance = 1e-8, dtmax = 0.1,
          requiredFinalStates_rtol = 1e-3, requiredFinalStates_atol = 1e-7,
          requiredFinalStates = [-0.4417983315849275, 0.0003869217525311367])
