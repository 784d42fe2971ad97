using Modia3D
using Test
using Modia3D

Acting(program; parts...) = Model3D(; parts...,
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = :[now = executeActions(actions)])
signal(m, name) = getValues(m, name, unit = false)
last(m, name) = getLastValue(m, name, unit = false)


ball = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true)
plate = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 1.0), solidMaterial = "Steel", collision = true)

rest(actions) = begin
    ActionWait(actions, 1.0)
    ActionAttach(actions, "lock", "spot"; enableContactDetection = false)
    ActionWait(actions, 0.5)
    ActionRelease(actions, "lock")
end
Lying = Acting(rest;
    world = Object3D(feature = Scene(gap = 0.01, balance = true)),
    ground = Object3D(parent = :world, translation = [0.0, -0.05, 0.0], feature = plate),
    spot = Object3D(parent = :world, lockable = true, translation = [0.0, 0.05, 0.0]),
    ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.0, 0.0501, 0.0], feature = ball),
    lock = Object3D(parent = :ball, lockable = true),
    touch = ContactResult(object1 = :ground, object2 = :ball))
lying = @instantiateModel(Lying, unitless = true)
simulate!(lying, stopTime = 0.01, tolerance = 1e-8, interval = 0.01)
times, height, force = signal(lying, "time"), signal(lying, "ball.r_abs")[:, 2], signal(lying, "touch.normalForce")
weight = 8000.0*pi/6.0*0.1^3*9.81
lies = findall(t -> t > 0.9, times)
@test maximum(abs.(height[lies] .- height[lies[1]])) < 1e-12
for row in findall(t -> 0.9 < t < 1.0 || t > 1.5 + 1e-9, times)   # it carries its weight
    @test isapprox(force[row], weight, rtol = 1e-6)
end
for row in findall(t -> 1.0 + 1e-9 < t < 1.5 - 1e-9, times)       # and is carried
    @test force[row] == 0.0
end
energy = signal(lying, "balance.springEnergy")
@test energy[findlast(t -> t < 1.0, times)] > 1e-5
@test energy[findlast(t -> t < 1.4, times)] == 0.0

through(actions) = begin
    ActionAttach(actions, "lock", "spot")
    ActionWait(actions, 0.2)
    ActionRelease(actions, "lock"; enableContactDetection = false)
end
falling = @instantiateModel(Lying | Model(actions = ModelActions(world = :world, actions = through)), unitless = true)
simulate!(falling, stopTime = 0.01, tolerance = 1e-8)
@test isapprox(last(falling, "ball.r_abs")[2], 0.0501 - 9.81*0.8^2/2, rtol = 1e-8)
held = @instantiateModel(Lying | Model(actions = ModelActions(world = :world, actions = a -> (ActionAttach(a, "lock", "spot"); ActionWait(a, 0.2);
                                                                                       ActionRelease(a, "lock")))), unitless = true)
simulate!(held, stopTime = 0.01, tolerance = 1e-8)
@test isapprox(last(held, "ball.r_abs")[2], height[end], atol = 1e-9)

hit(actions) = begin
    ActionAttach(actions, "lock", "seat")
    ActionWait(actions, 0.4)
    ActionRelease(actions, "lock")
end
Sled = Acting(hit;
    world = Object3D(feature = Scene(gravityField = NoGravityField(), gap = 1e-6, balance = true)),
    sled = Object3D(feature = Solid(shape = Box(lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2), solidMaterial = "Steel", collision = true)),
    seat = Object3D(parent = :sled, lockable = true, translation = [0.1499999, 0.0, 0.0]),
    slide = Prismatic(obj1 = :world, obj2 = :sled, axis = 1),
    ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.1499999, 0.0, 0.0], feature = ball),
    lock = Object3D(parent = :ball, lockable = true),
    other = Object3D(parent = :world, fixedToParent = false, translation = [0.5, 0.0, 0.0], velocity = [-1.0, 0.0, 0.0], feature = ball))
sled = @instantiateModel(Sled, unitless = true)
simulate!(sled, stopTime = 0.01, tolerance = 1e-9)
m = 8000.0*pi/6.0*0.1^3
M = 8000.0*0.2^3 + m
row = findlast(t -> t < 0.39, signal(sled, "time"))
u, v = signal(sled, "other.velocity")[row, 1], signal(sled, "slide.v")[row]
@test isapprox(M*v + m*u, -m, rtol = 1e-7)
@test isapprox(u - v, 0.7, atol = 0.02)
@test isapprox(last(sled, "slide.v"), v, atol = 3e-5)
@test isapprox(last(sled, "ball.velocity"), [v, 0.0, 0.0], atol = 3e-4)
@test isapprox((M - m)*last(sled, "slide.v") + m*last(sled, "ball.velocity")[1], M*v, rtol = 1e-7)
