# Scenario E3: an ellipsoid tumbles over a table.
using Modia3D
using Test

Ellipsoidal = Model3D(
    world = Object3D(feature = Scene()),
    ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0],
                      feature = Solid(shape = Box(lengthX = 4.0, lengthY = 0.1, lengthZ = 3.0), solidMaterial = "Steel", collision = true)),
    ellipsoid = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 1.0, 0.0], angularVelocity = [5.0, 0.0, -2.0],
                         feature = Solid(shape = Ellipsoid(lengthX = 0.1, lengthY = 0.2, lengthZ = 0.3), solidMaterial = "Steel", collision = true))
)
stored = [-0.4848756849364805, -0.3152596292050405, 1.8217924654907032, -0.5225235181495869, -2.951876778895525, 1.0276278036774111,
          16.477475569988698, 0.4513592819174489, -0.5123012801778761, 7.880815138676465, 0.7279928544430719, 3.7799789451161594]
metric = [-0.441837779, -1.86828261, 2.17082715, -0.454514761, -6.41946877, 1.18347899,
          17.5908237, -0.0584036182, -0.117441602, 7.85223133, 1.25649115, 3.38648113]
expected = metric
ellipsoid = @instantiateModel(Ellipsoidal, unitless = true)
simulate!(ellipsoid, stopTime = 2.0, tolerance = 1e-8, requiredFinalStates_rtol = 1e-3, requiredFinalStates = expected)
