# What joints and rigid connections transmit, in equations and as signals, beside the equations of Newton and Euler for all
# that hangs on them, with the motion that the objects show.
using Modia3D
using LinearAlgebra
using Test

masses = Dict("b1" => (1.0, [0.3, 0.05, -0.02], [0.06, 0.15, 0.2]), "b2" => (0.6, [0.2, 0.0, 0.1], [0.03, 0.05, 0.04]),
              "b3" => (0.4, [-0.1, 0.2, 0.0], [0.02, 0.02, 0.03]), "b4" => (0.3, [0.0, 0.1, 0.1], [0.01, 0.02, 0.02]))
body(name) = Solid(massProperties = MassProperties(mass = masses[name][1], centerOfMass = masses[name][2], Ixx = masses[name][3][1], Iyy = masses[name][3][2], Izz = masses[name][3][3]))
Drive = Model(flange = Model(phi = Var(potential = true), tau = Var(flow = true)), equations = :[flange.tau = 2.0*flange.phi + 0.1*der(flange.phi)])
wind(; time, objectApply, objectCoord) = [0.3*sin(5.0*time), 0.2, -0.1]

# rev1 - b1 - slide - b2 - (Fix) - b3, and b4 below b3 as an object with a parent. The slide is declared from b2 to b1, so the
# joint is turned around; and b3 hangs on an object whose parent it is, which is turned around, too.
Chain = Model3D(
    world = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]))),
    b1 = Object3D(feature = body("b1")),
    elbow = Object3D(parent = :b1, translation = [0.7, 0.0, 0.1], rotation = [0.3, 0.2, 0.0]),
    b2 = Object3D(feature = body("b2")),
    b3 = Object3D(feature = body("b3")),
    hook = Object3D(parent = :b3, translation = [0.1, 0.0, 0.2], rotation = [0.0, 0.5, 0.1]),
    b4 = Object3D(parent = :b3, translation = [0.0, 0.2, 0.1], rotation = [0.1, 0.0, 0.7], feature = body("b4")),
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :b1, axis = 2, phi = Var(init = 0.4)),
    slide = Prismatic(obj1 = :b2, obj2 = :elbow, axis = 1, s = Var(init = -0.1), v = Var(init = 0.3)),
    weld = Fix(obj1 = :b2, obj2 = :hook, translation = [0.3, 0.1, 0.0], rotation = [0.2, 0.0, 0.4]),
    spring = SpringDamperPtP(obj1 = :world, obj2 = :b4, nominalLength = 0.3, springForceLaw = 6.0, damperForceLaw = 0.4),
    push = WorldForce(objectApply = :b2), air = WorldForce(objectApply = :b4, forceFunction = wind)
)
Seen = Model(
    m = Chain, drive = Drive, connect = :[(m.rev1.flange, drive.flange)], work = Var(init = zeros(3)),
    equations = :[
        m.push.force = [0.5, 0.0, 0.0] - 0.2*m.b4.a_abs
        f1 = m.rev1.reactionForce; n1 = m.rev1.reactionTorque; fs = m.slide.reactionForce; ns = m.slide.reactionTorque
        fw = m.weld.reactionForce; nw = m.weld.reactionTorque; f4 = m.b4.reactionForce; n4 = m.b4.reactionTorque
        fh = m.hook.reactionForce; nh = m.hook.reactionTorque
        der(work) = m.rev1.reactionForce
        a1 = m.b1.a_abs; z1 = m.b1.z_abs; w1 = m.b1.w_abs; R1 = m.b1.R_abs
        a2 = m.b2.a_abs; z2 = m.b2.z_abs; w2 = m.b2.w_abs; R2 = m.b2.R_abs
        a3 = m.b3.a_abs; z3 = m.b3.z_abs; w3 = m.b3.w_abs; R3 = m.b3.R_abs
        a4 = m.b4.a_abs; z4 = m.b4.z_abs; w4 = m.b4.w_abs; R4 = m.b4.R_abs
        u = m.push.force
    ]
)
model = @instantiateModel(Seen, unitless = true)
at(name, i) = vec(getValues(model, name)[i, :])
place(name, i) = at("m.$name.r_abs", i)
# Force and moment about a point that a body needs for its motion, without what acts on it.
function need(k, i, point)
    (m, c, J) = masses["b$k"]
    R = getValues(model, "R$k")[i, :, :]
    w = at("w$k", i); z = at("z$k", i)
    arm = transpose(R)*c
    a = at("a$k", i) + transpose(R)*(cross(z, c) + cross(w, cross(w, c)))
    f = m*(a + [0, 0, 9.81])
    n = transpose(R)*(J.*z + cross(w, J.*w)) + cross(place("b$k", i) + arm - point, f)
    return (f, n)
