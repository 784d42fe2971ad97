# Names of 3D quantities in equations.

## a signal that a sensor does not have
#status 2
#says error[E0915]: SensorResult 'eye' has nothing that is called 'velocty'; did you mean 'velocity'?
#not E0611
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    eye = SensorResult(object = :ball), x = Var(init = 0.0), equations = :[der(x) = eye.velocty[1]])
m = @instantiateModel(M, unitless = true)

## what an object does not show, told of an equation outside
#status 2
#says error[E0915]: Object3D 'm.ball' has nothing that is called 'temperature'; equations may use: r_abs, rot123_abs, R_abs, q_abs, v_abs, w_abs, a_abs, z_abs, properAcceleration, reactionForce, reactionTorque
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)))
m = @instantiateModel(Model(m = M, x = Var(init = 0.0), equations = :[der(x) = m.ball.temperature]), unitless = true)

## a name with more parts than an object has
#status 2
#says error[E0915]: Object3D 'ball' has nothing that is called 'pose.r_abs'; equations may use: r_abs
#not 0 is taken
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    equations = :[x = ball.pose.r_abs])
m = @instantiateModel(M, unitless = true)

## an object without its path
#status 2
#says error[E0915]: nothing is called 'ball' here; did you mean 'm.ball.r_abs'?
#not 0 is taken
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)))
m = @instantiateModel(Model(m = M, equations = :[x = ball.r_abs]), unitless = true)

## an object that is spelled otherwise
#status 2
#says error[E0915]: nothing is called 'bal' here; did you mean 'ball.v_abs'?
#not E0611
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    push = WorldForce(objectApply = :ball), equations = :[push.force = -2.0*bal.v_abs])
m = @instantiateModel(M, unitless = true)

## a derivative that no signal is
#status 2
#says error[E0915]: der(eye.rotation) is not known: a 3D part is not differentiated, and eye has no signal for it
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    eye = SensorResult(object = :ball), x = Var(init = 0.0), equations = :[der(x) = der(eye.rotation)[1]])
m = @instantiateModel(M, unitless = true)

## a velocity for another observer is no derivative
#status 2
#says error[E0915]: der(eye.translation) is not eye.velocity, since the sensor has an observer of its own
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    eye = SensorResult(object = :ball, objectObserveRef = :ball), x = Var(init = 0.0), equations = :[der(x) = der(eye.translation)[1]])
m = @instantiateModel(M, unitless = true)

## a force that nobody determines
#status 2
#says error[E0908]: WorldForce 'push': there is no forceFunction, and no equation determines 'push.force'; give one of the two
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    push = WorldForce(objectApply = :ball))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## a force that is determined twice
#status 2
#says error[E0908]: WorldTorque 'push': there is a torqueFunction, and equations use 'push.torque' as well; what the function returns is called torqueVector there
using Modia3D
f(; time, objectApply, objectCoord) = [0.0, 0.0, 1.0]
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    push = WorldTorque(objectApply = :ball, torqueFunction = f), equations = :[push.torque = [0.0, 0.0, 1.0]])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## a force of two numbers
#status 2
#says error[E0915]: 'push.force' must be a vector of three numbers; here it has 2 numbers
#says error[E0714]
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    push = WorldForce(objectApply = :ball), equations = :[push.force = [0.0, 1.0]])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## one number that is a vector
#status 2
#says error[E0915]: 'rope.actuatorForce' must be a number; here it has 3 numbers
#says error[E0714]
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, translation = [1.0, 0.0, 0.0], feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    rope = SpringDamperPtP(obj1 = :world, obj2 = :ball), equations = :[rope.actuatorForce = [0.0, 1.0, 2.0]])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## the sum of forces that equations have a part in
#status 2
#says error[E0915]: 'rope.force' contains what equations give as 'rope.actuatorForce'; use that, and the forces of springs and dampers
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, translation = [1.0, 0.0, 0.0], feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    rope = SpringDamperPtP(obj1 = :world, obj2 = :ball, springForceLaw = 1.0), equations = :[rope.actuatorForce = 1.0, x = rope.force])
m = @instantiateModel(M, unitless = true)

