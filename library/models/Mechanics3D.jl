# Parts for 3D models: friction, end stops and motors of joints, tires on a plane, and what all parts of a model share.
#
# Flanges of `RevoluteWithFlange` and `PrismaticWithFlange` take every part of Driveline.jl and LinearMotion.jl. What is most often put there comes ready: joints with friction
# and stops, and motors whose rotor starts with the joint. Such a joint has a `flange` for further parts, too.
#
# Models with 3D parts are unitless, so values are plain numbers in SI units; values with units are converted.

include("Machines.jl")
include("LinearMotion.jl")

# ---- what is shared -------------------------------------------------------------------------

"""
    surroundings

What the parts of a model share: gravity `g` along `n`, the `height` of the ground against `n`, and its coefficient of friction `mu`. Parts look for it from the inside out, so
that one line at the beginning of a model, `surroundings = surroundings | Map(g = 1.62)`, changes it for everything in it. Own values are added in the same way: `surroundings | Map(wind = 3.0)`, and used as
`Par(value = :(surroundings.wind))`.
"""
surroundings = Map(
    g = 9.81,
    n = [0.0, -1.0, 0.0],
    height = 0.0,
    mu = 0.9
)

"""
    World(; keywords...)

The object with the `Scene`, in the gravity of the `surroundings`; `keywords` are those of `Scene`.

    world = World(nominalLength = 2.0, balance = true)
"""
World(; keywords...) = Object3D(feature = Scene(; gravityField = UniformGravityField(g = :(surroundings.g), n = :(surroundings.n)), keywords...))

# ---- friction and stops ---------------------------------------------------------------------

"""
    JointFriction

`Friction` for the flange of a joint, against `obj1`: up to `tau_s` it holds; turning it falls to `tau_c` with the speed `w_s` (Stribeck), beside the viscous part `d`. (For the flange of a `PrismaticWithFlange`
there is `GuideFriction`.)
"""
JointFriction = Model(
    flange = Flange,
    tau_c = 1.0u"N*m",
    tau_s = 1.2u"N*m",
    w_s = 0.1u"rad/s",
    d = 0.0u"N*m*s/rad",
    phi = Var(start = 0.0u"rad"),
    equations = :[
        phi = flange.phi
        w = der(phi)
        tau = stribeck(w, tau_c, tau_s, w_s)*sign(w) + d*w
        flange.tau = tau
    ]
)

"""
    LoadedFriction

Friction for the flange of a joint that grows with the `load` of its bearing, an input in N: `mu*r*load` with the radius `r` of the bearing. It sticks as `JointFriction` does. The load is what the joint
bears across its axis, e.g. `friction.load = sqrt(bearing[1]^2 + bearing[2]^2)` with `bearing = arm.R_abs*hinge.reactionForce`.
"""
LoadedFriction = Model(
    flange = Flange,
    load = input,
    mu = 0.1,
    r = 0.01u"m",
    phi = Var(start = 0.0u"rad"),
    equations = :[
        phi = flange.phi
        w = der(phi)
        tau = mu*r*load*sign(w)
        flange.tau = tau
    ]
)

"""
    RevoluteWithFriction(; obj1, obj2, axis=3, phi, w, canCollide=true, cut=false, friction...)

A revolute joint with dry friction that sticks; `friction` are parameters of `JointFriction`.

    hinge = RevoluteWithFriction(obj1 = :world, obj2 = :arm, tau_c = 2.0, tau_s = 2.5)
"""
RevoluteWithFriction(; obj1, obj2, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true, cut = false, friction...) = Model(;
    flange = Flange | Map(_optional = true),
    joint = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, phi = phi, w = w, canCollide = canCollide, cut = cut),
    friction = JointFriction | Map(; friction...),
    equations = :[
        phi = joint.phi
        w = joint.w
    ],
    connect = :[
        (flange, joint.flange, friction.flange)
    ]
)

"""
    PrismaticWithFriction(; obj1, obj2, axis=1, s, v, canCollide=true, cut=false, friction...)

A prismatic joint with dry friction that sticks; `friction` are parameters of `GuideFriction`.

    slide = PrismaticWithFriction(obj1 = :world, obj2 = :cart, f_c = 20.0, f_s = 25.0)
"""
PrismaticWithFriction(; obj1, obj2, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0), canCollide = true, cut = false, friction...) = Model(;
    flange = TranslationalFlange | Map(_optional = true),
    joint = PrismaticWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, s = s, v = v, canCollide = canCollide, cut = cut),
    friction = GuideFriction | Map(; friction...),
    equations = :[
        s = joint.s
        v = joint.v
    ],
    connect = :[
        (flange, joint.flange, friction.flange)
    ]
)

