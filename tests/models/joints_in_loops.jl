# Joints with several coordinates in loops, with flanges and with contacts: a spatial linkage against the same one of constraints, with several
# solvers and its ball from both sides; drives of single axes by closed forms; a puck that hits a wall against hinges and slides in a row.
using Modia3D
using Test
off(x, y) = maximum(abs.(x .- y))
g = 9.81
scene = Object3D(feature = Scene(gravityField = UniformGravityField(g = g, n = [0, -1, 0]), enableContactDetection = false))
mass(m, c, I) = Solid(massProperties = MassProperties(mass = m, centerOfMass = c, Ixx = I, Iyy = I, Izz = 0.7*I))
at(x) = Var(init = x)
# A crank about x, a ball, a coupler, a universal joint and a rocker about z; which of the two closes the loop is decided by the order.
bars(parts) = Model3D(world = scene, pivot = Object3D(parent = :world, translation = [1.0, 0.3, 0.2]),
    crank = Object3D(feature = mass(1.0, [0.0, 0.1, 0.0], 0.02)), crankEnd = Object3D(parent = :crank, translation = [0.0, 0.25, 0.0]),
    rocker = Object3D(feature = mass(1.5, [0.0, 0.3, 0.0], 0.05)), rockerEnd = Object3D(parent = :rocker, translation = [0.0, 0.6, 0.0]),
    hinge1 = Revolute(obj1 = :world, obj2 = :crank, axis = 1, phi = at(0.3), w = at(4.0)),
    hinge2 = Revolute(obj1 = :pivot, obj2 = :rocker, axis = 3, phi = at(0.2))) | parts
function run(model; stop = 2.0, solver = DP8(), tolerance = 1e-10)
    m = @instantiateModel(model, unitless = true)
    simulate!(m, solver, stopTime = stop, tolerance = tolerance)
    return m
end
len = 1.2
tree(a, b) = bars(Model(coupler = Object3D(feature = mass(0.8, [0.6, 0.0, 0.0], 0.1)), couplerEnd = Object3D(parent = :coupler, translation = [len, 0.0, 0.0]),
    ball = a ? Spherical(obj1 = :crankEnd, obj2 = :coupler) : Spherical(obj1 = :coupler, obj2 = :crankEnd), end2 = b))
ref = run(bars(Model(coupler = Object3D(parent = :world, fixedToParent = false, translation = [0.0, 0.25, 0.0], feature = mass(0.8, [0.6, 0.0, 0.0], 0.1)), couplerEnd = Object3D(parent = :coupler, translation = [len, 0.0, 0.0]),
    ball = Spherical(obj1 = :crankEnd, obj2 = :coupler), end2 = Universal(obj1 = :couplerEnd, obj2 = :rockerEnd, axis1 = 3, axis2 = 2))), stop = 1.0)
for (name, a, s, most) in [("tree", true, DP8(), 1e-9), ("turned", false, DP8(), 1e-9), ("IDA", true, IDA(), 1e-6), ("IDA, turned", false, IDA(), 1e-6), ("BDF", true, CVODE_BDF(), 1e-5)]
    m = run(tree(a, Universal(obj1 = :couplerEnd, obj2 = :rockerEnd, axis1 = 3, axis2 = 2)), solver = s, stop = 1.0)
    away = max(off(getValues(m, "hinge1.phi")[end], getValues(ref, "hinge1.phi")[end]), off(getValues(m, "hinge2.phi")[end], getValues(ref, "hinge2.phi")[end]))
    println(name, ": ", away, " rad")
    @test away < most
end
@test getValues(ref, "hinge1.phi")[end] > 2*pi # it goes around
# A puck hits a wall.
puck(parts) = Model3D(world = Object3D(feature = Scene(gravityField = NoGravityField())),
    wall = Object3D(parent = :world, translation = [0.5, 0.0, 0.0], feature = Solid(shape = Box(lengthX = 0.1, lengthY = 2.0, lengthZ = 1.0), solidMaterial = "Steel", collision = true)),
    ball = Object3D(feature = Solid(shape = Sphere(diameter = 0.1), solidMaterial = "Steel", collision = true))) | parts
one = run(puck(Model(joint = Planar(obj1 = :world, obj2 = :ball, v1 = at(2.0), v2 = at(0.3), w = at(1.0)))), stop = 1.0, tolerance = 1e-8)
row = run(puck(Model(a = Object3D(), b = Object3D(), x = Prismatic(obj1 = :world, obj2 = :a, axis = 1, v = at(2.0)),
    y = Prismatic(obj1 = :a, obj2 = :b, axis = 2, v = at(0.3)), turn = Revolute(obj1 = :b, obj2 = :ball, axis = 3, w = at(1.0)))), stop = 1.0, tolerance = 1e-8)
r = getValues(one, "ball.r_abs")[end, :]
@test r[1] < -0.5 && off(r, getValues(row, "ball.r_abs")[end, :]) < 1e-12 # it came back
@test off(getValues(one, "joint.phi")[end], getValues(row, "turn.phi")[end]) < 1e-12

# Flanges: a spring along a sleeve and a torque about it; one axis of a universal joint led, the other damped; a torque that holds a nut.
m = run(Model3D(world = scene, body = Object3D(feature = mass(2.0, [0.1, 0.0, 0.3], 0.05)),
    j = CylindricalWithFlanges(obj1 = :world, obj2 = :body, axis = 2, s = at(0.1)), equations = :[j.flangeS.f = -200.0*j.s, j.flangePhi.tau = 0.3]), stop = 1.0)
w0 = sqrt(100.0); t = getValues(m, "time"); s0 = -2.0*g/200.0
@test off(getValues(m, "j.s"), s0 .+ (0.1 - s0)*cos.(w0*t)) < 1e-9 && off(getValues(m, "j.phi"), 0.5*0.3/(0.05 + 2.0*(0.01 + 0.09))*t.^2) < 1e-9
led = run(Model3D(world = scene, body = Object3D(feature = mass(2.0, [0.1, 0.0, 0.3], 0.05)),
    j = UniversalWithFlanges(obj1 = :world, obj2 = :body, axis1 = 2, axis2 = 1, phi1 = Var(init = nothing), w1 = Var(init = nothing)),
    equations = :[j.flange1.phi = sin(time), j.flange2.tau = -0.1*j.w2]), stop = 1.0)
row = run(Model3D(world = scene, cross = Object3D(), body = Object3D(feature = mass(2.0, [0.1, 0.0, 0.3], 0.05)),
    y = RevoluteWithFlange(obj1 = :world, obj2 = :cross, axis = 2, phi = Var(init = nothing), w = Var(init = nothing)),
    x = RevoluteWithFlange(obj1 = :cross, obj2 = :body, axis = 1), equations = :[y.flange.phi = sin(time), x.flange.tau = -0.1*x.w]), stop = 1.0)
@test off(getValues(led, "j.phi2"), getValues(row, "x.phi")) < 1e-10 && off(getValues(led, "j.flange1.tau"), getValues(row, "y.flange.tau")) < 1e-8
m = run(Model3D(world = scene, body = Object3D(feature = mass(2.0, [0.0, 0.0, 0.0], 0.05)), j = HelicalWithFlange(obj1 = :world, obj2 = :body, axis = 2, pitch = 0.01), equations = :[j.flange.tau = 2.0*9.81*0.01/(2*pi)]), stop = 1.0)
@test off(getValues(m, "j.phi"), 0.0) < 1e-12
