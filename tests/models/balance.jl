# The balance of energy with everything that brings some in or takes some out, and reactions of joints in
# both directions against statics by hand.
using Modia3D
using Test

include("$(Modia.modelsPath)/AllModels.jl")

# Springs with laws of their own, dampers, bushings with both kinds of angles, forces and torques of the world, a function
# that pushes by itself, a prescribed drive, free objects on fixed and moving parents, joints said the other way round.
hardening(x) = 20.0*x + 300.0*x^3
quadratic(v) = 2.0*v*abs(v)
box(m) = Solid(shape = Box(lengthX = 0.4, lengthY = 0.1, lengthZ = 0.2), massProperties = MassPropertiesFromShapeAndMass(mass = m))
pull(; time, objectApply, objectCoord) = [0.3*sin(3*time), 0.1, 0.2*cos(time)]
function drag(; time, objectApply, objectCoord)
    Modia3D.applyFrameForce!(objectApply, -0.7*Modia3D.measFrameTransVelocity(objectApply))
    return [0.0, 0.02, 0.0]
end
Angle = Model(flange = Flange, equations = :[flange.phi = 0.5*sin(2*time)])
Robot = Model3D(
    world = Object3D(feature = Scene(balance = true)),
    base = Object3D(feature = box(2.0)),
    turn = RevoluteWithFlange(obj1 = :base, obj2 = :world, axis = 2, phi = Var(), w = Var()),
    shoulder = Object3D(parent = :base, translation = [0.3, 0.1, 0.0], rotation = [0.2, 0.3, 0.1]),
    slider = Object3D(feature = box(1.0)),
    slide = Prismatic(obj1 = :slider, obj2 = :shoulder, axis = 1, s = Var(init = 0.1)),
    elbow = Object3D(parent = :slider, translation = [0.0, 0.2, 0.1], rotation = [0.5, -0.3, 0.7]),
    lever = Object3D(feature = box(0.7)),
    hinge = Object3D(parent = :lever, translation = [0.1, 0.2, 0.0], rotation = [0.1, 0.3, 0.4]),
    swing = Revolute(obj1 = :hinge, obj2 = :elbow, axis = [1.0, 1.0, 0.3], phi = Var(init = 0.3)),
    ball = Object3D(parent = :slider, fixedToParent = false, translation = [0.5, 0.3, 0.2], angularVelocity = [1.0, 2.0, 3.0], feature = box(0.5)),
    mount = Object3D(parent = :world, fixedToParent = false, translation = [0.5, 0.3, 0.2], angularVelocity = [1.0, 2.0, 3.0], feature = box(0.5)),
    cord = SpringDamperPtP(obj1 = :ball, obj2 = :lever, nominalLength = 0.2, nominalForce = 0.4, springForceLaw = hardening, damperForceLaw = quadratic),
    large = Bushing(obj1 = :shoulder, obj2 = :slider, springForceLaw = [hardening, 300.0, 20.0], damperForceLaw = [quadratic, 3.0, 1.0],
                    rotSpringForceLaw = [10.0, 20.0, 30.0], largeAngles = true, nominalForce = [0.1, 0.2, 0.3], nominalTorque = [0.01, 0.02, 0.03]),
    small = Bushing(obj1 = :world, obj2 = :mount, springForceLaw = [hardening, 3.0, 20.0], damperForceLaw = [0.3, 0.3, 0.1],
                    rotSpringForceLaw = [0.3, hardening, 0.3], rotDamperForceLaw = [0.1, 0.2, 0.3]),
    pulling = WorldForce(objectApply = :ball, forceFunction = pull, objectCoord = :lever),
    dragging = WorldTorque(objectApply = :lever, torqueFunction = drag)
)
system = @instantiateModel(Model(robot = Robot, drive = Angle, connect = :[(drive.flange, robot.turn.flange)]), unitless = true)
simulate!(system, stopTime = 1.0, tolerance = 1e-10)
of(name) = getValues(system, "robot.balance." * name)
@test maximum(abs.(of("kineticEnergy") + of("potentialEnergy") + of("springEnergy") - of("totalEnergy"))) < 1e-12
sum = of("totalEnergy") + of("dissipatedEnergy") - of("suppliedEnergy")
@test maximum(abs.(sum .- sum[1])) < 1e-6
@test of("dissipatedEnergy")[end] > 1.0
@test abs(of("suppliedEnergy")[end]) > 0.1

