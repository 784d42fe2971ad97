# Forces and torques that equations give, along axes of the world or of a body and between two objects; forces that depend
# on accelerations that depend on them, which sorting finds as a system of equations.
using Modia3D
using LinearAlgebra
using Test

solid(m) = Solid(massProperties = MassProperties(mass = m, Ixx = 0.3, Iyy = 0.3, Izz = 0.3))
space = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true))
earth = Object3D(feature = Scene(gravityField = UniformGravityField(g = 9.81, n = [0, 0, -1]), balance = true))
free(m; keywords...) = Object3D(; parent = :world, fixedToParent = false, feature = solid(m), keywords...)
algorithms = [CVODE_BDF(), IDA(), Tsit5(), QBDF(), Rodas5P()]
atEnd(m, name) = vec(getValues(m, name)[end, :])
function lost(m)
    part(name) = getValues(m, "balance.$name")
    e = part("kineticEnergy") + part("potentialEnergy") + part("springEnergy") + part("dissipatedEnergy") - part("suppliedEnergy")
    return maximum(abs.(e .- e[1]))
end

# A thrust that turns with its body; a torque that equations switch by the speed that they see.
Thrust = Model3D(
    world = space,
    ship = free(2.0, angularVelocity = [0.0, 0.0, 0.5]),
    engine = WorldForce(objectApply = :ship, objectCoord = :ship),
    wheel = WorldTorque(objectApply = :ship),
    equations = :[
        engine.force = [3.0, 0.0, 0.0]
        wheel.torque = [0.0, 0.0, if ship.w_abs[3] < 1.0; 0.3 else 0.0 end]
    ]
)
thrust = @instantiateModel(Thrust, unitless = true)
# 0.5 + t until 1.0 at 0.5 s, then constant: the direction is known, the velocity is its integral.
angle(t) = t < 0.5 ? 0.5*t + 0.5*t^2 : 0.375 + (t - 0.5)
function simpson(f, a, b)
    n = 2000
    h = (b - a)/n
    return h/3*(f(a) + f(b) + 4*sum(f(a + (2k - 1)*h) for k in 1:div(n, 2)) + 2*sum(f(a + 2k*h) for k in 1:div(n, 2) - 1))
end
expected = 1.5*[simpson(t -> cos(angle(t)), 0.0, 0.5) + simpson(t -> cos(angle(t)), 0.5, 2.0),
                simpson(t -> sin(angle(t)), 0.0, 0.5) + simpson(t -> sin(angle(t)), 0.5, 2.0), 0.0]
for algorithm in algorithms
    simulate!(thrust, algorithm, stopTime = 2.0, tolerance = 1e-9)
    @test maximum(abs.(atEnd(thrust, "ship.velocity") - expected)) < 1e-7
    @test abs(atEnd(thrust, "ship.rotation")[3] - angle(2.0)) < 1e-7
    @test lost(thrust) < 1e-6
end

# Between two objects: momentum stays, whatever the force.
Pull = Model3D(
    world = space,
    a = free(1.0), b = free(3.0, translation = [2.0, 0.0, 0.0]), c = free(1.0, translation = [0.0, 1.0, 0.0], velocity = [0.0, 0.2, 0.0]),
    rope = SpringDamperPtP(obj1 = :a, obj2 = :b, springForceLaw = 0.5, nominalLength = 1.5),
    hand = Bushing(obj1 = :a, obj2 = :c, springForceLaw = [1.0, 1.0, 1.0], rotSpringForceLaw = [0.2, 0.2, 0.2], largeAngles = true, nominalForce = [0.0, -1.0, 0.0]),
    work = Var(init = 0.0),
    equations = :[
        rope.actuatorForce = 0.8 + 0.2*rope.velocity
        hand.actuatorForce = [0.1*sin(3.0*time), 0.0, -0.2*hand.translation[3]]
        hand.actuatorTorque = [0.0, 0.0, 0.02]
        der(work) = -rope.actuatorForce*rope.velocity
    ]
)
pull = @instantiateModel(Pull, unitless = true)
for algorithm in algorithms
    simulate!(pull, algorithm, stopTime = 2.0, tolerance = 1e-9)
    momentum = atEnd(pull, "a.velocity") + 3.0*atEnd(pull, "b.velocity") + atEnd(pull, "c.velocity")
    @test maximum(abs.(momentum - [0.0, 0.2, 0.0])) < 1e-9
    @test lost(pull) < 1e-6
end

# ---- accelerations --------------------------------------------------------------------------------