"""
    RevoluteWithStops(; obj1, obj2, axis=3, phi, w, canCollide=true, cut=false, stops...)

A revolute joint between two end stops, springs with dampers; `stops` are parameters of `RotationalStop`: `phi_min`, `phi_max`, `c`, `d`.

    hinge = RevoluteWithStops(obj1 = :world, obj2 = :door, axis = 2, phi_min = 0.0, phi_max = 2.0, c = 1.0e4, d = 50.0)
"""
RevoluteWithStops(; obj1, obj2, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true, cut = false, stops...) = Model(;
    flange = Flange | Map(_optional = true),
    joint = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, phi = phi, w = w, canCollide = canCollide, cut = cut),
    stop = RotationalStop | Map(; stops...),
    equations = :[
        phi = joint.phi
        w = joint.w
    ],
    connect = :[
        (flange, joint.flange, stop.flange)
    ]
)

"""
    PrismaticWithStops(; obj1, obj2, axis=1, s, v, canCollide=true, cut=false, stops...)

A prismatic joint between two end stops; `stops` are parameters of `LinearStop`: `s_min`, `s_max`, `c`, `d`.

    slide = PrismaticWithStops(obj1 = :world, obj2 = :drawer, s_min = 0.0, s_max = 0.4)
"""
PrismaticWithStops(; obj1, obj2, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0), canCollide = true, cut = false, stops...) = Model(;
    flange = TranslationalFlange | Map(_optional = true),
    joint = PrismaticWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, s = s, v = v, canCollide = canCollide, cut = cut),
    stop = LinearStop | Map(; stops...),
    equations = :[
        s = joint.s
        v = joint.v
    ],
    connect = :[
        (flange, joint.flange, stop.flange)
    ]
)

# ---- motors ---------------------------------------------------------------------------------

"""
    JointMotor

Direct-current motor with gear for the flange of a joint: `R`, `L`, `k` and the rotor `J` as in `DCMachine`, and `ratio`, `eta`, `tau_f` of its `LossyGear`. The rotor starts with the joint.
"""
JointMotor = Model(
    p = Pin,
    n = Pin,
    flange = Flange,
    R = 1.0u"Ω",
    L = 0.001u"H",
    k = 0.1u"N*m/A",
    J = 1.0e-4u"kg*m^2",
    ratio = 50.0,
    eta = 0.9,
    tau_f = 0.0u"N*m",
    motor = DCMachine | Map(R = :R, L = :L, k = :k, J = :J, phi = Var(init = nothing), w = Var(init = nothing)),
    gear = LossyGear | Map(ratio = :ratio, eta = :eta, tau_f = :tau_f),
    connect = :[
        (p, motor.p)
        (n, motor.n)
        (motor.flange, gear.flange_a)
        (gear.flange_b, flange)
    ]
)

"""
    SlideMotor

Direct-current motor with a lead screw for the flange of a `PrismaticWithFlange`: `R`, `L`, `k`, `J` as in `DCMachine`, `lead` and `eta` of its `LeadScrew`. The rotor starts with the joint.
"""
SlideMotor = Model(
    p = Pin,
    n = Pin,
    flange = TranslationalFlange,
    R = 1.0u"Ω",
    L = 0.001u"H",
    k = 0.1u"N*m/A",
    J = 1.0e-4u"kg*m^2",
    lead = 0.005u"m",
    eta = 0.9,
    motor = DCMachine | Map(R = :R, L = :L, k = :k, J = :J, phi = Var(init = nothing), w = Var(init = nothing)),
    screw = LeadScrew | Map(lead = :lead, eta = :eta),
    connect = :[
        (p, motor.p)
        (n, motor.n)
        (motor.flange, screw.flange)
        (screw.nut, flange)
    ]
)

"""
    RevoluteWithMotor(; obj1, obj2, axis=3, phi, w, canCollide=true, motor...)

A revolute joint with a `JointMotor`, whose parameters are `motor`. Its pins are `p` and `n`.

    shoulder = RevoluteWithMotor(obj1 = :world, obj2 = :arm, ratio = 100.0, R = 0.5)   # connect = :[(source.p, shoulder.p); (source.n, shoulder.n)]
"""
RevoluteWithMotor(; obj1, obj2, axis = 3, phi = Var(init = 0.0), w = Var(init = 0.0), canCollide = true, motor...) = Model(;
    p = Pin,
    n = Pin,
    flange = Flange | Map(_optional = true),
    joint = RevoluteWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, phi = phi, w = w, canCollide = canCollide),
    drive = JointMotor | Map(; motor...),
    equations = :[
        phi = joint.phi
        w = joint.w
    ],
    connect = :[
        (p, drive.p)
        (n, drive.n)
        (flange, drive.flange, joint.flange)
    ]
)