# A cart of 2 kg with its center 0.1 m off, held 0.3 m away from the world's origin.
Held = Model(flange = Model(s = Var(potential = true), f = Var(flow = true)), equations = :[flange.s = 0.3])
Cart(joint) = Model3D(
    world = Object3D(feature = Scene(balance = true)),
    cart = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.1, 0.0, 0.0], Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    slide = joint,
    hold = Held,
    connect = :[(hold.flange, slide.flange)]
)
function reaction(joint)
    cart = @instantiateModel(Cart(joint), unitless = true)
    simulate!(cart, stopTime = 0.1)
    return [ustrip.(getLastValue(cart, "slide.reactionForce")); ustrip.(getLastValue(cart, "slide.reactionTorque"))]
end
weight = 2.0*9.81
# The world carries the cart: about the cart's origin, which is 0.1 m from the center.
@test maximum(abs.(reaction(PrismaticWithFlange(obj1 = :world, obj2 = :cart, s = Var(), v = Var())) - [0.0, weight, 0.0, 0.0, 0.0, 0.1*weight])) < 1e-9
# The cart weighs on the world, from 0.2 m on the other side: about the world's origin.
@test maximum(abs.(reaction(PrismaticWithFlange(obj1 = :cart, obj2 = :world, s = Var(), v = Var())) - [0.0, -weight, 0.0, 0.0, 0.0, 0.2*weight])) < 1e-9

# What goes through a rigid connection: a pedestal of 3 kg with its center 0.1 m off, 1 m beside the world's origin, which
# is pulled aside and carries a bar of 2 kg that hangs at rest.
aside(; time, objectApply, objectCoord) = [5.0, 0.0, 0.0]
Pedestal(connection) = Model3D(
    world = Object3D(feature = Scene(balance = true)),
    pedestal = Object3D(feature = Solid(massProperties = MassProperties(mass = 3.0, centerOfMass = [0.1, 0.0, 0.0], Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    bolt = connection,
    bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.0, -0.5, 0.0], Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    hinge = Revolute(obj1 = :pedestal, obj2 = :bar),
    pulling = WorldForce(objectApply = :pedestal, forceFunction = aside)
)
function through(connection)
    pedestal = @instantiateModel(Pedestal(connection), unitless = true)
    simulate!(pedestal, stopTime = 0.1)
    return [ustrip.(getLastValue(pedestal, "bolt.reactionForce")); ustrip.(getLastValue(pedestal, "bolt.reactionTorque"))]
end
@test maximum(abs.(through(Fix(obj1 = :world, obj2 = :pedestal, translation = [1.0, 0.0, 0.0])) - [-5.0, 5.0*9.81, 0.0, 0.0, 0.0, 0.3*9.81])) < 1e-9
@test maximum(abs.(through(Fix(obj1 = :pedestal, obj2 = :world, translation = [-1.0, 0.0, 0.0])) - [5.0, -5.0*9.81, 0.0, 0.0, 0.0, -5.3*9.81])) < 1e-9

# The same while it moves: on a turntable of prescribed speed 3, a mass of 2 kg at 0.5 m needs 2*9*0.5 N inwards.
Turn = Model(flange = Flange, equations = :[flange.phi = 3.0*time])
Carousel = Model3D(
    world = Object3D(feature = Scene(balance = true, gravityField = NoGravityField())),
    table = Object3D(),
    turn = RevoluteWithFlange(obj1 = :world, obj2 = :table, phi = Var(), w = Var()),
    seat = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0))),
    bolt = Fix(obj1 = :table, obj2 = :seat, translation = [0.5, 0.0, 0.0]),
    drive = Turn,
    connect = :[(drive.flange, turn.flange)]
)
carousel = @instantiateModel(Carousel, unitless = true)
simulate!(carousel, stopTime = 1.0)
t = getValues(carousel, "time")
@test maximum(abs.(getValues(carousel, "bolt.reactionForce") - [-9.0*cos.(3.0*t) -9.0*sin.(3.0*t) 0.0*t])) < 1e-9
