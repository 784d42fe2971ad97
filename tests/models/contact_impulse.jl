# ImpulseResponse: exact for one contact, on free bodies and on joints; slow and several contacts go over to forces.
using Modia3D
include("$(Modia.modelsPath)/AllModels.jl")
using Test

Modia3D.loadPalettes!(contactPairMaterialPalette = "contact_impulse.txt")
touching(shape, name) = Solid(shape = shape, solidMaterial = "Steel", contactMaterial = name, collision = true)
ground(name) = Object3D(parent = :world, translation = [0.0, -0.1, 0.0],
                        feature = touching(Box(lengthX = 40.0, lengthY = 0.2, lengthZ = 4.0), name))
free(name, r; v = [0.0, 0.0, 0.0], w = [0.0, 0.0, 0.0], d = 0.2) =
    Object3D(parent = :world, fixedToParent = false, translation = r, velocity = v, angularVelocity = w,
             feature = touching(Sphere(diameter = d), name))
empty_world() = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true))
R, g = 0.1, 9.81
m = 8000.0*4/3*pi*R^3
I = 2/5*m*R^2
count(model, name) = Modia3D.contactStatistics(model)[name]
function run(Scene_; stop, tolerance = 1e-9, points = 1000, options...)
    model = @instantiateModel(Scene_, unitless = true)
    simulate!(model, stopTime = stop, tolerance = tolerance, interval = stop/points; options...)
    return model
end
# All energy is accounted for, at every point.
function closes(model)
    total = getValues(model, "balance.totalEnergy") + getValues(model, "balance.dissipatedEnergy") - getValues(model, "balance.suppliedEnergy")
    return maximum(total) - minimum(total) < 1e-7*maximum(abs.(getValues(model, "balance.totalEnergy")))
end

# ---- a ball that bounces (thesis 7.2) ------------------------------------------------------------------------------------

h = 1.0
Drop = Model3D(world = Object3D(feature = Scene(balance = true)), floor = ground("Hard"), ball = free("Hard", [0.0, h + R, 0.0]))
drop = run(Drop, stop = 2.0)
t, y = getValues(drop, "time"), getValues(drop, "ball.translation")[:, 2]
function height(t)
    v = sqrt(2*g*h)
    lands = v/g
    t < lands && return h - g/2*t^2
    while true
        v = 0.7*v
        t - lands < 2*v/g && return v*(t - lands) - g/2*(t - lands)^2
        lands += 2*v/g
    end
end
@test maximum(abs.(y - [height(x) + R for x in t])) < 1e-7
@test count(drop, :impulses) == 4 && count(drop, :yielded) == 0
@test closes(drop)
# With any method and tolerance; impacts are events, so large steps lead to the same numbers.
for method in [CVODE_Adams(), Tsit5(), IDA()]
    model = @instantiateModel(Drop, unitless = true)
    simulate!(model, method, stopTime = 2.0, tolerance = 1e-6)
    @test abs(getValues(model, "ball.translation")[end, 2] - height(2.0) - R) < 1e-4
end
# Until it is slower than vsmall: then it stays down, elastically.
rests = run(Drop, stop = 4.0)
@test count(rests, :yielded) == 1 && abs(getValues(rests, "ball.velocity")[end, 2]) < 1e-3
n = ceil(log(0.01/sqrt(2*g*h))/log(0.7)) # impacts faster than vsmall
@test count(rests, :impulses) == n

# ---- one ball, no gravity -------------------------------------------------------------------------------------------------

function bounce(name, v, w)
    model = run(Model3D(world = empty_world(), floor = ground(name), ball = free(name, [0.0, 0.2, 0.0], v = v, w = w)), stop = 0.2)
    @test count(model, :impulses) == 1 && closes(model)
    return getValues(model, "ball.velocity")[end, :], getValues(model, "ball.angularVelocity")[end, :]
end
for speed in [0.6, 10.0, 300.0]
    v, w = bounce("Hard", [0.0, -speed, 0.0], [1.0, 2.0, 3.0])
    @test norm(v - [0.0, 0.7*speed, 0.0]) < 1e-12*speed && norm(w - [1.0, 2.0, 3.0]) < 1e-8
    v, w = bounce("Super", [0.5, -speed, 0.0], [0.0, 0.0, 0.0])
    @test norm(v - [0.5, speed, 0.0]) < 1e-12*speed
