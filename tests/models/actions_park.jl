# Assemblies that are parked have no states and touch nothing, weigh on what carries them, and wake with the motion of the
# carrier or a given one: closed forms, and twins that were attached or free all the time.
using Modia3D
using Test
include("scenes/acting.jl")

lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m))
weightless = Object3D(feature = Scene(gravityField = NoGravityField()))
falling = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1])))
run(model, stop) = begin
    m = @instantiateModel(model, unitless = true)
    simulate!(m, stopTime = stop, tolerance = 1e-9)
    m
end
at(m, t) = findlast(x -> x <= t + 1e-12, signal(m, "time"))

# On the world: it stands still where it is, however it moved, and then begins from rest, or as told.
Falling(wake) = run(Acting(a -> begin
        ActionWait(a, 0.2)
        ActionPark(a, "stoneLock")
        ActionWait(a, 0.3)
        wake(a)
    end; world = falling,
    stone = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.0, 0.0, 5.0], rotation = [0.3, 0.2, 0.1],
                     velocity = [1.0, 0.0, 0.0], angularVelocity = [0.0, 1.0, 0.0], feature = lump(2.0)),
    stoneLock = Object3D(parent = :stone, lockable = true)), 1.0)
rest = Falling(a -> ActionWake(a, "stoneLock"))
place = [0.2, 0.0, 5.0 - 9.81*0.2^2/2]
@test isapprox(signal(rest, "stone.r_abs")[at(rest, 0.4), :], place, rtol = 1e-9)
@test all(ismissing.(signal(rest, "stone.translation")[at(rest, 0.4), :]))
@test signal(rest, "stone.rot123_abs")[at(rest, 0.22), :] == signal(rest, "stone.rot123_abs")[at(rest, 0.48), :]
@test isapprox(last(rest, "stone.r_abs"), place - [0.0, 0.0, 9.81*0.5^2/2], rtol = 1e-7)
@test isapprox(last(rest, "stone.angularVelocity"), zeros(3), atol = 1e-12)
thrown = Falling(a -> ActionWake(a, "stoneLock"; velocity = [3.0, -1.0, 2.0]u"m/s", angularVelocity = [0.0, 0.0, 0.0]))
@test isapprox(last(thrown, "stone.r_abs"), place + 0.5*[3.0, -1.0, 2.0] - [0.0, 0.0, 9.81*0.5^2/2], rtol = 1e-7)
spun = Falling(a -> ActionWake(a, "stoneLock"; angularVelocity = [0.4, 0.5, 0.6]))
woken = at(spun, 0.5)
@test isapprox(signal(spun, "stone.angularVelocity")[woken, :], [0.4, 0.5, 0.6], rtol = 1e-12)
@test isapprox(signal(spun, "stone.velocity")[woken, :], zeros(3), atol = 1e-12)

# Angular velocity that is a state in the object.
inside = run(Acting(a -> (ActionPark(a, "topLock"); ActionWake(a, "topLock"; angularVelocity = [0.4, 0.5, 0.6])); world = weightless,
    top = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, rotation = [0.3, 0.2, 0.1],
                   angularVelocityResolvedInParent = false, feature = lump(1.0)),
    topLock = Object3D(parent = :top, lockable = true), seen = SensorResult(object = :top)), 0.1)
@test isapprox(signal(inside, "seen.angularVelocity")[end, :], [0.4, 0.5, 0.6], rtol = 0.1)
@test isapprox(signal(inside, "seen.angularVelocity")[findfirst(x -> x > 0.0, signal(inside, "time")) - 1, :], [0.4, 0.5, 0.6], rtol = 1e-9)

# On a wheel: its mass slows the wheel down as if it had been fixed there, and it leaves along the tangent.
Wheel(program, cargo) = Acting(program; world = weightless,
    wheel = Object3D(feature = lump(4.0)),
    seat = Object3D(parent = :wheel, lockable = true, translation = [0.3, 0.0, 0.0]),
    cargo = cargo, cargoLock = Object3D(parent = :cargo, lockable = true),
    rev = Revolute(obj1 = :world, obj2 = :wheel, axis = 3, w = Var(init = 2.0)),
    push = WorldTorque(objectApply = :wheel, torqueFunction = (; args...) -> [0.0, 0.0, 0.5]))