## two loops through accelerations, of which each knows nothing of the other
#status 2
#says error[E0915]: equations cannot use 'ball.a_abs' while forceFunction of WorldForce 'water' asks for accelerations; let equations give that force
using Modia3D
added(; time, objectApply, objectCoord) = -0.4*Modia3D.measFrameTransAcceleration(objectApply)
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    water = WorldForce(objectApply = :ball, forceFunction = added), equations = :[a = ball.a_abs])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## a coordinate that a signal prescribes
#status 2
#says error[E0613]
#says note: 'ball.r_abs' is a signal of a 3D element and cannot be differentiated, so it cannot prescribe a coordinate; a force may drive it there instead
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    arm = Object3D(feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)), rev = RevoluteWithFlange(obj1 = :world, obj2 = :arm, axis = 3),
    equations = :[rev.flange.phi = ball.r_abs[1]])
m = @instantiateModel(M, unitless = true)

## what nothing exerts
#status 2
#says error[E0915]: Object3D 'world' is the world, on which nothing exerts a reactionForce; each joint on it has one
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), arm = Object3D(feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    rev = Revolute(obj1 = :world, obj2 = :arm), equations = :[f = world.reactionForce])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## what more than one joint may exert
#status 2
#says error[E0915]: Object3D 'arm' has no parent that could exert a reactionForce, and joints may hold it on several sides in a part with loops; each of them has one
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), arm = Object3D(feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    tip = Object3D(parent = :arm, translation = [1.0, 0.0, 0.0]), top = Object3D(parent = :world, translation = [1.0, 1.0, 0.0]),
    rev = Revolute(obj1 = :world, obj2 = :arm), rope = Rod(obj1 = :top, obj2 = :tip, length = 1.0), equations = :[f = arm.reactionForce])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## what an equation names cannot be deleted
#status 7
#says error[E0915]: 'ball.v_abs' does not exist in this segment: there is no Object3D 'ball' that has it
#says note: ActionDelete of 'ball' at time = 0.5 s caused this
using Modia3D
function away(actions)
    EventAfterPeriod(actions, 0.5)
    ActionDelete(actions, "ball")
end
M = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())),
    hull = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, velocity = [1.0, 0.0, 0.0], feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    ball = Object3D(parent = :hull, lockable = true),
    other = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    modelActions = ModelActions(world = :world, actions = away), x = Var(init = 0.0),
    equations = :[
        der(x) = ball.v_abs[1]
        currentAction = Modia3D.executeActions(modelActions)
    ])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## a frame that is led to another place at once
#status 4
#says error[E0721]: 'lead.r' jumps from 0 to 0.1 at time = 0.5 s, but its derivative 'der(lead.r)' acts on the states
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), table = Object3D(feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)),
    lead = PrescribedMotion(obj1 = :world, obj2 = :table, r = Var()), equations = :[lead.r = [0.0, 0.0, if time > 0.5; 0.1 else 0.0 end]])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## a force that cancels the mass
#status 3
#says error[E0716]: the equations for this unknown have no unique solution at t = 0 s: 'push.force'
#says note: a force that depends on 'ball.a_abs' may take away all of the inertia that it moves, as a force of plus mass times acceleration does; then no acceleration is determined
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 2.0)),
    push = WorldForce(objectApply = :ball), equations = :[push.force = [1.0, 0.0, 0.0] + 2.0*ball.a_abs])
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## a signal that a joint does not have
#status 2
#says error[E0915]: RevoluteWithFlange 'rev' has nothing that is called 'reactionForc'; did you mean 'reactionForce'?
#not 0 is taken
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), bar = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0), massProperties = 1.0)),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar), equations = :[x = rev.reactionForc])
m = @instantiateModel(M, unitless = true)

## a variable that a joint does not have, and a driving torque that would go nowhere
#status 2
#says error[E0915]: RevoluteWithFlange 'm.rev' has nothing that is called 'phii'; did you mean 'phi'?
#says error[E0915]: RevoluteWithFlange 'm.rev' has nothing that is called 'flange.tua'; did you mean 'flange.tau'?
#says error[E0915]: RevoluteWithFlange 'm.rev' has nothing that is called 'color'; equations may use: reactionForce, reactionTorque, flange.phi, flange.tau, phi, w
#not E0611
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), bar = Object3D(feature = Solid(shape = Beam(axis = 1, length = 1.0), massProperties = 1.0)),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar))
m = @instantiateModel(Model(m = M, x = Var(init = 0.0), equations = :[der(x) = m.rev.phii; m.rev.flange.tua = 5.0; y = m.rev.color]), unitless = true)
