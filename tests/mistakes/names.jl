# Names that are not there, and names that mean something else.

## a library component without its file
#status 2
#says case01.jl:5:15: error[E0301]: 'Resistor' is not defined; it comes with: include("$(Modia.modelsPath)/Electric.jl")
using Modia
M = Model(R = Resistor)

## a component of mechanics
#status 2
#says error[E0301]: 'Inertia' is not defined; it comes with: include("$(Modia.modelsPath)/Rotational.jl")
using Modia
M = Model(J = Inertia)

## a macro without its package
#status 2
#says error[E0301]: '@instantiateModel' is not defined; it comes with: using Modia
m = @instantiateModel(Model(x = 1.0))

## a parameter that is computed from another one
#status 2
#says error[E0301]: 'a' is not defined; what is computed from other keys is written b = Par(value = :(2 * a))
using Modia
M = Model(a = 1.0, b = 2*a, x = Var(init = 1.0), equations = :[der(x) = -b*x])

## the component itself
#status 2
#says error[E0301]: 'world' is not defined; to name the component 'world', write :world
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), b = Object3D(parent = world))

## a quantity without its quotes
#status 2
#says error[E0301]: 'mm' is not defined; a quantity is written 10u"mm"
L = 10mm

## the same with a unit of another system
#status 2
#says error[E0301]: 'kOhm' is not defined; a quantity is written 10u"kΩ"
R = 10kOhm

## a unit of another system, with a prefix
#status 2
#says error[E0306]: 'kOhm' is not a unit; did you mean 'kΩ'?
R = 3.0u"kOhm"

## a solver of another program
#status 2
#says error[E0301]: 'ode45' is not defined; solvers are CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), DP8() and others (docs/solvers.md)
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(m, ode45, stopTime = 1.0)

## a solver that is not called
#status 2
#says error[E0306]: a solver is made by a call: simulate!(model, Tsit5(), ...)
using Modia
m = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(m, Tsit5, stopTime = 1.0)

## a joint that is not there
#status 2
#says error[E0301]: 'Hinge' is not defined; joints are Revolute, Prismatic, Cylindrical, Planar, Helical, Spherical, Universal, Fix, many of them also WithFlange, and Rod, which closes loops;
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), b = Object3D(), j = Hinge(obj1 = :world, obj2 = :b))

## a shape that is not there
#status 2
#says error[E0301]: 'Cube' is not defined; shapes are Box, Sphere, Ellipsoid, Cylinder, Cone, Capsule, Beam, FileMesh and others (docs/shapes.md)
using Modia3D
b = Object3D(feature = Solid(shape = Cube(length = 1.0)))

## a mass without moment of inertia about its joint
#status 2
#says error[E0904]: 'b' has a mass, but no moment of inertia about the axis of the joint that turns it; give it one (Ixx, Iyy, Izz of MassProperties), or a shape
using Modia3D
M = Model3D(world = Object3D(feature = Scene()), b = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0))),
    j = Revolute(obj1 = :world, obj2 = :b))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 1.0)

## a wrong Solid, and a ContactResult that needs it: said once
#status 2
#says error[E0907]: Box of Solid of Object3D 'ground': lengthX must be finite and not negative
using Modia3D
M = Model3D(world = Object3D(feature = Scene(enableContactDetection = true)),
    ground = Object3D(parent = :world, feature = Solid(shape = Box(lengthX = -1.0), solidMaterial = "Steel", collision = true)),
    ball = Object3D(parent = :world, fixedToParent = false, feature = Solid(shape = Sphere(), solidMaterial = "Steel", collision = true)),
    c = ContactResult(object1 = :ground, object2 = :ball))
m = @instantiateModel(M, unitless = true)
simulate!(m, stopTime = 0.1)