"""
    PrismaticWithMotor(; obj1, obj2, axis=1, s, v, canCollide=true, motor...)

A prismatic joint with a `SlideMotor`, whose parameters are `motor`. Its pins are `p` and `n`.

    lift = PrismaticWithMotor(obj1 = :world, obj2 = :table, axis = 2, lead = 0.01)
"""
PrismaticWithMotor(; obj1, obj2, axis = 1, s = Var(init = 0.0), v = Var(init = 0.0), canCollide = true, motor...) = Model(;
    p = Pin,
    n = Pin,
    flange = TranslationalFlange | Map(_optional = true),
    joint = PrismaticWithFlange(obj1 = obj1, obj2 = obj2, axis = axis, s = s, v = v, canCollide = canCollide),
    drive = SlideMotor | Map(; motor...),
    equations = :[
        s = joint.s
        v = joint.v
    ],
    connect = :[
        (p, drive.p)
        (n, drive.n)
        (flange, drive.flange, joint.flange)
    ]
)

# ---- tires ----------------------------------------------------------------------------------

# sin(C atan(B s))/s: even and smooth through s = 0. What is added to the square is far below what any slip has, and above the smallest numbers.
pacejka(squares, B, C) = sin(C*atan(B*sqrt(squares + 1.0e-24)))/sqrt(squares + 1.0e-24)

"""
    TyreOnPlane(; wheel, axis=3, radius=0.3, c=2.0e5, d=2.0e3, B=10.0, C=1.6, roll=0.0, v_min=0.5, mu, height)

The tire of the object `wheel`, whose axle is its `axis` through its origin, on the ground of the `surroundings`. The tire is a thin disk of the `radius` with the stiffness `c` and the damping `d` against the
ground; its load is `N`. Forward and lateral force are those of Pacejka's formula, `mu*N*sin(C*atan(B*slip))`, along the combined slip of both directions: `(radius*w - vx, -vy)/sqrt(vx^2 + v_min^2)` with the
velocity `vx`, `vy` of the axle and the spin `w`. `roll` is the coefficient of rolling resistance. `slip` and `force` have three elements: forward, sideways, up. Below `v_min` the tire acts like a damper, so that a car on a slope creeps.

    tire = TyreOnPlane(wheel = :frontLeft, axis = 3, radius = 0.31)
"""
TyreOnPlane(; wheel, axis = 3, radius = 0.3, c = 2.0e5, d = 2.0e3, B = 10.0, C = 1.6, roll = 0.0, v_min = 0.5, mu = :(surroundings.mu), height = :(surroundings.height)) = Model(;
    mu = Par(value = mu),
    height = Par(value = height),
    n = Par(value = :(-surroundings.n/sqrt(surroundings.n'*surroundings.n))),
    axle = Par(value = axis == 1 ? [1.0, 0.0, 0.0] : axis == 2 ? [0.0, 1.0, 0.0] : [0.0, 0.0, 1.0]),
    radius = radius,
    c = c,
    d = d,
    B = B,
    C = C,
    roll = roll,
    v_min = v_min,
    hub = Object3D(parent = wheel),
    push = WorldForce(objectApply = :hub),
    turn = WorldTorque(objectApply = :hub),
    equations = :[
        a = hub.R_abs'*axle
        forward = cross(a, n)/sqrt(cross(a, n)'*cross(a, n))
        aside = cross(n, forward)
        down = -cross(forward, a)
        spin = hub.R_abs'*hub.w_abs
        depth = height - n'*(hub.r_abs + radius*down)
        rate = -n'*(hub.v_abs + radius*cross(spin, down))
        N = if depth > 0.0; pressed(c*depth, d*rate) else 0.0 end
        v = sqrt((forward'*hub.v_abs)^2 + v_min^2)
        w = a'*spin
        slip = [(radius*w - forward'*hub.v_abs)/v, -(aside'*hub.v_abs)/v, 0.0]
        force = N*[mu*pacejka(slip'*slip, B, C)*slip[1], mu*pacejka(slip'*slip, B, C)*slip[2], 1.0]
        push.force = forward*force[1] + aside*force[2] + n*force[3]
        turn.torque = radius*cross(down, push.force) - a*(roll*radius*N*radius*w/sqrt((radius*w)^2 + v_min^2))
    ]
)
