# A double wishbone suspension: two triangular arms, an upright between them, a steering rod, a spring on the lower arm.
#
# Shows: a spatial loop of ball joints. The upright is a free body, held by Spherical joints at both arms and by a Rod of
# fixed length at the rack: six coordinates less seven constraints, and two of the arms, leave the wheel one way to go.
# Expect: the wheel drops onto its spring; while it travels, camber and toe change a little, as they should.
using Modia3D
using Test
@usingModiaPlot

look(shape, color) = Visual(shape = shape, visualMaterial = VisualMaterial(color = color))
arm(length, mass) = Solid(massProperties = MassProperties(mass = mass, centerOfMass = [0.5*length, 0.0, 0.0], Ixx = 0.01, Iyy = mass*length^2/10, Izz = mass*length^2/10))
Wishbone(length, mass, color) = Model(
    hinge = Object3D(feature = arm(length, mass)),
    bar1 = Object3D(parent = :hinge, translation = [0.5*length, 0.0, 0.08], rotation = [0.0, 0.35, 0.0], feature = look(Cylinder(axis = 1, diameter = 0.025, length = length), color)),
    bar2 = Object3D(parent = :hinge, translation = [0.5*length, 0.0, -0.08], rotation = [0.0, -0.35, 0.0], feature = look(Cylinder(axis = 1, diameter = 0.025, length = length), color)),
    tip = Object3D(parent = :hinge, translation = [length, 0.0, 0.0])
)
# x points outward, y up, z backward; the chassis stands still.
Suspension = Model3D(
    world = Object3D(feature = Scene(enableContactDetection = false, nominalLength = 0.6)),
    chassis = Object3D(parent = :world, translation = [-0.06, 0.15, 0.0], feature = look(Box(lengthX = 0.1, lengthY = 0.5, lengthZ = 0.5), "LightGrey")),
    lowBracket = Object3D(parent = :world, translation = [-0.005, 0.0, 0.0], feature = look(Box(lengthX = 0.04, lengthY = 0.05, lengthZ = 0.36), "Grey")),
    highBracket = Object3D(parent = :world, translation = [0.025, 0.25, 0.0], feature = look(Box(lengthX = 0.08, lengthY = 0.05, lengthZ = 0.32), "Grey")),
    lowMount = Object3D(parent = :world, translation = [0.0, 0.0, 0.0]),
    highMount = Object3D(parent = :world, translation = [0.05, 0.25, 0.0]),
    rack = Object3D(parent = :world, translation = [0.03, 0.08, 0.12]),
    tower = Object3D(parent = :world, translation = [0.1, 0.5, 0.0]),
    lower = Wishbone(0.35, 3.0, "Red"),
    upper = Wishbone(0.25, 2.0, "Blue"),
    seat = Object3D(parent = :(lower.hinge), translation = [0.2, 0.0, 0.0]),
    lowHinge = Revolute(obj1 = :lowMount, obj2 = :(lower.hinge), axis = 3, phi = Var(init = 0.1)),
    highHinge = Revolute(obj1 = :highMount, obj2 = :(upper.hinge), axis = 3, phi = Var(init = 0.1)),
    upright = Object3D(parent = :world, fixedToParent = false, translation = [0.34, 0.16, 0.0],
        feature = Solid(massProperties = MassProperties(mass = 18.0, centerOfMass = [0.06, 0.0, 0.0], Ixx = 0.6, Iyy = 0.35, Izz = 0.35))),
    wheel = Object3D(parent = :upright, translation = [0.08, 0.0, 0.0], feature = look(Cylinder(axis = 1, diameter = 0.6, length = 0.18, innerDiameter = 0.4), "Black")),
    hub = Object3D(parent = :upright, feature = look(Cylinder(axis = 2, diameter = 0.05, length = 0.25), "Grey")),
    lowBall = Object3D(parent = :upright, translation = [0.01, -0.125, 0.0]),
    highBall = Object3D(parent = :upright, translation = [-0.04, 0.125, 0.0]),
    steeringArm = Object3D(parent = :upright, translation = [-0.02, -0.06, 0.12]),
    ball1 = Spherical(obj1 = :(lower.tip), obj2 = :lowBall),
    ball2 = Spherical(obj1 = :(upper.tip), obj2 = :highBall),
    trackRod = Rod(obj1 = :rack, obj2 = :steeringArm, length = 0.29),
    spring = SpringDamperPtP(obj1 = :tower, obj2 = :seat, nominalLength = 0.52, springForceLaw = 30000.0, damperForceLaw = 1500.0)
)

suspension = @instantiateModel(Suspension, unitless = true)
simulate!(suspension, stopTime = 2.0, tolerance = 1e-8)
plot(suspension, ["wheel.r_abs", "upright.rotation", ("trackRod.reactionForce", "ball1.reactionForce")], figure = 1)

# The track rod keeps its length, and the wheel comes to rest.
gap = getValues(suspension, "steeringArm.r_abs") .- getValues(suspension, "rack.r_abs")
@test maximum(abs.(sqrt.(gap[:, 1].^2 .+ gap[:, 2].^2 .+ gap[:, 3].^2) .- 0.29)) < 1e-12
@test abs(getValues(suspension, "lowHinge.w")[end]) < 1e-3