end
# It slides through the impact: mu (1 + e) m v_n across, against the sliding of the point of contact v - w R.
v, w = bounce("Slip", [3.0, -2.0, 4.0], [0.0, 0.0, 0.0])
@test norm(v - [3.0 - 0.6*0.2*1.5*2, 1.0, 4.0 - 0.8*0.2*1.5*2]) < 1e-11
@test norm(w - m*R/I*0.2*1.5*2*[0.8, 0.0, -0.6]) < 1e-8
# It rolls after the impact: 2/7 of the momentum of sliding.
v, w = bounce("Grip", [2.1, -4.0, 0.0], [0.0, 0.0, 0.0])
@test norm(v - [2.1*5/7, 2.0, 0.0]) < 1e-11 && abs(w[3] + v[1]/R) < 1e-9

# ---- two balls ---------------------------------------------------------------------------------------------------------------

Pair = Model3D(world = empty_world(), a = free("Hard", [0.0, 0.0, 0.0], v = [3.0, 0.0, 0.0]),
               b = free("Hard", [1.0, 0.12, 0.0], d = 0.3, v = [-1.0, 0.0, 0.0]))
pair = run(Pair, stop = 1.0)
ma, mb = m, m*1.5^3
va, vb = getValues(pair, "a.velocity")[end, :], getValues(pair, "b.velocity")[end, :]
@test norm(ma*va + mb*vb - [3*ma - mb, 0.0, 0.0]) < 1e-10*ma
line = [sqrt(0.25^2 - 0.12^2), 0.12, 0.0]/0.25
@test abs(dot(vb - va, line) - 0.7*dot([4.0, 0.0, 0.0], line)) < 1e-9 && closes(pair)
@test maximum(abs.(getValues(pair, "balance.angularMomentum")[end, :] - getValues(pair, "balance.angularMomentum")[1, :])) < 1e-9

# ---- on joints ---------------------------------------------------------------------------------------------------------------

# A ball hits the ball at the end of a pendulum from the side: angular momentum about the pivot is kept, the relative speed is 0.7
# of that before. The pendulum has the moment of inertia J, and m l of the ball's mass.
l = 0.5
arm(joint; options...) = Model3D(
    world = empty_world(),
    arm = Object3D(), rod = Object3D(parent = :arm, translation = [0.0, -l, 0.0], feature = touching(Sphere(diameter = 0.2), "Hard")),
    joint = joint, ball = free("Hard", [-1.0, -l, 0.0], v = [2.0, 0.0, 0.0]); options...)
J = I + m*l^2
function after_hit(J)
    # J w + m l u = m l 2, l w - u = 0.7*2
    w = m*l*2*1.7/(J + m*l^2)
    return w, l*w - 1.4
end
function hits(Scene_, J; path = "")
    model = run(Scene_, stop = 0.6)
    w, u = after_hit(J)
    @test abs(getValues(model, "$(path)joint.w")[end] - w) < 1e-9
    @test abs(getValues(model, "$(path)ball.velocity")[end, 1] - u) < 1e-9
    @test count(model, :impulses) == 1 && count(model, :yielded) == 0
    return model
end
@test closes(hits(arm(Revolute(obj1 = :world, obj2 = :arm, axis = 3)), J))
# The joint may be turned around, and its velocity be measured the other way.
@test closes(hits(arm(Revolute(obj1 = :arm, obj2 = :world, axis = -3)), J))
# The inertia of a rotor behind a gear adds to that of the arm, while torques that are known do not matter.
Drive = Model(flange = Flange, torque = UnitlessTorque,
              rotor = Inertia | Map(J = 2e-2, phi = Var(init = nothing), w = Var(init = nothing)), gear = IdealGear | Map(ratio = 10.0),
              equations = :[torque.tau = 0.0],
              connect = :[(torque.flange, rotor.flange_a); (rotor.flange_b, gear.flange_a); (gear.flange_b, flange)])
driven_arm = arm(RevoluteWithFlange(obj1 = :world, obj2 = :arm, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0)))
Driven = Model(robot = driven_arm, drive = Drive, connect = :[(drive.flange, robot.joint.flange)])
hits(Driven, J + 100*2e-2, path = "robot.")

Turned = Drive | Map(rotor = Map(phi = Var(init = 0.0), w = Var(init = 0.0)))
turned_arm = arm(RevoluteWithFlange(obj1 = :world, obj2 = :arm, axis = 3, phi = Var(init = nothing), w = Var(init = nothing)))
hits(Model(robot = turned_arm, drive = Turned, connect = :[(drive.flange, robot.joint.flange)]), J + 100*2e-2, path = "robot.")

