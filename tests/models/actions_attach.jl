# Numbers of attaching, re-attaching and deleting: masses and inertias are put together anew, springs and joints feel them
# at once, and what is deleted pulls on nothing any more.
using Modia3D
using Test
include("scenes/acting.jl")

lump(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.1*m, Iyy = 0.2*m, Izz = 0.15*m, Ixy = 0.03*m, Iyz = -0.02*m,
                                                centerOfMass = [0.05, 0.02, -0.03]))
none(actions) = ActionWait(actions, 1.0)

# Two free bodies that move as one are attached: what results is the body that a twin declares, and turns as that does.
r0, v0, w0, turned = [0.3, -0.2, 0.5], [0.4, 0.1, -0.3], [0.7, -1.1, 0.6], [0.4, 0.9, -0.5]
free(place, angles, mass) = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = place, rotation = angles,
                                     velocity = v0 + cross(w0, place), angularVelocity = w0, feature = lump(mass))
Pair(program, second) = Acting(program;
    world = Object3D(feature = Scene(gap = 1e-9, balance = true)),
    first = free([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 2.0),
    depot = Object3D(parent = :first, lockable = true, translation = r0),
    second = second,
    lock = Object3D(parent = :second, lockable = true))
pair = @instantiateModel(Pair(a -> ActionAttach(a, "lock", "depot"), free(r0, turned, 3.0)), unitless = true)
twin = @instantiateModel(Pair(none, Object3D(parent = :first, translation = r0, rotation = turned, feature = lump(3.0))), unitless = true)
for m in [pair, twin]
    simulate!(m, stopTime = 1.0, tolerance = 1e-10, interval = 0.1)
end
for name in ["first.translation", "first.velocity", "first.rotation", "first.angularVelocity", "second.r_abs", "second.rot123_abs"]
    @test isapprox(last(pair, name), last(twin, name), atol = 1e-9)
end
# Momentum and energy: over the change they stay.
for name in ["momentum", "angularMomentum", "kineticEnergy", "potentialEnergy"]
    x = getValues(pair, "balance.$name", unit = false)
    x = reshape(x, size(x, 1), :)
    @test isapprox(x[1, :], x[2, :], rtol = 1e-12)
end

# A body is handed on from one arm to another where they meet, while both turn: each arm has its load from the
# beginning, or gets it, or loses it. The arms are driven to turn steadily, so the torques follow from closed forms:
# inertia about the axis times an acceleration that is given.
alpha = 0.8
Arm(load) = Model(
    bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.2, Iyy = 0.2, Izz = 0.3))),
    grip = Object3D(parent = :bar, lockable = true, translation = [load, 0.0, 0.0]))
hand(actions) = begin
    ActionAttach(actions, "lock", "left.grip")
    ActionWait(actions, 0.5)
    ActionReleaseAndAttach(actions, "lock", "right.grip")
    ActionWait(actions, 0.5)
    ActionDelete(actions, "lock")
end
# Left about the world's axis, right about an axis at 1.5; they meet at 0.6 on the line between the two at t = 0.5, when both
# stand still for an instant, and go on.
Handing = Acting(hand;
    world = Object3D(feature = Scene(gap = 1e-6)),
    axle = Object3D(parent = :world, translation = [1.5, 0.0, 0.0]),
    left = Arm(0.6),
    right = Arm(-0.9),
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :(left.bar), axis = 3, phi = Var(init = nothing), w = Var(init = nothing)),
    rev2 = RevoluteWithFlange(obj1 = :axle, obj2 = :(right.bar), axis = 3, phi = Var(init = nothing), w = Var(init = nothing)),
    load = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.6*cos(0.1), 0.6*sin(0.1), 0.0],
                    rotation = [0.0, 0.0, 0.1], velocity = -0.4*0.6*[-sin(0.1), cos(0.1), 0.0], angularVelocity = [0.0, 0.0, -0.4],
                    feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.05, Iyy = 0.05, Izz = 0.07))),
    lock = Object3D(parent = :load, lockable = true)) |
    Model(equations = :[rev1.phi = 0.4*(time - 0.5)^2
                        rev2.phi = -0.4*(time - 0.5)^2])
