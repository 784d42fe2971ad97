# Data of robots as they are published.

## a link with inertia and no mass, and a moment of inertia that is rounded: both are used, with a word each
#says warning[E0902]: Object3D 'link': the inertia is not zero, but the mass is; no body is like that, but it is used as given
#says warning[E0902]: Object3D 'hand': the inertia violates the triangle inequality: a principal moment is larger than the sum of the two others; no body is like that, but it is used as given
#not 'other'
using Modia3D
hand = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.3003))
M = Model3D(world = Object3D(feature = Scene()), link = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.0, Iyy = 0.35))),
    hand = Object3D(parent = :link, feature = hand), other = Object3D(parent = :link, feature = hand), joint = Revolute(obj1 = :world, obj2 = :link, axis = 2))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## large angles through a right one
#says warning[E0908]: pad: the second angle comes near a right one, where the first and the third are hardly determined
#not error
using Modia3D
M = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())), shaft = Object3D(parent = :world, fixedToParent = false, rotation = [0.0, pi/2, 0.0],
    feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    pad = Bushing(obj1 = :world, obj2 = :shaft, springForceLaw = [1.0, 1.0, 1.0], rotSpringForceLaw = [0.0, 1.0, 0.0], largeAngles = true))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)

## more joints with flanges than a full matrix should have
#status 2
#says error[E0501]
#says one Model3D has 2001 joints with a flange; at most 2000 are possible (joints without one are not limited)
using Modia3D
M = Model3D(world = Object3D(feature = Scene()))
for i in 1:2001
    M[Symbol("b$i")] = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1)))
    M[Symbol("j$i")] = RevoluteWithFlange(obj1 = :world, obj2 = Symbol("b$i"))
end
m = @instantiateModel(M, unitless = true)

## as many without
#prints true
using Modia3D
M = Model3D(world = Object3D(feature = Scene()))
for i in 1:2001
    M[Symbol("b$i")] = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [1.0, 0.0, 0.0], Ixx = 0.1, Iyy = 0.1, Izz = 0.1)))
    M[Symbol("j$i")] = Revolute(obj1 = :world, obj2 = Symbol("b$i"))
end
m = @instantiateModel(M, unitless = true)
simulate!(m, Tsit5(), stopTime = 0.01, interval = 0.01)
println(abs(getLastValue(m, "j2001.w") + 0.01*9.81/1.1) < 1e-5)
