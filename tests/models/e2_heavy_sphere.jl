# Scenario E2: a sphere of ten tons bounces and begins to roll; all results of its contact.
using Modia3D
using Test

HeavySphere = Model3D(
    world = Object3D(feature = Scene()),
    ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0],
                      feature = Solid(shape = Box(lengthX = 2.0, lengthY = 0.1, lengthZ = 0.5), solidMaterial = "Steel", collision = true)),
    sphere = Object3D(parent = :world, fixedToParent = false, translation = [-0.5, 0.3, 0.0], velocity = [1.0, 0.0, 0.0],
                      feature = Solid(shape = Sphere(diameter = 0.2), solidMaterial = "Steel", collision = true,
                                      massProperties = MassPropertiesFromShapeAndMass(mass = 10000.0))),
    result = ContactResult(object1 = :ground, object2 = :sphere, objectCoordinateRef = :ground),
    apart = DistanceResult(object1 = :ground, object2 = :sphere)
)
heavy = @instantiateModel(HeavySphere, unitless = true)
stored = [0.6190964322303429, 0.09989803187140613, 0.0, 0.7018335184646917, -0.00011551585213889106, 0.0,
          0.0, 0.0, -9.171436344350457, 0.0, 0.0, -7.0240720401621495]
simulate!(heavy, stopTime = 1.5, tolerance = 1e-8, dtmax = 0.05,
          requiredFinalStates_rtol = 1e-3, requiredFinalStates_atol = 1e-6, requiredFinalStates = stored)

# At rest on the ground: the weight, rolling resistance 0.001 times radius and weight, and friction that slows the roll.
last(name) = ustrip(getLastValue(heavy, name))
weight = 10000*9.81
@test abs(last("result.normalForce") - weight) < 1e-5*weight
@test abs(last("result.torque") - 0.001*0.1*weight) < 1e-5*weight
@test abs(last("result.forceVector")[2] + last("result.normalForce")) < 4*eps(weight)
@test norm(last("result.normalVector") - [0.0, -1.0, 0.0]) < 4*eps(1.0)
@test last("result.forceVector")[1] > 0.0
@test last("result.torqueVector")[3] < 0.0
# The penetration of the law is the distance, up to the hysteresis.
@test abs(last("result.penetration") + last("apart.distance")) < 2e-13
t = getValues(heavy, "time")
@test getValues(heavy, "apart.distance")[1] ≈ 0.2
@test getValues(heavy, "result.normalForce")[1] == 0.0
@test getValues(heavy, "apart.positionVector2")[1, :] ≈ [-0.5, 0.2, 0.0]
