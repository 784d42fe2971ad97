## a law that returns a force alone
#status 2
#says error[E0908]: law of ContactLaw 'law' must return (force, torque), each a vector of three numbers
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
f(; delta, deltaDot, vt, wrel, normal, time) = 1e6*delta*normal
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## a law that returns no vectors
#status 2
#says error[E0908]: law of ContactLaw 'law' must return (force, torque), each a vector of three numbers
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
f(; delta, deltaDot, vt, wrel, normal, time) = (1e6*delta*normal, 0.0)
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## a law that does not take its keywords
#status 2
#says error[E0310]: f has no keyword argument 'deltaDot' (it takes delta)
#says note: called as law of ContactLaw 'law'
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
f(; delta) = (delta*ones(3), zeros(3))
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## a law without a number
#status 4
#says error[E0703]: Drop: simulation with CVODE_BDF stopped at time = 0.045
#says case04.jl:10:68: note: law of ContactLaw 'law' returned no finite number for
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
f(; delta, deltaDot, vt, wrel, normal, time) = (NaN*normal, zeros(3))
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## a law with the wrong unit
#status 2
#says error[E0401]: what it returns is measured in N*m, not in N
#says note: called as law of ContactLaw 'law'
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
f(; delta, deltaDot, vt, wrel, normal, time) = (1e6*delta*normal*u"N", zeros(3)*u"N")
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## a law that is none
#status 2
#says error[E0908]: ContactLaw 'law': law must be a function of the keywords delta, deltaDot, vt, wrel, normal and time that returns (force, torque)
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
f = 3.0
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## what a law raises
#status 2
#says case07.jl:7:49: error[E0301]: 'missingNumber' is not defined
#says note: called as law of ContactLaw 'law'
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
f(; delta, deltaDot, vt, wrel, normal, time) = (missingNumber*normal, zeros(3))
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## two laws for one pair
#status 2
#says error[E0911]: ContactLaw 'again': these two objects have a law already
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
f(; delta, deltaDot, vt, wrel, normal, time) = (1e6*delta*normal, zeros(3))
Drop = Model3D(world = Object3D(feature = Scene()), floor = Object3D(parent = :world, feature = solid(Box(lengthY = 0.2))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.21, 0.0], feature = solid(Sphere(diameter = 0.2))),
               law = ContactLaw(object1 = :ball, object2 = :floor, law = f),
               again = ContactLaw(object1 = :floor, object2 = :ball, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## a law for what does not collide
#status 2
#says error[E0911]: ContactLaw 'law': 'world' cannot touch anything; it needs a Solid with collision = true
using Modia3D
f(; delta, deltaDot, vt, wrel, normal, time) = (1e6*delta*normal, zeros(3))
Drop = Model3D(world = Object3D(feature = Scene()),
               ball = Object3D(parent = :world, fixedToParent = false,
                               feature = Solid(shape = Sphere(), solidMaterial = "Steel", collision = true)),
               law = ContactLaw(object1 = :ball, object2 = :world, law = f))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, stopTime = 0.1)

## a word that zeroCrossings does not know
#status 2
#says error[E0306]: Scene of Object3D 'world': zeroCrossings must be :extremes, two functions for all contacts, or :smallest, one for each of the nz nearest pairs
using Modia3D
m = @instantiateModel(Model3D(world = Object3D(feature = Scene(zeroCrossings = :most))), unitless = true)
simulate!(m, stopTime = 1.0)

## far too many functions
#status 2
#says error[E0306]: Scene of Object3D 'world': nz = 1000000000 is out of range
using Modia3D
m = @instantiateModel(Model3D(world = Object3D(feature = Scene(zeroCrossings = :smallest, nz = 10^9))), unitless = true)
simulate!(m, stopTime = 1.0)

## no functions at all
#status 2
#says nz must lie between 1 and 100000
#says error[
using Modia3D
m = @instantiateModel(Model3D(world = Object3D(feature = Scene(zeroCrossings = :smallest, nz = 0))), unitless = true)
simulate!(m, stopTime = 1.0)

## functions that become more
#prints nz = 1 is too small for 2 contacts: it becomes 2
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
ball(x) = Object3D(parent = :world, fixedToParent = false, translation = [x, 0.3, 0.0], feature = solid(Sphere(diameter = 0.2)))
Two = Model3D(world = Object3D(feature = Scene(zeroCrossings = :smallest, nz = 1)),
              floor = Object3D(parent = :world, feature = solid(Box(lengthX = 3.0, lengthY = 0.2))), a = ball(-0.4), b = ball(0.4))
two = @instantiateModel(Two, unitless = true)
simulate!(two, stopTime = 0.15, logEvents = true)

## steps of one length through a contact
#status 0
#says warning[E0911]: bodies touch in this run, and adaptive = false takes steps of one length
#says Leave out adaptive = false, with CVODE_BDF() or IDA() for hard contacts
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
Drop = Model3D(world = Object3D(feature = Scene()),
               floor = Object3D(parent = :world, feature = solid(Box(lengthX = 1.0, lengthY = 0.2, lengthZ = 1.0))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.2001, 0.0], feature = solid(Sphere(diameter = 0.2))))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, RK4(), stopTime = 0.01, interval = 1e-5, adaptive = false)

## steps of one length where nothing touches, and steps of any length where something does
#prints done
using Modia3D
solid(shape) = Solid(shape = shape, solidMaterial = "Steel", collision = true)
Drop = Model3D(world = Object3D(feature = Scene()),
               floor = Object3D(parent = :world, feature = solid(Box(lengthX = 1.0, lengthY = 0.2, lengthZ = 1.0))),
               ball = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.2001, 0.0], feature = solid(Sphere(diameter = 0.2))))
drop = @instantiateModel(Drop, unitless = true)
simulate!(drop, RK4(), stopTime = 0.001, interval = 1e-5, adaptive = false)
simulate!(drop, stopTime = 0.01, interval = 1e-5)
println("done")