end
function sum_of(bodies, i, point)
    f = zeros(3); n = zeros(3)
    for k in bodies
        (fk, nk) = need(k, i, point)
        f = f + fk; n = n + nk
    end
    if 4 in bodies
        load = at("m.spring.forceVector", i) + at("m.air.forceVector", i)
        f = f - load; n = n - cross(place("b4", i) - point, load)
    end
    if 2 in bodies
        f = f - at("u", i); n = n - cross(place("b2", i) - point, at("u", i))
    end
    return (f, n)
end
function differs(force, torque, sign, bodies, object, i)
    (f, n) = sum_of(bodies, i, place(object, i))
    return max(maximum(abs.(sign*f - at(force, i))), maximum(abs.(sign*n - at(torque, i))))
end
for algorithm in [CVODE_BDF(), IDA(), Tsit5(), QBDF()]
    simulate!(model, algorithm, stopTime = 1.0, tolerance = 1e-8, interval = 0.05)
    for i in 1:20
        @test differs("f1", "n1", 1.0, [1, 2, 3, 4], "b1", i) < 1e-9
        @test differs("fs", "ns", -1.0, [2, 3, 4], "elbow", i) < 1e-9
        @test differs("fw", "nw", 1.0, [3, 4], "hook", i) < 1e-9
        @test differs("f4", "n4", 1.0, [4], "b4", i) < 1e-9
        @test differs("fh", "nh", -1.0, [3, 4], "hook", i) < 1e-9
    end
    @test maximum(abs.(getValues(model, "f1") - getValues(model, "m.rev1.reactionForce"))) < 1e-12
    # Of the slide nothing along its axis, and of the drive what it gives.
    @test abs(dot(at("fs", 20), transpose(getValues(model, "R2")[20, :, :])*[1, 0, 0])) < 1e-9
    @test abs(at("n1", 20)[2] - at("m.rev1.flange.tau", 20)[1]) < 1e-9
end
# The same without equations, of all joints and Fixes; the balance has them, too.
for option in [Map(reactions = true), Map(balance = true)]
    asked = @instantiateModel(Model(m = Chain | Map(world = Map(feature = option)), drive = Drive, connect = :[(m.rev1.flange, drive.flange)],
                                    equations = :[m.push.force = [0.5, 0.0, 0.0] - 0.2*m.b4.a_abs]), unitless = true)
    simulate!(asked, stopTime = 1.0, tolerance = 1e-8, interval = 0.05)
    for name in ["rev1", "slide", "weld"]
        @test maximum(abs.(getLastValue(asked, "m.$name.reactionForce", unit = false) - getLastValue(model, "m.$name.reactionForce", unit = false))) < 1e-5
    end
end

# ---- in a loop ------------------------------------------------------------------------------------

# A beam of two pieces, 2 m and 2 kg, on a hinge and a rope at its end: half of the weight each. And the piece at the end bears
# its own weight and the rope.
piece = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.5, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1))
Beam2 = Model3D(
    world = Object3D(feature = Scene()),
    inner = Object3D(feature = piece), outer = Object3D(feature = piece),
    weld = Fix(obj1 = :inner, obj2 = :outer, translation = [1.0, 0.0, 0.0]),
    tip = Object3D(parent = :outer, translation = [1.0, 0.0, 0.0]),
    top = Object3D(parent = :world, translation = [2.0, 1.0, 0.0]),
    hinge = Revolute(obj1 = :world, obj2 = :inner),
    rope = Rod(obj1 = :top, obj2 = :tip, length = 1.0),
    equations = :[inWeld = weld.reactionForce; moment = weld.reactionTorque; inRope = rope.reactionForce; inHinge = hinge.reactionForce; atTip = tip.reactionForce]
)
beam = @instantiateModel(Beam2, unitless = true)
simulate!(beam, stopTime = 0.1)
g = 9.81
@test maximum(abs.(getLastValue(beam, "inRope") - [0, g, 0])) < 1e-12
@test maximum(abs.(getLastValue(beam, "inHinge") - [0, g, 0])) < 1e-12
@test maximum(abs.(getLastValue(beam, "inWeld") - [0, 0, 0])) < 1e-12
@test maximum(abs.(getLastValue(beam, "moment") - [0, 0, -g + 0.5g])) < 1e-12
@test maximum(abs.(getLastValue(beam, "atTip") - [0, -g, 0])) < 1e-12

# ---- in a law -------------------------------------------------------------------------------------

# Friction in a bearing: what it takes depends on what it bears, which depends on the acceleration.
Bearing = Model3D(
    world = Object3D(feature = Scene()),
    arm = Object3D(feature = Solid(massProperties = MassProperties(mass = 2.0, centerOfMass = [0.5, 0.0, 0.0], Ixx = 0.01, Iyy = 0.1, Izz = 0.1))),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :arm, phi = Var(init = -1.0), w = Var(init = 3.0)),
    friction = Model(flange = Model(phi = Var(potential = true), tau = Var(flow = true)), load = Var(), equations = :[flange.tau = 0.3*0.1*load]),
    connect = :[(rev.flange, friction.flange)],
    equations = :[friction.load = sqrt(rev.reactionForce[1]^2 + rev.reactionForce[2]^2)]
)
bearing = @instantiateModel(Bearing, unitless = true)
function acceleration(phi, w)
    a = 0.0
    for k in 1:100
        f = 2.0*[-0.5*a*sin(phi) - 0.5*w^2*cos(phi), 0.5*a*cos(phi) - 0.5*w^2*sin(phi) + 9.81]
        a = (-2.0*9.81*0.5*cos(phi) - 0.03*norm(f))/(0.1 + 2.0*0.25)
    end
    return a
