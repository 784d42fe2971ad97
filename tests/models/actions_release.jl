# What is released goes on as it moved: velocity and angular velocity to rounding at the event, closed forms after it.
using Modia3D
using Test
include("scenes/acting.jl")

top = MassProperties(mass = 2.0, Ixx = 0.3, Iyy = 0.3, Izz = 0.1)      # round about its own z

# Thrown off an arm that turns about three axes and slides out, the top falls as a point and turns as a free symmetric
# body does: angular momentum L stays in the world, its axis goes around L with |L|/I1, and spin about it stays.
throw(a) = begin
    ActionWait(a, 0.7)
    ActionRelease(a, "lock")
end
Thrower = Acting(throw;
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    column = Object3D(feature = Solid(massProperties = MassProperties(mass = 5.0, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    boom = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.2, Iyy = 0.3, Izz = 0.4))),
    sled = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    rev1 = Revolute(obj1 = :world, obj2 = :column, axis = 3, w = Var(init = 2.0)),
    rev2 = Revolute(obj1 = :column, obj2 = :boom, axis = 1, w = Var(init = -1.0)),
    slide = Prismatic(obj1 = :boom, obj2 = :sled, axis = 1, s = Var(init = 0.4), v = Var(init = 0.3)),
    top = Object3D(parent = :sled, assemblyRoot = true, translation = [0.5, 0.2, -0.1], rotation = [0.4, -0.3, 0.9],
                   feature = Solid(massProperties = top)),
    lock = Object3D(parent = :top, lockable = true),
    seen = SensorResult(object = :top))
thrower = @instantiateModel(Thrower, unitless = true)
simulate!(thrower, stopTime = 1.5, tolerance = 1e-10)
# The two stored points of the event: the last one of the first segment and the first one of the next.
function around(m, t)
    after = findlast(x -> x <= t + 1e-12, signal(m, "time"))
    @test isapprox(signal(m, "time")[after - 1], t, atol = 1e-12)
    return after - 1, after
end
(before, after) = around(thrower, 0.7)
for name in ["seen.translation", "seen.velocity", "seen.angularVelocity", "top.r_abs", "top.rot123_abs"]
    @test isapprox(signal(thrower, name)[before, :], signal(thrower, name)[after, :], rtol = 1e-13)
end
for name in ["rev1.phi", "rev1.w", "rev2.phi", "rev2.w", "slide.s", "slide.v"]
    @test signal(thrower, name)[before] == signal(thrower, name)[after]
end
T = 0.8
r0, v0, w0 = [signal(thrower, "seen." * name)[before, :] for name in ["translation", "velocity", "angularVelocity"]]
@test isapprox(last(thrower, "top.r_abs"), r0 + v0*T + [0.0, 0.0, -9.81*T^2/2], rtol = 1e-8)
@test isapprox(last(thrower, "top.velocity"), v0 + [0.0, 0.0, -9.81*T], rtol = 1e-8)
attitude(angles) = Modia3D.rot123(angles[1], angles[2], angles[3])'          # from the body to the world
R0, R1 = attitude(signal(thrower, "top.rot123_abs")[before, :]), attitude(last(thrower, "top.rot123_abs"))
L = R0*([0.3, 0.3, 0.1] .* (R0'*w0))
e0 = R0[:, 3]
turned(n, angle, x) = x*cos(angle) + cross(n, x)*sin(angle) + n*sum(n .* x)*(1.0 - cos(angle))
e1 = turned(L/norm(L), norm(L)*T/0.3, e0)
@test isapprox(R1[:, 3], e1, atol = 1e-7)
@test isapprox(last(thrower, "top.angularVelocity"), L/0.3 + sum(L .* e0)*(1.0/0.1 - 1.0/0.3)*e1, rtol = 1e-7)

# Nested: A is attached to B, B to C, which turns about a fixed axis; then they are released in one order or the other.
# All lie in the plane of turning, so what is released goes on turning steadily while its center flies straight, and C
# keeps its speed.
lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.02*m, Iyy = 0.02*m, Izz = 0.02*m))
w = 1.5
speed(r) = cross([0.0, 0.0, w], r)
rA, rB = [0.6, 0.3, 0.0], [0.4, -0.2, 0.0]
rideOn(place, mass) = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = place, velocity = speed(place),
                               angularVelocity = [0.0, 0.0, w], feature = lump(mass))
