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
