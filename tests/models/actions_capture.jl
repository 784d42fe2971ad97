# Attaching with an impulse: momentum and angular momentum stay to rounding, joint speeds jump as closed forms say, the world
# takes what it takes, and the energy that is lost is told.
using Modia3D
using Test
include("scenes/acting.jl")
include("$(Modia3D.modelsPath)/AllModels.jl")

solid(m, I) = Solid(massProperties = MassProperties(mass = m, Ixx = I[1], Iyy = I[2], Izz = I[3]))
lump(m) = solid(m, [0.1*m, 0.2*m, 0.15*m])
weightless = Object3D(feature = Scene(gravityField = NoGravityField(), gap = 10.0, balance = true))
run(model, stop = 1.0; tolerance = 1e-9) = begin
    m = @instantiateModel(model, unitless = true)
    simulate!(m, stopTime = stop, tolerance = tolerance)
    m
end
catch_it(t) = a -> (ActionWait(a, t); ActionAttach(a, "stoneLock", "hand"; impulse = true))
stone(m; parts...) = (stone = Object3D(; parent = :world, fixedToParent = false, assemblyRoot = true, feature = lump(m), parts...),
                      stoneLock = Object3D(parent = :stone, lockable = true))

# Two bodies on a line: v = (m1 v1 + m2 v2)/(m1 + m2), and the energy of their relative motion is lost.
line = run(Acting(catch_it(0.5); world = weightless, stone(2.0, velocity = [3.0, 0.0, 0.0], translation = [-1.5, 0.0, 0.0])...,
    cart = Object3D(parent = :world, fixedToParent = false, feature = lump(4.0), velocity = [-0.6, 0.0, 0.0]),
    hand = Object3D(parent = :cart, lockable = true)))
v = (2.0*3.0 - 4.0*0.6)/6.0
@test isapprox(last(line, "cart.velocity"), [v, 0.0, 0.0], atol = 1e-12)
@test isapprox(last(line, "actions.energyLoss"), 0.5*(2.0*4.0/6.0)*3.6^2, rtol = 1e-12)
@test isapprox(last(line, "actions.impulse"), [2.0*(v - 3.0), 0.0, 0.0], atol = 1e-12)
@test signal(line, "actions.energyLoss")[1] == 0.0

# Anything: bodies on joints on a free ship, away from each other and turning. Before and behind, to rounding.
Ship(program; extra...) = Acting(program; world = weightless,
    stone(3.0, translation = [1.0, -0.5, 0.2], velocity = [0.0, 1.0, 0.3], rotation = [0.3, 0.1, 0.5], angularVelocity = [0.7, -0.2, 1.0])...,
    ship = Object3D(parent = :world, fixedToParent = false, feature = lump(10.0), angularVelocity = [0.1, 0.2, 0.3]),
    upper = Object3D(feature = lump(2.0)), upperEnd = Object3D(parent = :upper, translation = [0.5, 0.1, 0.0]),
    lower = Object3D(feature = lump(1.0)), hand = Object3D(parent = :lower, lockable = true, translation = [0.6, 0.0, 0.1]),
    shoulder = Revolute(obj1 = :ship, obj2 = :upper, axis = 3, w = Var(init = 0.5)),
    elbow = Prismatic(obj1 = :upperEnd, obj2 = :lower, axis = 2, v = Var(init = -0.4)), extra...)
caught = run(Ship(catch_it(0.5)))
event = findfirst(signal(caught, "time") .>= 0.5 - 1e-12)
(before, after) = (event, event + 1)
@test signal(caught, "time")[before] == signal(caught, "time")[after]
for name in ["balance.momentum", "balance.angularMomentum"]
    @test isapprox(signal(caught, name)[before, :], signal(caught, name)[after, :], rtol = 1e-12)
end
lost = signal(caught, "balance.kineticEnergy")[before] - signal(caught, "balance.kineticEnergy")[after]
@test isapprox(lost, last(caught, "actions.energyLoss"), rtol = 1e-10) && lost > 0.1
for name in ["shoulder.w", "elbow.v"]
    @test abs(signal(caught, name)[before] - signal(caught, name)[after]) > 0.01
end
for name in ["shoulder.phi", "elbow.s", "stone.r_abs"]
    @test isapprox(signal(caught, name)[before, :], signal(caught, name)[after, :], rtol = 1e-13)
