# Joints with several coordinates in a tree, on a base that turns: each against the same motion on hinges and slides in a row or on another
# formulation, from both sides, with other solvers, and against closed forms.
using Modia3D
using Test

off(x, y) = maximum(abs.(x .- y))
g = 9.81
solid = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.3, 0.0, 0.1], Ixx = 0.05, Iyy = 0.09, Izz = 0.07))
scene = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]), enableContactDetection = false))
base = Object3D(feature = Solid(massProperties = MassProperties(mass = 3.0, centerOfMass = [0.0, 0.1, -0.2], Ixx = 0.2, Iyy = 0.3, Izz = 0.3)))
on(parts) = Model3D(world = scene, base = base, body = Object3D(feature = solid),
    tip1 = Object3D(parent = :body, translation = [1.0, 0.0, 0.0]), tip2 = Object3D(parent = :body, translation = [0.0, 1.0, 0.0]),
    hinge = Revolute(obj1 = :world, obj2 = :base, axis = 1, w = Var(init = 1.0))) | parts
function run(model; stop = 2.0, solver = DP8(), tolerance = 1e-11)
    m = @instantiateModel(model, unitless = true)
    simulate!(m, solver, stopTime = stop, tolerance = tolerance)
    return m
end
last(m, name) = getValues(m, name)[end, :]
same(a, b) = maximum([off(last(a, n), last(b, n)) for n in ["body.r_abs", "tip1.r_abs", "tip2.r_abs"]])
at(x) = Var(init = x)
skew = [0.36, 0.48, 0.8]

# Cylindrical
row = run(on(Model(a = Object3D(), slide = Prismatic(obj1 = :base, obj2 = :a, axis = skew, s = at(0.2), v = at(0.7)),
    turn = Revolute(obj1 = :a, obj2 = :body, axis = skew, phi = at(0.4), w = at(2.0)))))
one = run(on(Model(joint = Cylindrical(obj1 = :base, obj2 = :body, axis = skew, s = at(0.2), v = at(0.7), phi = at(0.4), w = at(2.0)))))
turned = run(on(Model(joint = Cylindrical(obj1 = :body, obj2 = :base, axis = skew, s = at(-0.2), v = at(-0.7), phi = at(-0.4), w = at(-2.0)))))
@test same(row, one) < 1e-12 && same(one, turned) < 1e-9
@test off(getValues(row, "slide.v"), getValues(one, "joint.v")) < 1e-12 && off(getValues(row, "turn.phi"), getValues(one, "joint.phi")) < 1e-12
@test off(last(turned, "joint.s"), -last(one, "joint.s")) < 1e-9 && off(last(turned, "joint.phi"), -last(one, "joint.phi")) < 1e-9

# Planar: axis 2 is followed by 3 and 1.
row = run(on(Model(a = Object3D(), b = Object3D(), x = Prismatic(obj1 = :base, obj2 = :a, axis = 3, s = at(0.1), v = at(0.3)),
    y = Prismatic(obj1 = :a, obj2 = :b, axis = 1, s = at(-0.3), v = at(0.2)), turn = Revolute(obj1 = :b, obj2 = :body, axis = 2, phi = at(0.4), w = at(2.0)))))
one = run(on(Model(joint = Planar(obj1 = :base, obj2 = :body, axis = 2, s1 = at(0.1), v1 = at(0.3), s2 = at(-0.3), v2 = at(0.2), phi = at(0.4), w = at(2.0)))))
@test same(row, one) < 1e-12
@test off(getValues(row, "y.s"), getValues(one, "joint.s2")) < 1e-12 && off(getValues(row, "turn.w"), getValues(one, "joint.w")) < 1e-12
# Free in the plane, seen from the body: a straight line, that turns with it.
glide = run(Model3D(world = scene, body = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    joint = Planar(obj1 = :body, obj2 = :world, axis = 2, v1 = at(1.0), w = at(3.0))))
@test off(last(glide, "body.r_abs"), [-2.0*sin(0.0), 0.0, -2.0]) < 1e-9 && off(last(glide, "joint.phi"), 6.0) < 1e-9

# Helical: against a loop of the same thread and a sleeve, right- and left-handed, and its closed form.
for pitch in [0.2, -0.05]
    lead = pitch/(2*pi)
    one = run(on(Model(joint = Helical(obj1 = :base, obj2 = :body, axis = 2, pitch = pitch, phi = at(0.4), w = at(2.0)))))
    turned = run(on(Model(joint = Helical(obj1 = :body, obj2 = :base, axis = 2, pitch = pitch, phi = at(-0.4), w = at(-2.0)))))
    loop = run(on(Model(sleeve = Cylindrical(obj1 = :base, obj2 = :body, axis = 2, s = at(0.4*lead), v = at(2.0*lead), phi = at(0.4), w = at(2.0)),
        joint = Helical(obj1 = :base, obj2 = :body, axis = 2, pitch = pitch))))
    @test same(one, turned) < 1e-9 && same(one, loop) < 1e-9
    @test off(getValues(one, "joint.phi"), getValues(loop, "sleeve.phi")) < 1e-9
    nut = run(Model3D(world = scene, nut = Object3D(feature = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 0.01, Iyy = 2e-4, Izz = 0.01))),
        joint = Helical(obj1 = :world, obj2 = :nut, axis = 2, pitch = pitch)))
    a = 0.5*g/(0.5 + 2e-4/lead^2)
    @test off(getValues(nut, "nut.r_abs")[:, 2], -0.5*a*getValues(nut, "time").^2) < 1e-9
    @test off(getValues(nut, "joint.phi")*lead, -0.5*a*getValues(nut, "time").^2) < 1e-9
