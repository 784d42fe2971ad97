# Every kind of joint that closes a loop: a free body held by one moves as it does on the same joint in a tree, and what
# holds it at rest is what statics says.
using Modia3D
using Test

off(x, y) = maximum(abs.(x .- y))
g = 9.81
solid = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.3, 0.0, 0.1], Ixx = 0.05, Iyy = 0.09, Izz = 0.07))
scene = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]), enableContactDetection = false))
free(; translation = [0.0, 0.0, 0.0], rotation = [0.0, 0.0, 0.0], velocity = [0.0, 0.0, 0.0], angularVelocity = [0.0, 0.0, 0.0]) =
    Object3D(parent = :world, fixedToParent = false, translation = translation, rotation = rotation, velocity = velocity, angularVelocity = angularVelocity, feature = solid)
function run(model; stop = 2.0, solver = DP8(), tolerance = 1e-10)
    m = @instantiateModel(model, unitless = true)
    simulate!(m, solver, stopTime = stop, tolerance = tolerance)
    return m
end

# Revolute: a pendulum.
tree = run(Model3D(world = scene, body = Object3D(feature = solid), joint = Revolute(obj1 = :world, obj2 = :body, w = Var(init = 3.0))))
loop = run(Model3D(world = scene, body = free(angularVelocity = [0.0, 0.0, 3.0]), joint = Revolute(obj1 = :world, obj2 = :body)))
@test off(getValues(tree, "joint.phi"), getValues(loop, "joint.phi")) < 1e-7
@test off(getValues(tree, "joint.w"), getValues(loop, "joint.w")) < 1e-7
@test off(getValues(loop, "body.translation"), 0.0) < 1e-13

# Prismatic on a slope: half of the weight pulls along 30 degrees.
slope = [sqrt(0.75), -0.5, 0.0]
loop = run(Model3D(world = scene, body = free(), joint = Prismatic(obj1 = :world, obj2 = :body, axis = slope)))
@test off(getValues(loop, "joint.s"), 0.25*g*getValues(loop, "time").^2) < 1e-8
@test off(getValues(loop, "joint.reactionForce")[end, :], 2.0*g*sqrt(0.75)*[0.5, sqrt(0.75), 0.0]) < 1e-8

# Spherical: against three joints in a row.
tree = run(Model3D(world = scene, a = Object3D(), b = Object3D(), body = Object3D(feature = solid),
    x = Revolute(obj1 = :world, obj2 = :a, axis = 1, w = Var(init = 1.0)),
    y = Revolute(obj1 = :a, obj2 = :b, axis = 2, w = Var(init = 0.5)),
    z = Revolute(obj1 = :b, obj2 = :body, axis = 3, w = Var(init = 2.0))), stop = 0.5)
loop = run(Model3D(world = scene, body = free(angularVelocity = [1.0, 0.5, 2.0]), ball = Spherical(obj1 = :world, obj2 = :body)), stop = 0.5)
tip = getValues(tree, "body.rot123_abs")
@test off(tip, getValues(loop, "body.rot123_abs")) < 1e-7

# Universal: against two joints in a row.
tree = run(Model3D(world = scene, cross = Object3D(), body = Object3D(feature = solid),
    x = Revolute(obj1 = :world, obj2 = :cross, axis = 1, w = Var(init = 1.0)),
    z = Revolute(obj1 = :cross, obj2 = :body, axis = 3, w = Var(init = 2.0))))
loop = run(Model3D(world = scene, body = free(angularVelocity = [1.0, 0.0, 2.0]), cardan = Universal(obj1 = :world, obj2 = :body, axis1 = 1, axis2 = 3)))
@test off(getValues(tree, "body.rot123_abs"), getValues(loop, "body.rot123_abs")) < 1e-6

# Fix: all weight, and its moment about the origin of the body.
loop = run(Model3D(world = scene, body = free(translation = [0.1, 0.2, 0.3]), weld = Fix(obj1 = :world, obj2 = :body, translation = [0.1, 0.2, 0.3])))
@test off(getValues(loop, "weld.reactionForce"), [0.0 2.0*g 0.0]) < 1e-9
@test off(getValues(loop, "weld.reactionTorque"), [-2.0*g*0.1 0.0 2.0*g*0.3]) < 1e-9

# Rod: a beam on a hinge and a vertical rod at its other end, each with half of the weight.
beam = Solid(massProperties = MassProperties(mass = 3.0, centerOfMass = [0.5, 0.0, 0.0], Ixx = 0.01, Iyy = 0.25, Izz = 0.25))
loop = run(Model3D(world = scene, beam = Object3D(feature = beam), tip = Object3D(parent = :beam, translation = [1.0, 0.0, 0.0]),
    hook = Object3D(parent = :world, translation = [1.0, 2.0, 0.0]), hinge = Revolute(obj1 = :world, obj2 = :beam), rod = Rod(obj1 = :hook, obj2 = :tip, length = 2.0)))
@test off(getValues(loop, "rod.reactionForce"), [0.0 1.5*g 0.0]) < 1e-9 && off(getValues(loop, "hinge.phi"), 0.0) < 1e-12
# A ball on a rod is a pendulum of any length that was asked for, whatever the start value says.
ball = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))
loop = run(Model3D(world = scene, ball = Object3D(parent = :world, fixedToParent = false, translation = [1.1, 0.0, 0.0], feature = ball), rod = Rod(obj1 = :world, obj2 = :ball, length = 1.0)))
r = getValues(loop, "ball.translation")
@test off(sqrt.(r[:, 1].^2 .+ r[:, 2].^2 .+ r[:, 3].^2), 1.0) < 1e-13
@test off(0.5*sum(getValues(loop, "ball.velocity").^2, dims = 2) .+ g*r[:, 2], 0.0) < 1e-8
