# Parts of the library that are given what they cannot be.

## points of a table that fall
#status 2
#says error[E0309]: the points x of a table must not fall; x[3] = 1.0 is below 2.0
using Modia
include("$(Modia.modelsPath)/Sources.jl")
Ramp3 = Model(t = Table | Map(table_x = [0.0, 2.0, 1.0], table_y = [0.0, 1.0, 2.0]), equations = :[t.u = time/u"s"])
m = @instantiateModel(Ramp3)

## a way to interpolate that there is none of
#status 2
#says error[E0309]: smoothness is "constant", "linear", "spline" or "monotone", not "cubic"
using Modia
include("$(Modia.modelsPath)/Sources.jl")
m = @instantiateModel(Model(t = TimeTable | Map(smoothness = "cubic")))

## more zeros than poles
#status 2
#says error[E0309]: a transfer function needs a denominator of degree 1 or more
using Modia
include("$(Modia.modelsPath)/Control.jl")
m = @instantiateModel(Model(t = TransferFunction | Map(b = [1.0, 2.0, 3.0]), equations = :[t.u = 1.0]))

## a part without the file that it is in
#status 2
#says error[E0301]: 'SecondOrder' is not defined; it comes with: include("$(Modia.modelsPath)/Control.jl")
using Modia
m = @instantiateModel(Model(s = SecondOrder))

## what is shared stands behind what uses it
#status 0
#says warning[E0502]: 'surroundings' is that of the script here, since the one of the model stands further down; put it before what uses it
#says note: this one is not used there
using Modia3D
include("$(Modia3D.modelsPath)/Mechanics3D.jl")
Pendulum = Model3D(world = World(), arm = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.5, 0.0, 0.0], Ixx = 0.1, Iyy = 0.1, Izz = 0.1))), rev = Revolute(obj1 = :world, obj2 = :arm))
m = @instantiateModel(Pendulum | Map(surroundings = surroundings | Map(g = 1.62)), unitless = true)

## a delay far shorter than the run
#status 0
#says warning[E0722]: no step is longer than the shortest delay, 1e-08 s, so that this run takes 1.0e+08 steps or more
using Modia
include("$(Modia.modelsPath)/Control.jl")
m = @instantiateModel(Model(d = Delay | Map(T = 1.0e-8u"s"), x = Var(init = 1.0), equations = :[d.u = x; der(x) = -d.y/u"s"; terminate(time > 1.0e-7u"s", "enough")]))
simulate!(m, stopTime = 1.0)