end

# Universal: against two hinges, from both sides, and through all angles.
row = run(on(Model(cross = Object3D(), x = Revolute(obj1 = :base, obj2 = :cross, axis = 3, phi = at(0.4), w = at(5.0)),
    y = Revolute(obj1 = :cross, obj2 = :body, axis = [1.0, 1.0, 0.0], phi = at(-0.2), w = at(9.0)))))
one = run(on(Model(joint = Universal(obj1 = :base, obj2 = :body, axis1 = 3, axis2 = [1.0, 1.0, 0.0], phi1 = at(0.4), w1 = at(5.0), phi2 = at(-0.2), w2 = at(9.0)))))
turned = run(on(Model(joint = Universal(obj1 = :body, obj2 = :base, axis1 = [1.0, 1.0, 0.0], axis2 = 3, phi1 = at(0.2), w1 = at(-9.0), phi2 = at(-0.4), w2 = at(-5.0)))))
@test same(row, one) < 1e-12 && same(one, turned) < 1e-8
@test off(getValues(row, "x.phi"), getValues(one, "joint.phi1")) < 1e-12 && off(getValues(row, "y.phi"), getValues(one, "joint.phi2")) < 1e-12
@test maximum(getValues(one, "joint.phi2")) > 1.6 && off(last(turned, "joint.phi2"), -last(one, "joint.phi1")) < 1e-8
# The same body on a cross that is a constraint.
loop = run(Model3D(world = scene, body = Object3D(parent = :world, fixedToParent = false, angularVelocity = [1.0, 0.0, 2.0], feature = solid),
    tip1 = Object3D(parent = :body, translation = [1.0, 0.0, 0.0]), tip2 = Object3D(parent = :body, translation = [0.0, 1.0, 0.0]),
    joint = Universal(obj1 = :world, obj2 = :body, axis1 = 1, axis2 = 3)))
tree = run(Model3D(world = scene, body = Object3D(feature = solid), tip1 = Object3D(parent = :body, translation = [1.0, 0.0, 0.0]),
    tip2 = Object3D(parent = :body, translation = [0.0, 1.0, 0.0]), joint = Universal(obj1 = :world, obj2 = :body, axis1 = 1, axis2 = 3, w1 = at(1.0), w2 = at(2.0))))
@test same(loop, tree) < 1e-8

# Spherical: against three hinges, from both sides, and against a free body that a ball holds.
row = run(on(Model(a = Object3D(), b = Object3D(), x = Revolute(obj1 = :base, obj2 = :a, axis = 1, phi = at(0.1), w = at(0.3)),
    y = Revolute(obj1 = :a, obj2 = :b, axis = 2), z = Revolute(obj1 = :b, obj2 = :body, axis = 3))), stop = 0.5)
one = run(on(Model(joint = Spherical(obj1 = :base, obj2 = :body, rot = at([0.1, 0.0, 0.0]), w = at([0.3, 0.0, 0.0])))), stop = 0.5)
@test same(row, one) < 1e-10 && off(getValues(row, "y.phi"), getValues(one, "joint.rot")[:, 2]) < 1e-10
tumbling = Spherical(obj1 = :base, obj2 = :body, rot = at([0.1, 0.0, 0.0]), w = at([0.3, 9.0, 0.0]))
one = run(on(Model(joint = tumbling)), stop = 3.0)
turned = run(on(Model(joint = Spherical(obj1 = :body, obj2 = :base, rot = at([-0.1, 0.0, 0.0]), w = at([-0.3, -9.0*cos(0.1), -9.0*sin(0.1)])))), stop = 3.0)
@test false in getValues(one, "joint.isrot123") && true in getValues(one, "joint.isrot123") # it went through singular angles
println("a ball from both sides: ", same(one, turned), " m")
@test same(one, turned) < 1e-8
for solver in [CVODE_BDF(), IDA(), Rodas5(), Tsit5()]
    other = run(on(Model(joint = tumbling)), stop = 1.0, solver = solver, tolerance = 1e-9)
    @test same(run(on(Model(joint = tumbling)), stop = 1.0), other) < 1e-5
end
# A conical pendulum goes around with w^2 = m g L/(J cos(a)), where J is that across its length less that along it; 10 s.
m, L, across, along, tilt = 2.0, 0.5, 0.03, 0.01, 0.6
J = across + m*L^2 - along
wide = sqrt(m*g*L/(J*cos(tilt)))
bob = Object3D(feature = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.0, -L, 0.0], Ixx = across, Iyy = along, Izz = across)))
cone = run(Model3D(world = scene, bob = bob, tip = Object3D(parent = :bob, translation = [0.0, -L, 0.0]),
    joint = Spherical(obj1 = :world, obj2 = :bob, rot = at([0.0, 0.0, tilt]), w = at(wide*[sin(tilt), cos(tilt), 0.0]))), stop = 10.0)
time = getValues(cone, "time")
r = getValues(cone, "tip.r_abs")
println("conical pendulum after 10 s: ", off(r[:, 1], L*sin(tilt)*cos.(wide*time)), " m")
@test off(r[:, 2], -L*cos(tilt)) < 1e-8 && off(r[:, 1], L*sin(tilt)*cos.(wide*time)) < 1e-7 && off(r[:, 3], -L*sin(tilt)*sin.(wide*time)) < 1e-7
