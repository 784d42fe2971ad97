# Scenario D4: a box on a spring and damper between two points.
using Modia3D
using Test

Hanging = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0, 0, -1]))),
    box = Object3D(parent = :world, fixedToParent = false,
                   feature = Solid(shape = Box(lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1),
                                   massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    corner = Object3D(parent = :box, translation = [0.05, 0.05, 0.05]),
    spring = SpringDamperPtP(obj1 = :world, obj2 = :corner, springForceLaw = 100.0, damperForceLaw = 2.0),
    sensor = SensorResult(object = :corner)
)
hanging = @instantiateModel(Hanging, unitless = true)
simulate!(hanging, stopTime = 5.0, interval = 0.1,
          requiredFinalStates = [-0.0317899616936806, -0.031789987944650766, -0.13960438446373588,
                                 -0.22639392571053196, -0.22639355519359725, -0.09585537982617036,
                                 -0.04370174242082521, 0.04366049248771943, 0.0009545457607853683,
                                 0.8435417114212301, -0.8435409897813606, 1.1525522669027586e-07])
d = getValues(hanging, "spring.distance")
@test maximum(abs.(d - getValues(hanging, "sensor.distance"))) < 1e-14
@test maximum(abs.(getValues(hanging, "spring.velocity") - getValues(hanging, "sensor.distanceVelocity"))) < 1e-12
@test maximum(abs.(getValues(hanging, "spring.force") - 100*d - 2*getValues(hanging, "spring.velocity"))) < 1e-12
r = getValues(hanging, "corner.r_abs")
@test maximum(abs.(r - getValues(hanging, "sensor.translation"))) < 1e-14
