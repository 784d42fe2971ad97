# Joints with several coordinates.

## a universal joint with one axis twice
#status 2
#says error[E0903]: Universal 'joint': axis1 and axis2 are parallel; both turn about the same line
using Modia3D
m = @instantiateModel(Model3D(world = Object3D(feature = Scene()), body = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.05, Iyy = 0.09, Izz = 0.07))),
    joint = Universal(obj1 = :world, obj2 = :body, axis1 = 1, axis2 = [2.0, 0.0, 0.0])), unitless = true)
simulate!(m, stopTime = 1.0)

## a thread without pitch
#status 2
#says error[E0903]: Helical 'joint': pitch must be finite and not zero
using Modia3D
m = @instantiateModel(Model3D(world = Object3D(feature = Scene()), body = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.05, Iyy = 0.09, Izz = 0.07))),
    joint = Helical(obj1 = :world, obj2 = :body, pitch = 0.0)), unitless = true)
simulate!(m, stopTime = 1.0)

## two joints with flanges between the same objects
#status 2
#says error[E0912]: CylindricalWithFlanges 'second' closes a loop, where it has no coordinates and so no flanges to act on; take the joint without flanges, or let another one close the loop
using Modia3D
m = @instantiateModel(Model3D(world = Object3D(feature = Scene()), body = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.05, Iyy = 0.09, Izz = 0.07))),
    first = CylindricalWithFlanges(obj1 = :world, obj2 = :body), second = CylindricalWithFlanges(obj1 = :world, obj2 = :body)), unitless = true)
simulate!(m, stopTime = 1.0)
