# Scenario D2: a bushing along a prismatic joint is a damped oscillator.
using Modia3D
using Test

Oscillator = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0, 0, -1]))),
    mass = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0))),
    joint = Prismatic(obj1 = :world, obj2 = :mass, axis = 3),
    bushing = Bushing(obj1 = :world, obj2 = :mass, springForceLaw = [0.0, 0.0, 100.0],
                      damperForceLaw = [0.0, 0.0, 2.0], nominalForce = [0.0, 0.0, 0.5])
)
oscillator = @instantiateModel(Oscillator, unitless = true)
simulate!(oscillator, stopTime = 5.0, interval = 0.1,
          requiredFinalStates = [0.0034429013089251376, -0.10253096819858225])
@test get_xNames(oscillator) == ["joint.v", "joint.s"]

# m*der(v) = -100 s - 2 v - 0.5 - 9.81, from rest.
simulate!(oscillator, stopTime = 5.0, tolerance = 1e-9)
t = getValues(oscillator, "time")
s0 = -(9.81 + 0.5)/100
w = sqrt(99.0)
exact = s0 .- s0*exp.(-t).*(cos.(w*t) + sin.(w*t)/w)
@test maximum(abs.(getValues(oscillator, "joint.s") - exact)) < 1e-7
s = getValues(oscillator, "joint.s")
v = getValues(oscillator, "joint.v")
@test maximum(abs.(getValues(oscillator, "bushing.springForce")[:, 3] - 100*s)) < 1e-9
@test maximum(abs.(getValues(oscillator, "bushing.damperForce")[:, 3] - 2*v)) < 1e-9
@test maximum(abs.(getValues(oscillator, "bushing.forceVector")[:, 3] + 100*s + 2*v .+ 0.5)) < 1e-9
@test maximum(abs.(getValues(oscillator, "bushing.translation")[:, 3] - s)) < 1e-12
