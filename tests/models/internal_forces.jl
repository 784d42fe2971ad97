# Springs, dampers and bushings inside of a system: momentum is kept whatever the laws say, and the
# energy up to what the dampers took.
using Modia3D
using Test

hardening(x) = 20.0*x + 90.0*x^3
drag(v) = 2.0*v*abs(v)
lump(x, y, z) = Solid(massProperties = MassProperties(mass = 1.5, centerOfMass = [0.1, -0.05, 0.02], Ixx = x, Iyy = y, Izz = z))

Pair = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)),
    a = Object3D(parent = :world, fixedToParent = false, rotation = [0.1, 0.2, 0.3], velocity = [0.3, 0.1, -0.2],
                 angularVelocity = [0.5, 1.0, 0.7], feature = lump(0.3, 0.2, 0.4)),
    b = Object3D(parent = :world, fixedToParent = false, translation = [1.0, 0.4, -0.2], rotation = [-0.1, 0.3, 0.2],
                 velocity = [-0.1, 0.2, 0.6], angularVelocity = [0.4, -1.0, 0.3], feature = lump(0.15, 0.2, 0.18)),
    pa = Object3D(parent = :a, translation = [0.2, 0.1, 0.0], rotation = [0.3, -0.4, 0.5]),
    pb = Object3D(parent = :b, translation = [-0.3, 0.0, 0.1], rotation = [-0.2, 0.1, 0.7])
)
elements = [
    SpringDamperPtP(obj1 = :pa, obj2 = :pb, nominalLength = 0.4, nominalForce = 1.5, springForceLaw = hardening),
    SpringDamperPtP(obj1 = :pb, obj2 = :pa, springForceLaw = 30.0, damperForceLaw = drag),
    Bushing(obj1 = :pa, obj2 = :pb, springForceLaw = [20.0, hardening, 30.0], damperForceLaw = [0.3, 0.3, drag],
            rotSpringForceLaw = [3.0, 2.5, 2.0], rotDamperForceLaw = [0.02, 0.02, 0.02],
            nominalForce = [0.3, -0.2, 0.1], nominalTorque = [0.02, 0.01, -0.03], largeAngles = true)]
for element in elements
    m = @instantiateModel(Pair | Map(element = element), unitless = true)
    simulate!(m, stopTime = 2.0, tolerance = 1e-10)
    p = getValues(m, "balance.momentum")
    L = getValues(m, "balance.angularMomentum")
    @test maximum(abs.(p .- p[1:1, :])) < 1e-7
    @test maximum(abs.(L .- L[1:1, :])) < 1e-7
    lost = getValues(m, "balance.dissipatedEnergy")
    given = getValues(m, "balance.suppliedEnergy")
    account = getValues(m, "balance.totalEnergy") + lost - given
    @test maximum(abs.(account .- account[1])) < 1e-7
    @test minimum(lost[2:end] - lost[1:end-1]) >= 0.0
end

# A planet on a spring that grows stiff: angular momentum and energy stay.
stiffening(x) = 3.0*x + 0.5*x^3
Planet = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)),
    turned = Object3D(parent = :world, rotation = [0.3, -0.4, 0.5]),
    ball = Object3D(parent = :world, fixedToParent = false, translation = [2.0, 0.0, 0.0], velocity = [0.0, 1.0, 0.5],
                    feature = Solid(shape = Sphere(diameter = 0.2), massProperties = MassPropertiesFromShapeAndMass(mass = 2.0))),
    spring = SpringDamperPtP(obj1 = :turned, obj2 = :ball, nominalLength = 1.0, springForceLaw = stiffening)
)
planet = @instantiateModel(Planet, unitless = true)
simulate!(planet, stopTime = 20.0, tolerance = 1e-10)
energy = getValues(planet, "balance.totalEnergy")
@test maximum(abs.(energy .- energy[1])) < 1e-7
@test abs(energy[1] - (0.5*2.0*1.25 + 1.5 + 0.125)) < 1e-12
L = getValues(planet, "balance.angularMomentum")
@test maximum(abs.(L .- L[1:1, :])) < 1e-7
@test maximum(abs.(L[1, :] - [0.0, -2.0, 4.0])) < 1e-12
@test getValues(planet, "balance.dissipatedEnergy")[end] == 0.0

# A driven joint: what the motor gives is what appears; the joint holds the weight.
include("$(Modia.modelsPath)/AllModels.jl")
Arm = Model(
    arm = Model3D(
        world = Object3D(feature = Scene(balance = true)),
        bar = Object3D(feature = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 0.1), massProperties = 2.0)),
        hinge = Object3D(parent = :bar, translation = [-0.5, 0.0, 0.0]),
        rev = RevoluteWithFlange(obj1 = :world, obj2 = :hinge)
    ),
    motor = UnitlessTorque,
    equations = :[motor.tau = 12.0],
    connect = :[(motor.flange, arm.rev.flange)]
)
arm = @instantiateModel(Arm, unitless = true)
simulate!(arm, stopTime = 2.0, tolerance = 1e-9)
phi = getValues(arm, "arm.rev.phi")
@test maximum(abs.(getValues(arm, "arm.balance.suppliedEnergy") - 12.0*phi)) < 1e-6*12.0*maximum(phi)
account = getValues(arm, "arm.balance.totalEnergy") - getValues(arm, "arm.balance.suppliedEnergy")
@test maximum(abs.(account)) < 1e-6*12.0*maximum(phi)
# At the start: acceleration (12 - 2 g/2)/(I + m/4), and the joint carries the rest of the weight.
I = 2.0/12*(1.0 + 0.01) + 2.0*0.25
alpha = (12.0 - 9.81)/I
force = getValues(arm, "arm.rev.reactionForce")[1, :]
@test abs(force[2] - 2.0*(9.81 + 0.5*alpha)) < 1e-6 && abs(force[1]) < 1e-9
@test abs(getValues(arm, "arm.rev.reactionTorque")[1, 3] - 12.0) < 1e-6
