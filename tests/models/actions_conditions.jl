# Actions that wait for a condition happen where closed forms say: distance, contact, load of a connection, force of an
# element, a variable of the equations; and a run that waits is the run that knew the time.
using Modia3D
using Test
include("$(Modia3D.modelsPath)/AllModels.jl")

lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))
weightless = Object3D(feature = Scene(gravityField = NoGravityField()))
signal(m, name) = getValues(m, name, unit = false)
last(m, name) = getLastValue(m, name, unit = false)
# When a signal begins to exist.
begins(m, name) = signal(m, "time")[findfirst(x -> !ismissing(x), signal(m, name)[:, 1])]
Acting(program; conditions = :[now = executeActions(actions)], parts...) = Model3D(; parts...,
    actions = ModelActions(world = :world, actions = program),
    now = Var(hideResult = true),
    equations = conditions)
run(model, stop; tolerance = 1e-8) = begin
    m = @instantiateModel(model, unitless = true)
    simulate!(m, stopTime = stop, tolerance = tolerance)
    m
end
# What is released tells when the condition held.
witness = (mark = Object3D(parent = :world, assemblyRoot = true, feature = lump(1.0)), markLock = Object3D(parent = :mark, lockable = true))

# A body passes the origin at a distance of 0.3 m: 2 m away, within 0.5 m, and again 1 m away.
flyby(condition) = run(Acting(a -> (condition(a); ActionRelease(a, "markLock")); world = weightless,
    table = Object3D(parent = :world), witness...,
    box = Object3D(parent = :world, fixedToParent = false, feature = lump(2.0), translation = [-2.0, 0.3, 0.0], velocity = [1.6, 0.0, 0.0])), 3.0)
near = flyby(a -> ActionWaitUntil(a, "box", "table"; closer = 0.5u"m"))
@test isapprox(begins(near, "mark.translation"), (2.0 - 0.4)/1.6, rtol = 1e-9)
away = flyby(a -> (ActionWaitUntil(a, "box", "table"; closer = 0.5); ActionWaitUntil(a, "table", "box"; farther = 1.0)))
@test isapprox(begins(away, "mark.translation"), (2.0 + sqrt(1.0 - 0.09))/1.6, rtol = 1e-9)
# A limit that is reached for a thousandth of a second, within what would be one step.
brief = flyby(a -> ActionWaitUntil(a, "box", "table"; closer = 0.300001))
@test isapprox(begins(brief, "mark.translation"), (2.0 - sqrt(0.300001^2 - 0.09))/1.6, rtol = 1e-6)
# What holds already is not waited for.
at_once = flyby(a -> ActionWaitUntil(a, "box", "table"; farther = 1.0))
@test begins(at_once, "mark.translation") == 0.0
# Conditions in a row that hold at the same event.
in_a_row = flyby(a -> (ActionWaitUntil(a, "box", "table"; closer = 0.5); ActionWaitUntil(a, "box", "table"; closer = 1.0)))
@test begins(in_a_row, "mark.translation") == begins(near, "mark.translation")
# What never comes is told, and nothing happens.
never = flyby(a -> ActionWaitUntil(a, "box", "table"; closer = 0.29))
@test !hasSignal(never, "mark.translation")

# A ball falls on a plate: it is gone when they touch. Closed form up to the smoothing of the box and the tolerance.
ball(program) = run(Acting(program;
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), enableContactDetection = true)), witness...,
    plate = Object3D(parent = :world, translation = [0.0, 0.0, -0.05],
                     feature = Solid(shape = Box(lengthX = 1.0, lengthY = 1.0, lengthZ = 0.1), solidMaterial = "Steel", collision = true)),
    ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.0, 0.0, 1.1],
                    feature = Solid(shape = Sphere(diameter = 0.2), solidMaterial = "Steel", collision = true)),
    ballLock = Object3D(parent = :ball, lockable = true)), 1.0)
dropped = ball(a -> (ActionWaitUntil(a, "ball", "plate"; contact = true); ActionDelete(a, "ballLock")))
touched = signal(dropped, "time")[findlast(x -> !ismissing(x), signal(dropped, "ball.translation")[:, 1])]
@test isapprox(touched, sqrt(2.0/9.81), rtol = 1e-6)
bounced = ball(a -> begin
    ActionWaitUntil(a, "ball", "plate"; contact = true)
    ActionWaitUntil(a, "plate", "ball"; contact = false)
    ActionRelease(a, "markLock")
end)
left = begins(bounced, "mark.translation")
@test sqrt(2.0/9.81) < left < sqrt(2.0/9.81) + 1e-3
@test signal(bounced, "ball.velocity")[findlast(x -> x <= left, signal(bounced, "time")), 3] > 0.0

