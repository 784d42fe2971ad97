# One-dimensional translation: masses on a line, forces, sensors.

"""
    TranslationalFlange

End of a rod with its position `s` and the force `f` that acts into the component.
"""
TranslationalFlange = Model(
    s = potential,
    f = flow
)

"""
    FixedPosition

Holds the flange at the position zero.
"""
FixedPosition = Model(
    flange = TranslationalFlange,
    equations = :[
        flange.s = 0.0
    ]
)

"""
    PartialRigid

Base of rigid parts of length `L`; `s` is the position of the middle.
"""
PartialRigid = Model(
    flange_a = TranslationalFlange,
    flange_b = TranslationalFlange,
    L = 0.0u"m",
    equations = :[
        flange_a.s = s - L/2
        flange_b.s = s + L/2
    ]
)

"""
    TranslationalMass

Sliding mass `m`; position `s` and velocity `v` are its states.
"""
TranslationalMass = PartialRigid | Model(
    m = 1.0u"kg",
    s = Var(init=0.0u"m"),
    v = Var(init=0.0u"m/s"),
    equations = :[
        v = der(s)
        m*der(v) = flange_a.f + flange_b.f
    ]
)

"""
    PartialForce

Base of the forces that act on a flange and follow the input `f`.
"""
PartialForce = Model(
    f = input,
    flange = TranslationalFlange
)

"""
    Force

Pushes the flange with the input `f`, a signal with the unit N.
"""
Force = PartialForce | Model(
    equations = :[
        flange.f = -f
    ]
)

"""
    UnitlessForce

Pushes the flange with the input `f`, a plain number of newtons.
"""
UnitlessForce = PartialForce | Model(
    equations = :[
        flange.f = -f*u"N"
    ]
)

"""
    PartialAbsoluteSensor

Base of the sensors at one flange; they take no force. (Rotational.jl has one of the same name;
components built from either keep what they were built from.)
"""
PartialAbsoluteSensor = Model(
    flange = TranslationalFlange,
    equations = :[
        flange.f = 0
    ]
)

"""
    PositionSensor

Measures the position of the flange.
"""
PositionSensor = PartialAbsoluteSensor | Model(
    s = output,
    equations = :[
        s = flange.s
    ]
)

"""
    UnitlessPositionSensor

Measures the position of the flange as a plain number of meters.
"""
UnitlessPositionSensor = PartialAbsoluteSensor | Model(
    s = output,
    equations = :[
        s = flange.s*u"1/m"
    ]
)

"""
    VelocitySensor

Measures the velocity of the flange.
"""
VelocitySensor = PartialAbsoluteSensor | Model(
    v = output,
    equations = :[
        v = der(flange.s)
    ]
)

"""
    UnitlessVelocitySensor

Measures the velocity of the flange as a plain number of meters per second.
"""
UnitlessVelocitySensor = PartialAbsoluteSensor | Model(
    v = output,
    equations = :[
        v = der(flange.s)*u"s/m"
    ]
)
