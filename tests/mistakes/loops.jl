# Closed kinematic loops.

## a word that loops does not know
#status 2
#says error[E0306]: Scene of Object3D 'world': loops must be :ggl, constraints among the equations of IDA, or :projected, states that are moved back to the loops between the steps of any solver
using Modia3D
m = @instantiateModel(Model3D(world = Object3D(feature = Scene(loops = :none))), unitless = true)
simulate!(m, stopTime = 1.0)

## a FreeMotion in a loop
#status 2
#says error[E0912]: FreeMotion 'free' moves a body that closes a loop, which is not possible; use Object3D(parent = ..., fixedToParent = false) instead, which moves freely
using Modia3D
Held = Model3D(world = Object3D(feature = Scene(enableContactDetection = false)),
               body = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.05, Iyy = 0.09, Izz = 0.07))),
               free = FreeMotion(obj1 = :world, obj2 = :body), ball = Spherical(obj1 = :world, obj2 = :body))
held = @instantiateModel(Held, unitless = true)
simulate!(held, stopTime = 1.0)