# A wheel is spun up; a part at radius r breaks off when its connection bears too much. With alpha constant,
# F^2 = (m r alpha)^2 + (m r alpha^2 t^2)^2. The torque of the motor is chosen for this alpha.
(m, r, alpha, limit) = (0.5, 0.4, 3.0, 5.0)
breaking = sqrt(sqrt((limit/(m*r))^2 - alpha^2))/alpha
Spin(program, joint; parts...) = Acting(program;
    world = weightless,
    wheel = Object3D(feature = Solid(massProperties = MassProperties(mass = 4.0, Ixx = 1.0, Iyy = 1.0, Izz = 2.0))),
    part = Object3D(parent = :wheel, assemblyRoot = true, translation = [r, 0.0, 0.0],
                    feature = Solid(massProperties = MassProperties(mass = m, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),
    partLock = Object3D(parent = :part, lockable = true),
    rev = joint, parts...)
torque = (2.0 + 0.01 + m*r^2)*alpha
snap(a) = (ActionWaitUntil(a, "partLock"; force = limit*u"N"); ActionRelease(a, "partLock"))
# The joint with a flange, whose acceleration the equations know, and one without, driven by a torque on the wheel.
driven = run(Spin(snap, RevoluteWithFlange(obj1 = :world, obj2 = :wheel, axis = 3); motor = UnitlessTorque) |
    Model(equations = :[motor.tau = $torque], connect = :[(motor.flange, rev.flange)]), 2.5)
pushed = run(Spin(snap, Revolute(obj1 = :world, obj2 = :wheel, axis = 3);
    push = WorldTorque(objectApply = :wheel, torqueFunction = (; args...) -> [0.0, 0.0, torque])), 2.5)
planned = run(Spin(a -> (ActionWait(a, breaking); ActionRelease(a, "partLock")), Revolute(obj1 = :world, obj2 = :wheel, axis = 3);
    push = WorldTorque(objectApply = :wheel, torqueFunction = (; args...) -> [0.0, 0.0, torque])), 2.5)
for wheel in [driven, pushed]
    @test isapprox(begins(wheel, "part.translation"), breaking, rtol = 1e-8)
    @test isapprox(last(wheel, "part.r_abs"), last(planned, "part.r_abs"), rtol = 1e-6)
    @test isapprox(last(wheel, "rev.phi"), last(planned, "rev.phi"), rtol = 1e-7)
    # It left along the tangent.
    (angle, w) = (alpha*breaking^2/2, alpha*breaking)
    @test isapprox(last(wheel, "part.velocity"), w*r*[-sin(angle), cos(angle), 0.0], rtol = 1e-6)
end
# The torque that the connection bears, about the origin of the part: I alpha, from the beginning.
twisted = run(Spin(a -> (ActionWaitUntil(a, "partLock"; torque = 0.029u"N*m"); ActionRelease(a, "partLock")),
    Revolute(obj1 = :world, obj2 = :wheel, axis = 3);
    push = WorldTorque(objectApply = :wheel, torqueFunction = (; args...) -> [0.0, 0.0, torque])), 0.5)
@test begins(twisted, "part.translation") == 0.0
held = run(Spin(a -> (ActionWaitUntil(a, "partLock"; torque = 0.031); ActionRelease(a, "partLock")),
    Revolute(obj1 = :world, obj2 = :wheel, axis = 3);
    push = WorldTorque(objectApply = :wheel, torqueFunction = (; args...) -> [0.0, 0.0, torque])), 0.5)
@test !hasSignal(held, "part.translation")

# A spring of 100 N/m with 1 kg, pulled out by 0.1 m: |F| = 10 |cos(10 t)| falls and comes back to 5 N.
swing = run(Acting(a -> (ActionWait(a, 0.12); ActionWaitUntil(a, "spring"; force = 5.0); ActionRelease(a, "markLock"));
    world = weightless, witness...,
    fixed = Object3D(parent = :world, translation = [-1.0, 0.0, 0.0]),
    mass = Object3D(feature = lump(1.0)),
    guide = Prismatic(obj1 = :world, obj2 = :mass, axis = 1, s = Var(init = 0.1), v = Var(init = 0.0)),
    spring = SpringDamperPtP(obj1 = :fixed, obj2 = :mass, nominalLength = 1.0, springForceLaw = 100.0)), 1.0)
@test isapprox(begins(swing, "mark.translation"), acos(-0.5)/10.0, rtol = 1e-6)

# A clutch: two wheels slip with dry friction; where their speeds meet, the model says so itself. One wheel begins with 10 rad/s,
# the other at rest; friction of 2 N m slows down one and speeds up the other: they meet after 10/(2/0.5 + 2/1.5) s.
Slip = Acting(a -> (ActionWaitUntil(a, 2); ActionRelease(a, "markLock")); world = weightless, witness...,
    w1 = Var(init = 10.0), w2 = Var(init = 0.0),
    conditions = :[0.5*der(w1) = -2.0
                   1.5*der(w2) = 2.0
                   now = executeActions(actions, w1 > 100.0, w2 >= w1)])
slip = run(Slip, 2.5)
@test isapprox(begins(slip, "mark.translation"), 10.0/(2.0/0.5 + 2.0/1.5), rtol = 1e-9)