# A joint that is led is as heavy as the world, also where others beside it are not.
Held = Model(flange = Flange, equations = :[flange.phi = 0.0])
held = run(Model(robot = turned_arm, hold = Held, connect = :[(hold.flange, robot.joint.flange)]), stop = 0.6)
@test count(held, :impulses) == 1 && count(held, :yielded) == 0
@test abs(getValues(held, "robot.ball.velocity")[end, 1] + 2*0.7) < 1e-9
# One that moves gives energy in the instant, and the balance closes: 3 m/s against a plate that comes with 1 m/s leaves with
# 1 + 0.7*4 m/s.
Paddle = Model3D(world = empty_world(), plate = Object3D(feature = touching(Box(lengthX = 2.0, lengthY = 0.2, lengthZ = 2.0), "Hard")),
                 lead = PrescribedMotion(obj1 = :world, obj2 = :plate, r = Var()), equations = :[lead.r = [0.0, -0.5 + time, 0.0]],
                 ball = free("Hard", [0.0, 0.5, 0.0], v = [0.0, -3.0, 0.0]))
paddle = run(Paddle, stop = 0.4)
@test count(paddle, :impulses) == 1 && closes(paddle)
@test abs(getValues(paddle, "ball.velocity")[end, 2] - 3.8) < 1e-8
# Two balls on one such plate do not feel each other, and neither does the one that rests there already.
Both = Paddle | Map(other = free("Hard", [0.7, 0.5, 0.0], v = [0.0, -3.0, 0.0]), rests = free("Hard", [-0.7, -0.3, 0.0], v = [0.0, 1.0, 0.0]))
both = run(Both, stop = 0.4)
@test count(both, :impulses) == 2 && closes(both)
@test abs(getValues(both, "ball.velocity")[end, 2] - 3.8) < 1e-8 && abs(getValues(both, "other.velocity")[end, 2] - 3.8) < 1e-8
# An arm on a sledge that is led: momentum goes through the arm, and not into the sledge. By the law of the arm alone, seen from there.
Sledge = Model3D(world = empty_world(), sledge = Object3D(), arm = Object3D(),
                 rod = Object3D(parent = :arm, translation = [0.0, -l, 0.0], feature = touching(Sphere(diameter = 0.2), "Hard")),
                 lead = PrescribedMotion(obj1 = :world, obj2 = :sledge, r = Var()), equations = :[lead.r = [0.5*time, 0.0, 0.0]],
                 joint = Revolute(obj1 = :sledge, obj2 = :arm, axis = 3), ball = free("Hard", [-1.0, -l, 0.0], v = [2.5, 0.0, 0.0]))
sledge = run(Sledge, stop = 0.6)
w, u = after_hit(J)
@test count(sledge, :impulses) == 1 && closes(sledge)
@test abs(getValues(sledge, "joint.w")[end] - w) < 1e-8 && abs(getValues(sledge, "ball.velocity")[end, 1] - u - 0.5) < 1e-8
# A run that begins with an impact.
first = run(Model3D(world = empty_world(), floor = ground("Hard"), ball = free("Hard", [0.0, 0.1, 0.0], v = [0.0, -2.0, 0.0])), stop = 0.2)
@test count(first, :impulses) == 1 && count(first, :yielded) == 0 && closes(first)
@test abs(getValues(first, "ball.velocity")[end, 2] - 1.4) < 1e-9

# A chain: momentum goes through the joints. Two bars in a line, hit across at the end, against the equations of motion.
bar = Solid(shape = Box(lengthX = 1.0, lengthY = 0.1, lengthZ = 0.1), massProperties = MassProperties(mass = 3.0, Ixx = 0.1, Iyy = 0.25, Izz = 0.25))
Chain = Model3D(
    world = empty_world(), a = Object3D(feature = bar), a1 = Object3D(parent = :a, translation = [-0.5, 0.0, 0.0]),
    a2 = Object3D(parent = :a, translation = [0.5, 0.0, 0.0]), b = Object3D(feature = bar), b1 = Object3D(parent = :b, translation = [-0.5, 0.0, 0.0]),
    tip = Object3D(parent = :b, translation = [0.5, 0.0, 0.0], feature = Solid(shape = Sphere(diameter = 0.2), solidMaterial = "Steel",
                                                                             massProperties = MassProperties(mass = 0.0), contactMaterial = "Hard", collision = true)),
    first = Revolute(obj1 = :world, obj2 = :a1, axis = 3), second = Revolute(obj1 = :a2, obj2 = :b1, axis = 3),
    ball = free("Hard", [2.0, 1.0, 0.0], v = [0.0, -4.0, 0.0]))
