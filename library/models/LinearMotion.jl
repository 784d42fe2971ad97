# Translation on a line beyond Translational.jl: springs, dampers, stops, friction that sticks, sources and sensors. The names begin with Linear where
# a rotational part has the same. What is said about friction in Driveline.jl holds here, too.

include("Translational.jl")

"""
    PartialLinear

Base of what acts between two flanges: distance `s_rel`, its rate `v_rel` and the force `f`, which pulls them together when positive.
"""
PartialLinear = Model(
    flange_a = TranslationalFlange,
    flange_b = TranslationalFlange,
    s_rel = Var(start = 0.0u"m"),
    equations = :[
        s_rel = flange_b.s - flange_a.s
        flange_b.f = f
        flange_a.f = -f
    ]
)

"""
    LinearSpring

Spring of the stiffness `c`, without force at the length `s_rel0`.
"""
LinearSpring = PartialLinear | Model(
    c = 1.0u"N/m",
    s_rel0 = 0.0u"m",
    equations = :[
        f = c*(s_rel - s_rel0)
    ]
)

"""
    LinearDamper

Damper of the coefficient `d`.
"""
LinearDamper = PartialLinear | Model(
    d = 1.0u"N*s/m",
    equations = :[
        v_rel = der(s_rel)
        f = d*v_rel
    ]
)

"""
    LinearSpringDamper

Spring of the stiffness `c`, without force at the length `s_rel0`, with a damper `d` beside it.
"""
LinearSpringDamper = PartialLinear | Model(
    c = 1.0u"N/m",
    d = 1.0u"N*s/m",
    s_rel0 = 0.0u"m",
    equations = :[
        v_rel = der(s_rel)
        f = c*(s_rel - s_rel0) + d*v_rel
    ]
)

# Spring force and damper force of a stop: together they neither pull nor jump. As one clamp, so that what is zero is zero and no difference.
pressedTogether(spring, damper) = clamp(spring + damper, 0*spring, 2*max(spring, 0*spring))

"""
    ElastoGap

Spring `c` and damper `d` that touch only while the distance is less than `s_rel0`: a bumper. The damper acts only as far as the spring does, so that it never pulls
and the force does not jump.
"""
ElastoGap = PartialLinear | Model(
    c = 1.0e5u"N/m",
    d = 100.0u"N*s/m",
    s_rel0 = 0.0u"m",
    equations = :[
        v_rel = der(s_rel)
        f = if s_rel < s_rel0; -pressedTogether(c*(s_rel0 - s_rel), -d*v_rel) else 0*c*s_rel end
    ]
)

"""
    LinearStop

Keeps the position of a flange between `s_min` and `s_max`, with a spring `c` and a damper `d` beyond them as in `ElastoGap`.
"""
LinearStop = Model(
    flange = TranslationalFlange,
    s_min = -1.0u"m",
    s_max = 1.0u"m",
    c = 1.0e5u"N/m",
    d = 100.0u"N*s/m",
    s = Var(start = 0.0u"m"),
    equations = :[
        s = flange.s
        v = der(s)
        flange.f = if s > s_max; pressedTogether(c*(s - s_max), d*v)
                   elseif s < s_min; -pressedTogether(-c*(s - s_min), -d*v)
                   else 0*c*s end
    ]
)

"""
    LinearFriction

Dry friction between two flanges with true stick: up to `f_s` it holds; sliding it falls to `f_c` with the speed `v_s` (Stribeck), beside the viscous part `d`.
"""
LinearFriction = PartialLinear | Model(
    f_c = 1.0u"N",
    f_s = 1.2u"N",
    v_s = 0.01u"m/s",
    d = 0.0u"N*s/m",
    equations = :[
        v_rel = der(s_rel)
        f = (f_c + (f_s - f_c)*exp(-(v_rel/v_s)^2))*sign(v_rel) + d*v_rel
    ]
)

"""
    GuideFriction

`LinearFriction` of a flange against the ground.
"""
GuideFriction = Model(
    flange = TranslationalFlange,
    f_c = 1.0u"N",
    f_s = 1.2u"N",
    v_s = 0.01u"m/s",
    d = 0.0u"N*s/m",
    s = Var(start = 0.0u"m"),
    equations = :[
        s = flange.s
        v = der(s)
        flange.f = (f_c + (f_s - f_c)*exp(-(v/v_s)^2))*sign(v) + d*v
    ]
)

"""
    ConstantForce

Pushes the flange with the force `f`.
"""
ConstantForce = Model(
    flange = TranslationalFlange,
    f = 1.0u"N",
    equations = :[
        flange.f = -f
    ]
)

"""
    DragForce

Resistance of air: `k*v^2` against the motion, `k` being half of density, drag coefficient and area.
"""
DragForce = Model(
    flange = TranslationalFlange,
    k = 0.4u"N*s^2/m^2",
    s = Var(start = 0.0u"m"),
    equations = :[
        s = flange.s
        v = der(s)
        flange.f = k*v*abs(v)
    ]
)

"""
    VelocitySource

Leads the flange with the velocity `v`, an input with the unit m/s; `s` is a state.
"""
VelocitySource = Model(
    flange = TranslationalFlange,
    v = input,
    s = Var(init = 0.0u"m"),
    equations = :[
        der(s) = v
        flange.s = s
    ]
)

"""
    PositionSource

Leads the flange to the position `s`, an input with the unit m that can be differentiated twice.
"""
PositionSource = Model(
    flange = TranslationalFlange,
    s = input,
    equations = :[
        flange.s = s
    ]
)

"""
    ForceSensor

Measures the force `f` that goes from `flange_a` through the sensor to `flange_b`.
"""
ForceSensor = Model(
    flange_a = TranslationalFlange,
    flange_b = TranslationalFlange,
    f = output,
    equations = :[
        flange_a.s = flange_b.s
        0 = flange_a.f + flange_b.f
        f = flange_a.f
    ]
)

"""
    AccelerationSensor

Measures the acceleration of the flange.
"""
AccelerationSensor = Model(
    flange = TranslationalFlange,
    a = output,
    equations = :[
        v = der(flange.s)
        a = der(v)
        flange.f = 0.0u"N"
    ]
)
