# Prescribed motion and the forces it takes: written as an equation beside an open flange, from functions, tables and
# paths; some joints prescribed and others not; a copy of a moving arm tells what moves it.
using Modia3D
using Test

near(a, b, scale) = maximum(abs.(a - b)) < 1e-10*scale

Bar(equations) = Model3D(
    world = Object3D(feature = Scene()),
    bar = Object3D(feature = Solid(massProperties = MassProperties(mass = 3.0, centerOfMass = [0.5, 0, 0], Ixx = 0.1, Iyy = 0.2, Izz = 0.25))),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :bar, phi = Var(), w = Var()),
    equations = equations
)
torque(phi, a) = a*(0.25 + 3.0*0.25) .+ 3.0*9.81*0.5*cos.(phi)

# Nothing is connected to the flange, and yet its torque is not zero: the equations leave no room for that.
swing = @instantiateModel(Bar(:[rev.phi = 0.3*sin(4.0*time)]), unitless = true)
simulate!(swing, stopTime = 1.0)
t = getValues(swing, "time")
@test length(get_xNames(swing)) == 0
@test near(getValues(swing, "rev.flange.tau"), torque(0.3*sin.(4.0*t), -4.8*sin.(4.0*t)), 20.0)
# With the speed prescribed, the angle is a state.
turn = @instantiateModel(Bar(:[rev.w = 1.0 + time]) | Map(rev = Map(phi = Var(init = 0.2))), unitless = true)
simulate!(turn, stopTime = 1.0, tolerance = 1e-9)
t = getValues(turn, "time")
@test get_xNames(turn) == ["rev.phi"]
@test maximum(abs.(getValues(turn, "rev.flange.tau") - torque(0.2 .+ t + 0.5*t.^2, 1.0))) < 1e-6
# Who only looks at the flange leaves it open.
loose = @instantiateModel(Bar(:[seen = rev.flange.phi]) | Map(rev = Map(phi = Var(init = 0.0), w = Var(init = 0.0))), unitless = true)
simulate!(loose, stopTime = 0.1)
@test getLastValue(loose, "rev.flange.tau") == 0.0 && getLastValue(loose, "seen") < 0.0

# A point-to-point path: corners of the speed are jumps of the torque.
path = PTP_path(["a", "b"], positions = [0.0 0.0; 0.1 1.0; 0.2 0.4], v_max = [2.0, 0.8], a_max = [3.0, 2.0])
along(t) = getPosition(path, 2, t)
planned = @instantiateModel(Bar(:[rev.phi = along(time)]), unitless = true)
simulate!(planned, stopTime = 4.0, interval = 0.01)
t = getValues(planned, "time")
(q, qd, qdd) = (zeros(2), zeros(2), zeros(2))
expected = zeros(length(t), 3)
for i in 1:length(t)
    getPosition!(path, t[i], q, qd, qdd)
    expected[i, :] = [q[2], qd[2], qdd[2]]
end
@test near(getValues(planned, "rev.phi"), expected[:, 1], 1.0) && near(getValues(planned, "rev.w"), expected[:, 2], 1.0)
@test near(getValues(planned, "rev.flange.tau"), torque(expected[:, 1], expected[:, 3]), 20.0)
@test maximum(expected[:, 3]) == 2.0 && getVelocity(path, 2, t[10]) == expected[10, 2] && getAcceleration(path, 2, t[10]) == 2.0

# A table with cubic pieces.
knots = [0.0, 0.4, 1.0]
pieces = [0.0 0.5 1.0 -0.3; 0.3408 0.9344 1.0 0.7]
function table(t)
    i = 1
    while i < 2 && t > knots[i+1]
        i += 1
    end
    s = t - knots[i]
    return pieces[i, 1] + s*(pieces[i, 2] + s*(pieces[i, 3] + s*pieces[i, 4]))
end
tabled = @instantiateModel(Bar(:[rev.phi = table(time)]), unitless = true)
simulate!(tabled, stopTime = 1.0, interval = 0.03)
t = getValues(tabled, "time")
late = [x > 0.4 for x in t]
s = t - 0.4*late
@test near(getValues(tabled, "rev.flange.tau"), torque([table(x) for x in t], [late[i] ? 2.0 + 4.2*s[i] : 2.0 - 1.8*s[i] for i in 1:length(t)]), 20.0)

