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
#says error[E0915]: Object3D 'm.ball' has nothing that is called 'temperature'; equations may use: r_abs, rot123_abs, R_abs, q_abs, v_abs, w_abs, a_abs, z_abs, properAcceleration
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(diameter = 0.1), massProperties = 1.0)))
m = @instantiateModel(Model(m = M, x = Var(init = 0.0), equations = :[der(x) = m.ball.temperature]), unitless = true)

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