# (m + k) a = 4 - d v: an added mass by feedback, with a constant force along the axes of the body besides.
Cart = Model3D(
    world = earth,
    cart = free(2.0),
    push = WorldForce(objectApply = :cart),
    lift = WorldForce(objectApply = :cart, objectCoord = :cart),
    equations = :[
        a = cart.a_abs[1]
        lift.force = [0.0, 0.0, 2.0*9.81]
        push.force = [4.0 - 3.0*a - 0.5*cart.v_abs[1], 0.0, 0.0]
    ]
)
cart = @instantiateModel(Cart, unitless = true)
for algorithm in algorithms
    simulate!(cart, algorithm, stopTime = 2.0, tolerance = 1e-10)
    @test abs(atEnd(cart, "cart.velocity")[1] - 8.0*(1.0 - exp(-0.2))) < 1e-8
    @test abs(atEnd(cart, "push.forceVector")[1] - 2.0*0.8*exp(-0.2)) < 1e-8
    @test lost(cart) < 1e-6
end

# m a + k a^3 = f: not linear, so Newton's method; and a force with a jump that depends on the acceleration.
Cubic = Model3D(
    world = space,
    cart = free(2.0), other = free(1.0),
    push = WorldForce(objectApply = :cart), kick = WorldForce(objectApply = :other),
    equations = :[
        a = cart.a_abs[1]
        push.force = [5.0*cos(time) - 0.7*a^3, 0.0, 0.0]
        residual = 2.0*a + 0.7*a^3 - 5.0*cos(time)
        # 1 + 0.5 up to the turn of the first one.
        kick.force = [1.0 + (if a > 0.0; 0.5 else -0.5 end) - 0.25*other.a_abs[1], 0.0, 0.0]
    ]
)
cubic = @instantiateModel(Cubic, unitless = true)
for algorithm in algorithms
    simulate!(cubic, algorithm, stopTime = 3.0, tolerance = 1e-9)
    @test maximum(abs.(getValues(cubic, "residual"))) < 1e-9
    # 1.25 a = 1.5 until pi/2, 0.5 from then on
    @test abs(atEnd(cubic, "other.velocity")[1] - (1.2*pi/2 + 0.4*(3.0 - pi/2))) < 1e-7
end

# A drive that feels the acceleration of what it turns: (I + k) z = tau; and the same beside a load on the arm.
Arm = Model3D(
    world = space,
    arm = Object3D(feature = solid(1.0)),
    tip = Object3D(parent = :arm, translation = [2.0, 0.0, 0.0]),
    rev = RevoluteWithFlange(obj1 = :world, obj2 = :arm, axis = 3),
    load = WorldForce(objectApply = :tip, objectCoord = :tip),
    drive = Model(flange = Model(phi = Var(potential = true), tau = Var(flow = true)), z = Var(), u = Var(),
                  equations = :[flange.tau = -(1.0 - 0.2*z)]),
    connect = :[(rev.flange, drive.flange)],
    equations = :[
        drive.z = arm.z_abs[3]
        load.force = [0.0, 0.5 - 0.05*tip.z_abs[3], 0.0]
    ]
)
arm = @instantiateModel(Arm, unitless = true)
for algorithm in algorithms
    simulate!(arm, algorithm, stopTime = 1.0, tolerance = 1e-9)
    @test abs(atEnd(arm, "rev.w")[1] - (1.0 + 2.0*0.5)/(0.3 + 0.2 + 2.0*0.05)) < 1e-8
end

# The same law as a function of the script, for which the part has a loop of its own: a mechanism with a flange, a joint
# without, and a free body.
added(; time, objectApply, objectCoord) = -0.4*Modia3D.measFrameTransAcceleration(objectApply) - 0.1*Modia3D.measFrameTransVelocity(objectApply)
damper = Model(flange = Model(phi = Var(potential = true), tau = Var(flow = true)), equations = :[flange.tau = 0.3*der(flange.phi)])
Mechanism(forces) = Model3D(
    world = earth,
    link1 = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, centerOfMass = [0.3, 0.05, -0.02], Ixx = 0.06, Iyy = 0.15, Izz = 0.2))),
    elbow = Object3D(parent = :link1, translation = [0.7, 0.0, 0.1], rotation = [0.3, 0.2, 0.0]),
    link2 = Object3D(feature = solid(0.6)),
    tip = Object3D(parent = :link2, translation = [0.5, 0.1, 0.0], rotation = [0.4, -0.2, 0.9]),
    rev1 = RevoluteWithFlange(obj1 = :world, obj2 = :link1, axis = 2, phi = Var(init = 0.4)),
    rev2 = Revolute(obj1 = :elbow, obj2 = :link2, axis = 3, phi = Var(init = -0.3), w = Var(init = 1.0)),
    nut = free(0.5, translation = [1.5, 0.4, 0.3], angularVelocity = [0.1, 2.0, -0.2]),
    spring = SpringDamperPtP(obj1 = :tip, obj2 = :nut, nominalLength = 0.3, springForceLaw = 6.0, damperForceLaw = 0.4),
    damper = damper,
    connect = :[(rev1.flange, damper.flange)]
) | forces
scripted = @instantiateModel(Mechanism(Map(water = WorldForce(objectApply = :tip, forceFunction = added), air = WorldForce(objectApply = :nut, forceFunction = added))),
                             unitless = true)