# Functions of Modia3D, a path of frames, and functions of two numbers.
frames = Modia3D.Path([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.6, 0.0]]; v = [4.0, 4.0, 2.0])
sideways(t) = Modia3D.interpolate_r(frames, t)[2]
squared(t) = Modia3D.linearMovement(0.5, 0.0, 1.0, t)^2
pairs(t) = atan(t, 2.0) + hypot(t, 1.0) + clamp(t, 0.0, 0.5)
for (motion, w, a) in [(:(sideways(time)), t -> t > 0.25 ? 3.0 : 0.0, t -> 0.0), (:(squared(time)), t -> 0.5*t, t -> 0.5),
                       (:(clamp(sin(time), -0.1, 0.9)), t -> cos(t), t -> -sin(t)), (:(clamp(time, -0.3, -0.1)), t -> 0.0, t -> 0.0),
                       (:(pairs(time)), t -> 2/(4 + t^2) + t/sqrt(1 + t^2) + (t <= 0.5 ? 1.0 : 0.0), t -> -4*t/(4 + t^2)^2 + 1/sqrt(1 + t^2)^3)]
    moved = @instantiateModel(Bar(:[rev.phi = $motion]), unitless = true)
    simulate!(moved, stopTime = 0.4, interval = 0.03)
    t = getValues(moved, "time")
    @test near(getValues(moved, "rev.w"), [w(x) for x in t], 3.0)
    @test near(getValues(moved, "rev.flange.tau"), torque(getValues(moved, "rev.phi"), [a(x) for x in t]), 20.0)
end

# An arm that torques move, with a joint of its own in between and a load that flies off; and its copy whose driven
# joints follow it: the torques in the copy are those that move the arm.
body(m, x, y, z) = Solid(massProperties = MassProperties(mass = m, centerOfMass = [0.2, 0.1, -0.05], Ixx = x, Iyy = y, Izz = z, Ixy = 0.01))
Arm = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(n = [0.3, -1.0, 0.2]))),
    a = Object3D(feature = body(2.0, 0.2, 0.3, 0.4)), ea = Object3D(parent = :a, translation = [0.8, 0.0, 0.1], rotation = [0.3, -0.2, 0.5]),
    b = Object3D(feature = body(1.5, 0.1, 0.2, 0.15)), eb = Object3D(parent = :b, translation = [0.5, 0.1, 0.0], rotation = [-0.3, 0.2, 0.1]),
    c = Object3D(feature = body(1.0, 0.05, 0.06, 0.08)), ec = Object3D(parent = :c, translation = [0.3, 0.0, 0.0], rotation = [0.1, 0.7, 0.1]),
    d = Object3D(feature = body(0.7, 0.05, 0.06, 0.08)),
    load = Object3D(parent = :d, fixedToParent = false, velocity = [0.1, 0.0, 0.3], feature = body(0.3, 0.02, 0.03, 0.03)),
    r1 = RevoluteWithFlange(obj1 = :world, obj2 = :a, axis = [1, 2, 3]),
    r2 = RevoluteWithFlange(obj1 = :ea, obj2 = :b, axis = 2),
    r3 = Revolute(obj1 = :eb, obj2 = :c, axis = -1, w = Var(init = 0.5)),
    p4 = PrismaticWithFlange(obj1 = :ec, obj2 = :d, axis = 3)
)
open = Map(phi = Var(init = nothing), w = Var(init = nothing))
Both = Model(
    arm = Arm,
    copy = Arm | Map(r1 = open, r2 = open, p4 = Map(s = Var(init = nothing), v = Var(init = nothing))),
    equations = :[
        arm.r1.flange.tau = 20.0*sin(3.0*time) - arm.r1.w
        arm.r2.flange.tau = 5.0 - 2.0*arm.r2.phi
        arm.p4.flange.f = -200.0*arm.p4.s - 2.0*arm.p4.v
        copy.r1.phi = arm.r1.phi
        copy.r2.phi = arm.r2.phi
        copy.p4.s = arm.p4.s
    ]
)
both = @instantiateModel(Both, unitless = true)
for solver in [CVODE_BDF(), Tsit5(), IDA()]
    simulate!(both, solver, stopTime = 1.0, tolerance = 1e-8)
    for flange in ["r1.flange.tau", "r2.flange.tau", "p4.flange.f"]
        scale = maximum(abs.(getValues(both, "arm.$flange")))
        # Both sides of the joint without a flange are integrated, so they may part by the tolerance.
        @test maximum(abs.(getValues(both, "copy.$flange") - getValues(both, "arm.$flange"))) < 1e-6*scale
        @test abs(getValues(both, "copy.$flange")[1] - getValues(both, "arm.$flange")[1]) < 1e-10*scale
    end
    @test maximum(abs.(getValues(both, "arm.load.r_abs") - getValues(both, "copy.load.r_abs"))) < 1e-6
end