chain = run(Chain, stop = 0.5)
@test count(chain, :impulses) == 1 && closes(chain)
k = findfirst(x -> x != 0.0, getValues(chain, "first.w"))
# M dw = transpose([2 1]) p for the tip at 2 m, in relative angles; p = 1.7*4/(1/m + [2 1] M^-1 [2; 1]).
M = [2*0.25 + 3*0.25 + 3*2.25 0.25 + 3*0.75; 0.25 + 3*0.75 0.25 + 3*0.25]
x = M\[2.0, 1.0]
p = 1.7*4/(1/m + 2*x[1] + x[2])
@test abs(getValues(chain, "first.w")[k] + p*x[1]) < 1e-9 && abs(getValues(chain, "second.w")[k] + p*x[2]) < 1e-9

# Free motion as a joint of the equations, and a free object on one that moves.
Joint = Model3D(world = empty_world(), floor = ground("Grip"), ball = Object3D(feature = touching(Sphere(diameter = 0.2), "Grip")),
                joint = FreeMotion(obj1 = :world, obj2 = :ball, r = Var(init = [0.0, 0.2, 0.0]), v = Var(init = [2.1, -4.0, 0.0])))
joint = run(Joint, stop = 0.2)
@test count(joint, :impulses) == 1 && norm(getValues(joint, "joint.v")[end, :] - [1.5, 2.0, 0.0]) < 1e-10
@test abs(getValues(joint, "joint.w")[end, 3] + 15.0) < 1e-8

# ---- what is no single fast contact -----------------------------------------------------------------------------------------------

# Two balls on top of each other: the lower one lies on the floor when the other one comes.
Row = Model3D(world = Object3D(feature = Scene(balance = true)), floor = ground("Hard"), low = free("Hard", [0.0, 0.1, 0.0]),
              high = free("Hard", [0.0, 0.5, 0.0]))
row = run(Row, stop = sqrt(2*0.2/g) + 1e-4)
@test count(row, :impulses) == 0 && count(row, :yielded) == 2 && count(row, :begun) == 2 && closes(row)
# One ball that hits two at once.
Split = Model3D(world = empty_world(), a = free("Hard", [1.0, 0.11, 0.0]), b = free("Hard", [1.0, -0.11, 0.0]),
                cue = free("Hard", [0.0, 0.0, 0.0], v = [2.0, 0.0, 0.0]))
split = run(Split, stop = 1.0)
@test count(split, :yielded) >= 1 && closes(split)
@test abs(getValues(split, "a.velocity")[end, 2] + getValues(split, "b.velocity")[end, 2]) < 1e-6
# Without restitution it stays, and the law of forces carries it.
Dead = Model3D(world = Object3D(feature = Scene(balance = true)), floor = ground("Dead"), ball = free("Dead", [0.0, 0.3, 0.0]))
dead = run(Dead, stop = 1.0)
@test count(dead, :impulses) == 1 && getValues(dead, "contacts.number")[end] == 1
@test abs(getValues(dead, "ball.translation")[end, 2] - R) < 1e-5 && closes(dead)
# Slower than vsmall.
slow = run(Model3D(world = empty_world(), floor = ground("Hard"), ball = free("Hard", [0.0, 0.101, 0.0], v = [0.0, -0.009, 0.0])), stop = 0.3)
@test count(slow, :impulses) == 0 && count(slow, :yielded) == 1
# A force against acceleration is inertia that the impulse would not know, whether a function or an equation gives it; one that sees
# velocities only does not matter. The ball with twice its mass leaves with what the law makes of 0.7.
Virtual = Model3D(world = empty_world(), floor = ground("Hard"), ball = free("Hard", [0.0, 0.2, 0.0], v = [0.0, -1.0, 0.0]))
heavier(; time, objectApply, objectCoord) = -m*Modia3D.measFrameTransAcceleration(objectApply)
by_function = run(Virtual | Map(drag = WorldForce(objectApply = :ball, forceFunction = heavier)), stop = 0.2)
by_equation = run(Virtual | Map(drag = WorldForce(objectApply = :ball), factor = m, equations = :[drag.force = -factor*ball.a_abs]), stop = 0.2)
for model in [by_function, by_equation]
    @test count(model, :impulses) == 0 && count(model, :yielded) == 1
    @test abs(getValues(model, "ball.velocity")[end, 2] - 0.68318) < 1e-4
end
slowed = run(Virtual | Map(drag = WorldForce(objectApply = :ball), factor = 1e-9, equations = :[drag.force = -factor*ball.v_abs]), stop = 0.2)
@test count(slowed, :impulses) == 1 && abs(getValues(slowed, "ball.velocity")[end, 2] - 0.7) < 1e-8