loose = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.5, 0.1, 0.2], feature = lump(1.0))
fixed = Object3D(parent = :wheel, assemblyRoot = true, translation = [0.5, 0.1, 0.2], feature = lump(1.0))
parked = run(Wheel(a -> (ActionPark(a, "cargoLock", "seat"; impulse = false); ActionWait(a, 0.7); ActionWake(a, "cargoLock")), loose), 1.2)
carried = run(Wheel(a -> (ActionWait(a, 0.7); ActionRelease(a, "cargoLock")), fixed), 1.2)
inertia = 4.0*0.15 + 1.0*0.15 + 0.5^2 + 0.1^2
@test isapprox(signal(parked, "rev.w")[at(parked, 0.6)], 2.0 + 0.5/inertia*signal(parked, "time")[at(parked, 0.6)], rtol = 1e-8)
for name in ["cargo.r_abs", "cargo.rot123_abs", "cargo.velocity", "cargo.angularVelocity"]
    @test isapprox(last(parked, name), last(carried, name), rtol = 1e-7)
end
@test isapprox(last(parked, "rev.phi"), last(carried, "rev.phi"), rtol = 1e-8)

# What was free on its parent stays with it, and what is attached to what parks, parks with it.
Ferry(program) = run(Acting(program; world = weightless,
    ferry = Object3D(parent = :world, fixedToParent = false, feature = lump(10.0), velocity = [1.0, 0.0, 0.0], angularVelocity = [0.0, 0.0, 0.8]),
    car = Object3D(parent = :ferry, fixedToParent = false, assemblyRoot = true, translation = [0.0, 2.0, 0.0], feature = lump(1.0)),
    carLock = Object3D(parent = :car, lockable = true),
    box = Object3D(parent = :car, assemblyRoot = true, translation = [0.0, 0.0, 1.0], feature = lump(0.5)),
    boxLock = Object3D(parent = :box, lockable = true)), 2.0)
across = Ferry(a -> ActionPark(a, "carLock"))
away(m) = norm(last(m, "car.r_abs") - last(m, "ferry.r_abs"))
@test isapprox(away(across), 2.0, rtol = 1e-9)
@test isapprox(norm(last(across, "box.r_abs") - last(across, "car.r_abs")), 1.0, rtol = 1e-9)
@test all(ismissing.(signal(across, "car.translation")[at(across, 1.0), :]))
together = Ferry(a -> (ActionPark(a, "carLock"); ActionWait(a, 1.0); ActionRelease(a, "boxLock"); ActionWait(a, 0.5); ActionWake(a, "carLock")))
@test all(ismissing.(signal(together, "car.translation")[at(together, 1.2), :])) && !ismissing(last(together, "car.translation")[1])

# Nothing touches what is parked: a ball falls through one on its way, and hits it once it is awake.
Drop(program) = run(Acting(program; world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), enableContactDetection = true)),
    low = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.0, 0.0, 1.0],
                   feature = Solid(shape = Sphere(diameter = 0.2), solidMaterial = "Steel", collision = true)),
    lowLock = Object3D(parent = :low, lockable = true),
    high = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.0, 2.0],
                    feature = Solid(shape = Sphere(diameter = 0.2), solidMaterial = "Steel", collision = true)),
    apart = DistanceResult(object1 = :low, object2 = :high)), 0.6)
through = Drop(a -> ActionPark(a, "lowLock"))
@test isapprox(last(through, "high.r_abs"), [0.0, 0.0, 2.0 - 9.81*0.36/2], atol = 1e-8)
@test last(through, "apart.distance") > 0.5      # distances are still measured
hit = Drop(a -> (ActionPark(a, "lowLock"); ActionWait(a, 0.2); ActionWake(a, "lowLock")))
@test last(hit, "low.velocity")[3] < last(hit, "high.velocity")[3]
# Momentum of the two: what fell until the wake, and then both of them.
@test isapprox(last(hit, "low.velocity")[3] + last(hit, "high.velocity")[3], -9.81*(0.6 + 0.4), rtol = 1e-7)