Nested(program) = Acting(program;
    world = Object3D(feature = Scene(gravityField = NoGravityField(), gap = 1e-6)),
    c = Object3D(feature = lump(30.0)),
    toB = Object3D(parent = :c, lockable = true, translation = rB, rotation = [0.0, 0.5, 0.2]),
    b = rideOn(rB, 2.0),
    bLock = Object3D(parent = :b, lockable = true),
    toA = Object3D(parent = :b, lockable = true, translation = rA - rB),
    a = rideOn(rA, 1.0),
    aLock = Object3D(parent = :a, lockable = true),
    rev = Revolute(obj1 = :world, obj2 = :c, axis = 3, w = Var(init = w)))
onC(r, t) = [cos(w*t)*r[1] - sin(w*t)*r[2], sin(w*t)*r[1] + cos(w*t)*r[2], r[3]]
# Released at t0 with what it stands on at r0 of its own: the center flies straight, all else turns about it.
flies(r, center, t0, t) = onC(center, t0) + speed(onC(center, t0))*(t - t0) + onC(r - center, t)
both = (2.0*rB + 1.0*rA)/3.0

outer(actions) = begin
    ActionAttach(actions, "aLock", "toA")
    ActionAttach(actions, "bLock", "toB")
    ActionWait(actions, 0.4)
    ActionRelease(actions, "aLock")          # the outer one first
    ActionWait(actions, 0.3)
    ActionRelease(actions, "bLock")
end
inner(actions) = begin
    ActionAttach(actions, "bLock", "toB")    # and in the other order
    ActionAttach(actions, "aLock", "toA")
    ActionWait(actions, 0.4)
    ActionRelease(actions, "bLock")          # a goes with it
    ActionWait(actions, 0.3)
    ActionRelease(actions, "aLock")
end
counts(m) = [length(filter(!ismissing, getValues(m, name)[:, 1])) for name in ["a.translation", "b.translation"]]
m = @instantiateModel(Nested(outer), unitless = true)
simulate!(m, stopTime = 1.0, tolerance = 1e-10)
@test isapprox(last(m, "a.r_abs"), flies(rA, rA, 0.4, 1.0), atol = 1e-8)
@test isapprox(last(m, "b.r_abs"), flies(rB, rB, 0.7, 1.0), atol = 1e-8)
@test isapprox(last(m, "rev.phi"), w*1.0, atol = 1e-8)
@test isapprox(last(m, "a.angularVelocity"), [0.0, 0.0, w], atol = 1e-9)

m = @instantiateModel(Nested(inner), unitless = true)
simulate!(m, stopTime = 0.7, tolerance = 1e-10)
@test isapprox(last(m, "a.r_abs"), flies(rA, both, 0.4, 0.7), atol = 1e-8)
@test isapprox(last(m, "b.r_abs"), flies(rB, both, 0.4, 0.7), atol = 1e-8)
va, vb = speed(onC(both, 0.4)) + speed(onC(rA - both, 0.7)), speed(onC(both, 0.4)) + speed(onC(rB - both, 0.7))
ra, rb = last(m, "a.r_abs"), last(m, "b.r_abs")
simulate!(m, stopTime = 1.0, tolerance = 1e-10)
@test isapprox(last(m, "a.r_abs"), ra + 0.3*va, atol = 1e-8)
@test isapprox(last(m, "b.r_abs"), rb + 0.3*vb, atol = 1e-8)
@test length(get_xNames(m)) == 26