handing = @instantiateModel(Handing, unitless = true)
simulate!(handing, stopTime = 1.5, tolerance = 1e-8, interval = 0.25)
# Torque of a flange at a stored row: acceleration, and the weight of the load (gravity along -y).
tau(name, row) = getValues(handing, name * ".flange.tau", unit = false)[row]
weight(arm, row) = 2.0*9.81*arm*cos(getValues(handing, arm > 0 ? "rev1.phi" : "rev2.phi", unit = false)[row])
function near(t, last)
    times = getValues(handing, "time", unit = false)
    last ? findlast(x -> isapprox(x, t, atol = 1e-9), times) : findfirst(x -> isapprox(x, t, atol = 1e-9), times)
end
Iload(arm) = 0.07 + 2.0*arm^2
for t in [0.0, 0.25, 0.5]
    row = t == 0.0 ? near(t, true) : near(t, false)
    @test isapprox(tau("rev1", row), (0.3 + Iload(0.6))*alpha + weight(0.6, row), rtol = 1e-9)
    @test isapprox(tau("rev2", row), -0.3*alpha, rtol = 1e-9)
end
for t in [0.5, 0.75, 1.0]
    row = t == 0.5 ? near(t, true) : near(t, false)
    @test isapprox(tau("rev1", row), 0.3*alpha, rtol = 1e-9)
    @test isapprox(tau("rev2", row), -(0.3 + Iload(0.9))*alpha + weight(-0.9, row), rtol = 1e-9)
end
for row in [near(1.0, true), near(1.5, false)]
    @test isapprox(tau("rev1", row), 0.3*alpha, rtol = 1e-9)
    @test isapprox(tau("rev2", row), -0.3*alpha, rtol = 1e-9)
end
@test ismissing(getValues(handing, "load.r_abs")[end, 1])

# A mass that is taken off a spring: a box on a slider oscillates about where its spring carries both, then about where it
# carries one. What is deleted is gone for a world force on it and a sensor that looks at it, too.
c, m1, m2 = 200.0, 3.0, 2.0
drop(actions) = begin
    ActionWait(actions, 0.5)
    ActionDelete(actions, "lock")
end
Hanging = Acting(drop;
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [-1, 0, 0]), balance = true)),
    box = Object3D(feature = Solid(massProperties = MassProperties(mass = m1, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    slide = Prismatic(obj1 = :world, obj2 = :box, axis = 1, s = Var(init = -m1*9.81/c)),
    spring = SpringDamperPtP(obj1 = :world, obj2 = :box, nominalLength = 0.0, springForceLaw = c),
    load = Object3D(parent = :box, assemblyRoot = true, translation = [0.2, 0.0, 0.0],
                    feature = Solid(massProperties = MassProperties(mass = m2, Ixx = 1.0, Iyy = 1.0, Izz = 1.0))),
    lock = Object3D(parent = :load, lockable = true),
    push = WorldForce(objectApply = :load, forceFunction = (; time, objectApply, objectCoord) -> [-4.0, 0.0, 0.0]),
    seen = SensorResult(object = :load))
hanging = @instantiateModel(Hanging, unitless = true)
simulate!(hanging, stopTime = 1.0, tolerance = 1e-10, interval = 0.1)
swing(m, force, s, v, t) = (mid = -(m*9.81 + force)/c; w = sqrt(c/m); (mid + (s - mid)*cos(w*t) + v/w*sin(w*t), v*cos(w*t) - w*(s - mid)*sin(w*t)))
(s1, v1) = swing(m1 + m2, 4.0, -m1*9.81/c, 0.0, 0.5)
(s2, v2) = swing(m1, 0.0, s1, v1, 0.5)
@test isapprox(last(hanging, "slide.s"), s2, atol = 1e-8)
@test isapprox(last(hanging, "slide.v"), v2, atol = 1e-7)
@test ismissing(getValues(hanging, "seen.translation")[end, 1])
@test ismissing(getValues(hanging, "push.forceVector")[end, 1])