equated = @instantiateModel(Mechanism(Map(water = WorldForce(objectApply = :tip), air = WorldForce(objectApply = :nut), equations = :[
        water.force = -0.4*tip.a_abs - 0.1*tip.v_abs
        air.force = -0.4*nut.a_abs - 0.1*nut.v_abs])), unitless = true)
simulate!(scripted, stopTime = 1.5, tolerance = 1e-10)
for algorithm in algorithms
    simulate!(equated, algorithm, stopTime = 1.5, tolerance = 1e-10)
    for name in ["rev1.phi", "rev2.w", "nut.translation", "nut.rotation", "water.forceVector", "air.forceVector"]
        @test maximum(abs.(atEnd(scripted, name) - atEnd(equated, name))) < 1e-6
    end
    @test lost(equated) < 1e-5
end

# ---- segments -------------------------------------------------------------------------------------

# Over a structural change: a ball lets go of an arm, and a thrust that equations give goes on to push it.
function letGo(actions)
    EventAfterPeriod(actions, 0.5)
    ActionRelease(actions, "ball.hook")
end
Release = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField(), balance = true)),
    arm = Object3D(feature = Solid(massProperties = MassProperties(mass = 1.0, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
    tip = Object3D(parent = :arm, translation = [1.0, 0.0, 0.0], lockable = true),
    turn = Revolute(obj1 = :world, obj2 = :arm, axis = 3, w = Var(init = 1.0)),
    ball = Model(root = Object3D(parent = :tip, fixedToParent = true, assemblyRoot = true, feature = Solid(massProperties = MassProperties(mass = 0.5, Ixx = 0.1, Iyy = 0.1, Izz = 0.1))),
                 hook = Object3D(parent = :root, lockable = true)),
    thrust = WorldForce(objectApply = :(ball.root)),
    modelActions = ModelActions(world = :world, actions = letGo),
    r = Var(init = zeros(3)), p = Var(init = zeros(3)),
    equations = :[
        der(r) = ball.root.v_abs
        der(p) = thrust.force
        thrust.force = [0.0, 0.3, 0.0] - 0.2*ball.root.a_abs
        currentAction = Modia3D.executeActions(modelActions)
    ]
)
release = @instantiateModel(Release, unitless = true)
for algorithm in [CVODE_BDF(), Tsit5()]
    simulate!(release, algorithm, stopTime = 1.5, tolerance = 1e-9)
    place(k) = vec(getValues(release, "ball.root.r_abs")[k, :])
    n = size(getValues(release, "r"), 1)
    @test maximum(abs.(place(n) - place(1) - vec(getValues(release, "r")[end, :]))) < 1e-6
    # Free for a second: (m + 0.2) v' = 0.3 along y.
    v = getValues(release, "ball.root.v_abs")
    k = findlast(getValues(release, "time") .<= 0.6)
    @test maximum(abs.(v[end, :] - v[k, :] - [0.0, 0.3/0.7*(1.5 - getValues(release, "time")[k]), 0.0])) < 1e-6
end

# ---- two parts ------------------------------------------------------------------------------------

# Each feels the acceleration of the other, and a spring is between them.
Slide(m) = Model3D(
    world = Object3D(feature = Scene(gravityField = NoGravityField())),
    b = Object3D(feature = solid(m)),
    j = Prismatic(obj1 = :world, obj2 = :b), f = WorldForce(objectApply = :b)
)
Apart = Model(p = Slide(2.0), q = Slide(3.0), equations = :[
    p.f.force = [1.0 - 0.5*q.b.a_abs[1] - 4.0*(p.b.r_abs[1] - q.b.r_abs[1]), 0.0, 0.0]
    q.f.force = [0.5*p.b.a_abs[1] + 4.0*(p.b.r_abs[1] - q.b.r_abs[1]), 0.0, 0.0]
])
Plain = Model(x = Var(init = 0.0), y = Var(init = 0.0), u = Var(init = 0.0), v = Var(init = 0.0), equations = :[
    der(x) = u; der(y) = v; 2.0*der(u) = 1.0 - 0.5*der(v) - 4.0*(x - y); 3.0*der(v) = 0.5*der(u) + 4.0*(x - y)])
apart = @instantiateModel(Apart, unitless = true)
plain = @instantiateModel(Plain, unitless = true)
simulate!(plain, Tsit5(), stopTime = 2.0, tolerance = 1e-10)
for algorithm in algorithms
    simulate!(apart, algorithm, stopTime = 2.0, tolerance = 1e-9)
    @test abs(getLastValue(apart, "p.j.s") - getLastValue(plain, "x")) < 1e-7
    @test abs(getLastValue(apart, "q.j.s") - getLastValue(plain, "y")) < 1e-7
end
