# Attaching with an impulse where speeds cannot jump.

## joints whose drives depend on each other
#status 7
#says error[E0920]: ActionAttach at time = 0.5 s: there is no impulse that ends the motion of 'stone' relative to 'hand': the drives of its joints are a system of equations
using Modia3D
lump = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.1, Iyy = 0.2, Izz = 0.15))
include("$(Modia3D.modelsPath)/AllModels.jl")
Geared = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), gap = 10.0)),
    arm = Object3D(feature = lump), hand = Object3D(parent = :arm, lockable = true, translation = [0.6, 0.0, 0.0]),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :arm, axis = 3, phi = Var(init = nothing), w = Var(init = nothing)),
    wheel = Object3D(feature = lump), turn = RevoluteWithFlange(obj1 = :world, obj2 = :wheel, axis = 3), gear = IdealGear | Map(ratio = 2.0),
    connect = :[(turn.flange, gear.flange_a); (gear.flange_b, rev.flange)],
    stone = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump, velocity = [0.3, 1.0, 0.3]),
    stoneLock = Object3D(parent = :stone, lockable = true),
    actions = ModelActions(world = :world, actions = a -> (ActionWait(a, 0.5); ActionAttach(a, "stoneLock", "hand"; impulse = true))),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)])
geared = @instantiateModel(Geared, unitless = true)
simulate!(geared, stopTime = 1.0)

## what an assembly bears beside a closed loop
#status 2
#says error[E0920]: ActionWaitUntil: what 'tipLock' bears is not known in a part with closed loops
using Modia3D
bar = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
Bars = Model3D(
    world = Object3D(feature = Scene()),
    foot = Object3D(parent = :world, translation = [1.0, 0.0, 0.0]),
    a = Object3D(feature = bar), aEnd = Object3D(parent = :a, translation = [0.0, 1.0, 0.0]),
    b = Object3D(feature = bar), bEnd = Object3D(parent = :b, translation = [1.0, 0.0, 0.0]),
    c = Object3D(feature = bar), cEnd = Object3D(parent = :c, translation = [0.0, 1.0, 0.0]),
    rev1 = Revolute(obj1 = :world, obj2 = :a), rev2 = Revolute(obj1 = :aEnd, obj2 = :b), rev3 = Revolute(obj1 = :foot, obj2 = :c),
    rev4 = Revolute(obj1 = :bEnd, obj2 = :cEnd),
    tip = Object3D(parent = :bEnd, assemblyRoot = true, feature = bar), tipLock = Object3D(parent = :tip, lockable = true),
    actions = ModelActions(world = :world, actions = a -> (ActionWaitUntil(a, "tipLock"; force = 3.0); ActionRelease(a, "tipLock"))),
    now = Var(hideResult = true), equations = :[now = executeActions(actions)])
bars = @instantiateModel(Bars, unitless = true)
simulate!(bars, stopTime = 1.0)