end
start = signal(caught, "balance.momentum")[1, :]
# At the start, and right behind a release, it is the same.
at_once = run(Ship(a -> ActionAttach(a, "stoneLock", "hand"; impulse = true)), 0.2)
@test isapprox(signal(at_once, "balance.momentum")[end, :], start, rtol = 1e-8)
@test last(at_once, "actions.energyLoss") > 0.1
again = run(Ship(a -> (ActionWait(a, 0.2); ActionAttach(a, "stoneLock", "hand"; impulse = true); ActionWait(a, 0.2); ActionRelease(a, "stoneLock");
                       ActionAttach(a, "stoneLock", "hand"; impulse = true))), 0.6)
@test isapprox(last(again, "actions.energyLoss"), 0.0, atol = 1e-12)
@test isapprox(last(again, "balance.momentum"), start, rtol = 1e-8)
# Twice the same run gives the same impulse.
simulate!(caught, stopTime = 1.0, tolerance = 1e-9)
@test isapprox(last(caught, "actions.energyLoss"), lost, rtol = 1e-9)

# A swinging door of inertia J about its hinge catches a ball at radius r: w = (J w0 + m r v)/(J + m r^2). The hinge takes the
# rest, and so momentum of the whole is not kept. The drive of the door has a flange, and a rotor behind a gear weighs n^2 J.
(J, r, m, w0, speed) = (1.2, 0.8, 0.5, 0.3, 2.0)
Door(joint; parts...) = Acting(catch_it(0.25); world = weightless,
    door = Object3D(feature = solid(3.0, [J, J, J])), hand = Object3D(parent = :door, lockable = true, translation = [r, 0.0, 0.0]),
    hinge = joint, ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.0, 0.0, 0.0], velocity = [0.0, speed, 0.0],
                                   feature = solid(m, [1e-9, 1e-9, 1e-9])),
    stoneLock = Object3D(parent = :ball, lockable = true), parts...)
struck(door) = begin
    at = findlast(signal(door, "time") .<= 0.25 + 1e-12)
    place = signal(door, "ball.r_abs")[at, :]
    # Moments about the hinge.
    (w0*J + m*(place[1]*speed))/(J + m*sum(place .^ 2))
end
hinge(w) = Revolute(obj1 = :world, obj2 = :door, axis = 3, w = Var(init = w))
free_door = run(Door(hinge(w0)), 0.5)
@test isapprox(last(free_door, "hinge.w"), struck(free_door), rtol = 1e-7)
Geared = Door(RevoluteWithFlange(obj1 = :world, obj2 = :door, axis = 3); rotor = Inertia | Map(J = 0.01), idle = UnitlessTorque, gear = IdealGear | Map(ratio = 10.0)) |
    Model(equations = :[idle.tau = 0.0], connect = :[(idle.flange, rotor.flange_a); (rotor.flange_b, gear.flange_a); (gear.flange_b, hinge.flange)])
geared = run(Geared, 0.5)
place = signal(geared, "ball.r_abs")[findlast(signal(geared, "time") .<= 0.25 + 1e-12), :]
@test isapprox(last(geared, "hinge.w"), m*place[1]*speed/(J + 0.01*10.0^2 + m*sum(place .^ 2)), rtol = 1e-7, atol = 1e-12)

# The world takes all of it: m v, and the angular momentum about the lock.
wall = run(Acting(a -> (ActionWait(a, 0.5); ActionAttach(a, "edge", "hook"; impulse = true)); world = weightless,
    hook = Object3D(parent = :world, lockable = true),
    plank = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, feature = solid(2.0, [0.3, 0.4, 0.5]), velocity = [0.0, 1.5, 0.0],
                     angularVelocity = [0.0, 0.0, 0.9]),
    edge = Object3D(parent = :plank, lockable = true, translation = [0.2, 0.0, 0.0])))
arm = -0.2*[cos(0.45), sin(0.45), 0.0]         # from the lock to the center
@test isapprox(last(wall, "actions.impulse"), [0.0, -3.0, 0.0], atol = 1e-8)
@test isapprox(last(wall, "actions.angularImpulse"), [0.0, 0.0, -0.5*0.9] - cross(arm, [0.0, 3.0, 0.0]), atol = 1e-8)
@test isapprox(last(wall, "actions.energyLoss"), 0.5*2.0*1.5^2 + 0.5*0.5*0.9^2, rtol = 1e-8)
@test last(wall, "plank.r_abs") == signal(wall, "plank.r_abs")[findlast(signal(wall, "time") .<= 0.6), :]
