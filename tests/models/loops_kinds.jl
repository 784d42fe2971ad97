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

# Cylindrical: against a slider and a hinge in a row, along a skew axis.
skew = [0.36, 0.48, 0.8]
tree = run(Model3D(world = scene, sleeve = Object3D(), body = Object3D(feature = solid),
    slide = Prismatic(obj1 = :world, obj2 = :sleeve, axis = skew, v = Var(init = 0.7)),
    turn = Revolute(obj1 = :sleeve, obj2 = :body, axis = skew, w = Var(init = 2.0))))
loop = run(Model3D(world = scene, body = free(velocity = 0.7*skew, angularVelocity = 2.0*skew), sleeve = Cylindrical(obj1 = :world, obj2 = :body, axis = skew)))
@test off(getValues(tree, "body.r_abs"), getValues(loop, "body.r_abs")) < 1e-7
@test off(getValues(tree, "body.rot123_abs"), getValues(loop, "body.rot123_abs")) < 1e-7
@test off(getValues(loop, "sleeve.reactionForce")*skew, 0.0) < 1e-9 # it holds nothing along the axis

# Planar: against two sliders and a hinge; the plane is tilted, so that weight moves the body in it.
tree = run(Model3D(world = scene, a = Object3D(), b = Object3D(), body = Object3D(feature = solid),
    x = Prismatic(obj1 = :world, obj2 = :a, axis = [0.8, -0.6, 0.0], v = Var(init = 0.3)),
    y = Prismatic(obj1 = :a, obj2 = :b, axis = [0.48, 0.64, -0.6], v = Var(init = 0.2)),
    turn = Revolute(obj1 = :b, obj2 = :body, axis = skew, w = Var(init = -1.5))))
loop = run(Model3D(world = scene, body = free(velocity = 0.3*[0.8, -0.6, 0.0] + 0.2*[0.48, 0.64, -0.6], angularVelocity = -1.5*skew),
    glide = Planar(obj1 = :world, obj2 = :body, axis = skew)))
@test off(getValues(tree, "body.r_abs"), getValues(loop, "body.r_abs")) < 1e-7
@test off(getValues(tree, "body.rot123_abs"), getValues(loop, "body.rot123_abs")) < 1e-7
@test off(getValues(loop, "body.r_abs")*skew, 0.0) < 1e-12

# Helical: a nut of mass m and inertia J on a vertical screw runs down with m g/(m + J (2 pi/pitch)^2), with many turns; left-handed
# it turns the other way. What the thread holds is m (g - a).
nut = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 0.01, Iyy = 2e-4, Izz = 0.01))
for pitch in [0.1, -0.1]
    loop = run(Model3D(world = scene, nut = Object3D(parent = :world, fixedToParent = false, feature = nut), thread = Helical(obj1 = :world, obj2 = :nut, axis = 2, pitch = pitch)))
    t, lead = getValues(loop, "time"), pitch/(2*pi)
    a = 0.5*g/(0.5 + 2e-4/lead^2)
    s, w = getValues(loop, "nut.translation")[:, 2], getValues(loop, "nut.angularVelocity")[:, 2]
    println("pitch ", pitch, ": down by ", -s[end], " m, ", 0.5*a*t[end]^2, " by the closed form; ", w[end]*t[end]/(4*pi), " turns")
    @test off(s, -0.5*a*t.^2) < 1e-8
    @test off(lead*w, -a*t) < 1e-8
    @test off(getValues(loop, "thread.reactionForce")[:, 2], 0.5*(g - a)) < 1e-8
    @test off(getValues(loop, "thread.reactionTorque")[:, 2], -2e-4*a/lead) < 1e-8
end