end
function swing(T, n)
    h = T/n
    x = [-1.0, 3.0]
    rate(x) = [x[2], acceleration(x[1], x[2])]
    for k in 1:n
        k1 = rate(x); k2 = rate(x + h/2*k1); k3 = rate(x + h/2*k2); k4 = rate(x + h*k3)
        x = x + h/6*(k1 + 2*k2 + 2*k3 + k4)
    end
    return x
end
expected = swing(0.5, 400)
for algorithm in [CVODE_BDF(), IDA(), Tsit5(), QBDF(), Rodas5P()]
    simulate!(bearing, algorithm, stopTime = 0.5, tolerance = 1e-9)
    @test abs(getLastValue(bearing, "rev.phi") - expected[1]) < 1e-7
    @test abs(getLastValue(bearing, "rev.w") - expected[2]) < 1e-7
end

# ---- over segments --------------------------------------------------------------------------------

# A ball on a turning arm: what holds it is the centripetal force, until it is let go.
function letGo(actions)
    EventAfterPeriod(actions, 0.5)
    ActionRelease(actions, "hook")
end
Release = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    arm = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    tip = Object3D(parent = :arm, translation = [1.0, 0.0, 0.0], lockable = true),
    turn = Revolute(obj1 = :world, obj2 = :arm, axis = 3, w = Var(init = 2.0)),
    ball = Object3D(parent = :tip, assemblyRoot = true, feature = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    hook = Object3D(parent = :ball, lockable = true),
    modelActions = ModelActions(world = :world, actions = letGo), held = Var(init = 0.0),
    equations = :[
        load = norm(ball.reactionForce)
        der(held) = if load > 1.0; 1.0 else 0.0 end
        currentAction = Modia3D.executeActions(modelActions)
    ]
)
release = @instantiateModel(Release, unitless = true)
simulate!(release, stopTime = 1.0, tolerance = 1e-9)
@test abs(getValues(release, "load")[1] - 0.5*2.0^2) < 1e-12
@test abs(getLastValue(release, "load")) < 1e-12
@test abs(getLastValue(release, "held") - 0.5) < 1e-9

# The same with a hinge that an action makes: the ball falls into a swing, and is let go.
function hang(actions)
    EventAfterPeriod(actions, 0.3)
    ActionAttach(actions, "lock", "depot"; joint = "revolute", axis = 3)
    EventAfterPeriod(actions, 0.5)
    ActionRelease(actions, "lock")
end
Hung = Model3D(
    world = Object3D(feature = Scene(gap = 2.0, attachSpeed = 10.0, attachAngularSpeed = 10.0)),
    depot = Object3D(parent = :world, lockable = true),
    ball = Object3D(parent = :world, fixedToParent = false, assemblyRoot = true, translation = [0.5, 0.0, 0.0],
                    feature = Solid(massProperties = MassProperties(mass = 2.0, Ixx = 0.01, Iyy = 0.01, Izz = 0.01))),
    lock = Object3D(parent = :ball, lockable = true, translation = [-0.5, 0.0, 0.0]),
    modelActions = ModelActions(world = :world, actions = hang), r = Var(init = zeros(3)),
    equations = :[
        f = ball.reactionForce; n = ball.reactionTorque; a = ball.a_abs; z = ball.z_abs; inLock = lock.reactionForce
        der(r) = ball.v_abs
        currentAction = Modia3D.executeActions(modelActions)
    ]
)
hung = @instantiateModel(Hung, unitless = true)
for algorithm in [CVODE_BDF(), IDA(), Tsit5()]
    simulate!(hung, algorithm, stopTime = 1.2, tolerance = 1e-9)
    t = getValues(hung, "time")
    here(name, k) = vec(getValues(hung, name)[k, :])
    for k in [findlast(t .< 0.4), findlast(t .< 0.7)]
        @test maximum(abs.(here("f", k) - 2.0*(here("a", k) + [0.0, 9.81, 0.0]))) < 1e-9
        @test maximum(abs.(here("n", k) - 0.01*here("z", k))) < 1e-9
        @test maximum(abs.(here("inLock", k) + here("f", k))) < 1e-12
    end
    @test here("f", findlast(t .< 0.2)) == zeros(3) && here("f", length(t)) == zeros(3)
    @test maximum(abs.(here("ball.r_abs", length(t)) - here("ball.r_abs", 1) - here("r", length(t)))) < 1e-7
end
