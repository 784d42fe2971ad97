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

## a link without mass at the end of a chain, where the model wants it
#status 2
#says error[E0904]: the joint that carries 'coupler' moves nothing that has inertia; give a mass to what it carries, or say cut = true at a joint of its loop between two that have one
using Modia3D
bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.2, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1)))
Bars = Model3D(world = Object3D(feature = Scene()), pivot = Object3D(parent = :world, translation = [1.0, 0.0, 0.0]),
    a = bar, coupler = Object3D(), b = bar, aEnd = Object3D(parent = :a, translation = [0.4, 0.0, 0.0]), bEnd = Object3D(parent = :b, translation = [0.4, 0.0, 0.0]),
    end2 = Object3D(parent = :coupler, translation = [1.0, 0.0, 0.0]),
    rev1 = Revolute(obj1 = :world, obj2 = :a, phi = Var(init = 1.0)), rev2 = Revolute(obj1 = :aEnd, obj2 = :coupler, phi = Var(init = -1.0)),
    rev3 = Revolute(obj1 = :pivot, obj2 = :b, phi = Var(init = 1.0)), rev4 = Revolute(obj1 = :end2, obj2 = :bEnd, phi = Var(init = 1.0), cut = true))
m = @instantiateModel(Bars, unitless = true)
simulate!(m, stopTime = 0.1)

## a body that nothing but a ball joint holds
#status 2
#says error[E0901]: Object3D 'body' has no parent, and its only joint is Spherical 'ball', which closes a loop and does not carry it; let the object move freely (parent = :world, fixedToParent = false), or give it another joint
using Modia3D
Hanging = Model3D(world = Object3D(feature = Scene()), body = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.05, Iyy = 0.09, Izz = 0.07))),
                  eye = Object3D(parent = :body, translation = [0.0, 1.0, 0.0]), ball = Spherical(obj1 = :world, obj2 = :eye, cut = true))
m = @instantiateModel(Hanging, unitless = true)
simulate!(m, stopTime = 1.0)

## a joint that is cut where there is no loop
#status 2
#says error[E0901]: Object3D 'body' has no parent, and its only joint is Revolute 'hinge', which closes a loop and does not carry it
using Modia3D
Hanging = Model3D(world = Object3D(feature = Scene()), body = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.05, Iyy = 0.09, Izz = 0.07))),
                  hinge = Revolute(obj1 = :world, obj2 = :body, cut = true))
m = @instantiateModel(Hanging, unitless = true)
simulate!(m, stopTime = 1.0)
