# A ball on a spring that grows stiff, with a damper along it: the law is a function of the model.
# Run with --balance to see where the energy goes: what the damper takes is missing in the motion.
using Modia3D
using Test

stiffening(x) = 40.0*x + 200.0*x^3

SpringPendulum = Model3D(
    world = Object3D(feature = Scene(balance = true)),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [0.8, 0.0, 0.0],
                    feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "DryWood",
                                    visualMaterial = VisualMaterial(color = "Orange Red"))),
    spring = SpringDamperPtP(obj1 = :world, obj2 = :ball, nominalLength = 0.5, springForceLaw = stiffening,
                             damperForceLaw = 0.05),
    sensor = SensorResult(object = :ball)
)

pendulum = @instantiateModel(SpringPendulum, unitless = true)
simulate!(pendulum, stopTime = 5.0, tolerance = 1e-7)

energy = getValues(pendulum, "balance.totalEnergy")
lost = getValues(pendulum, "balance.dissipatedEnergy")
println("energy at the start ", energy[1], " J, at the end ", energy[end], " J; the damper took ", lost[end], " J")
@test abs(energy[end] + lost[end] - energy[1]) < 1e-4*energy[1]
plot(pendulum, [("spring.distance", "spring.deflection"), "spring.force", ("balance.totalEnergy", "balance.dissipatedEnergy")])
