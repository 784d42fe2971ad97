# One-dimensional rotation: shafts, springs, gears. The electromotive force couples to Electric.jl,
# which is included with this file unless its pins are there already.
@isdefined(Pin) || include("Electric.jl")

"""
    Flange

End of a shaft with its angle `phi` and the torque `tau` that acts into the component.
"""
Flange = Model(
    phi = potential,
    tau = flow
)

"""
    Fixed

Holds the flange at the angle zero.
"""
Fixed = Model(
    flange = Flange,
    equations = :[
        flange.phi = 0.0
    ]
)

"""
    Inertia

Rigid shaft with the moment of inertia `J`; angle `phi` and speed `w` are its states.
"""
Inertia = Model(
    flange_a = Flange,
    flange_b = Flange,
    J = 1.0u"kg*m^2",
    phi = Var(init=0.0u"rad"),
    w = Var(init=0.0u"rad/s"),
    equations = :[
        phi = flange_a.phi
        phi = flange_b.phi
        w = der(phi)
        a = der(w)
        J*a = flange_a.tau + flange_b.tau
    ]
)

"""
    PartialCompliant

Base of elastic parts without mass: relative angle `phi_rel` and torque `tau` between two flanges.
"""
PartialCompliant = Model(
    flange_a = Flange,
    flange_b = Flange,
    equations = :[
        phi_rel = flange_b.phi - flange_a.phi
        flange_b.tau = tau
        flange_a.tau = -tau
    ]
)

"""
    Spring

Linear spring of stiffness `c`, free of torque at the relative angle `phi_rel0`.
"""
Spring = PartialCompliant | Model(
    c = 1.0u"N*m/rad",
    phi_rel0 = 0.0u"rad",
    equations = :[
        tau = c*(phi_rel - phi_rel0)
    ]
)

"""
    SpringDamper

Linear spring of stiffness `c` with a damper `d` beside it.
"""
SpringDamper = PartialCompliant | Model(
    c = 1.0u"N*m/rad",
    d = 0.0u"N*m*s/rad",
    phi_rel0 = 0.0u"rad",
    equations = :[
        tau = c*(phi_rel - phi_rel0) + d*der(phi_rel)
    ]
)

"""
    Damper

Linear damper between two flanges.
"""
Damper = Model(
    flange_a = Flange,
    flange_b = Flange,
    d = 1.0u"N*m*s/rad",
    phi_rel = Var(start=0.0u"rad"),
    equations = :[
        phi_rel = flange_b.phi - flange_a.phi
        w_rel = der(phi_rel)
        flange_b.tau = tau
        flange_a.tau = -tau
        tau = d*w_rel
    ]
)

"""
    EMF

Ideal electromotive force with the transformation coefficient `k`: couples current and torque,
voltage and speed.
"""
EMF = Model(
    k = 1.0u"N*m/A",
    p = Pin,
    n = Pin,
    flange = Flange,
    equations = :[
        v = p.v - n.v
        0 = p.i + n.i
        i = p.i
        phi = flange.phi
        w = der(phi)
        k*w = v
        flange.tau = -k*i
    ]
)

"""
    IdealGear

Gear without mass and loss: `flange_a` turns `ratio` times as far as `flange_b`.
"""
IdealGear = Model(
    flange_a = Flange,
    flange_b = Flange,
    ratio = 1.0,
    equations = :[
        phi_a = flange_a.phi
        phi_b = flange_b.phi
        phi_a = ratio*phi_b
        0 = ratio*flange_a.tau + flange_b.tau
    ]
)

"""
    IdealGear_withSupport

Ideal gear whose housing is the flange `support`.
"""
IdealGear_withSupport = Model(
    flange_a = Flange,
    flange_b = Flange,
    support = Flange,
    ratio = 1.0,
    equations = :[
        phi_a = flange_a.phi - support.phi
        phi_b = flange_b.phi - support.phi
        phi_a = ratio*phi_b
        0 = ratio*flange_a.tau + flange_b.tau
        0 = flange_a.tau + flange_b.tau + support.tau
    ]
)

"""
    PartialTorque

Base of the torques that act on a flange and follow the input `tau`.
"""
PartialTorque = Model(
    tau = input,
    flange = Flange
)

"""
    Torque

Drives the flange with the input `tau`, a signal with the unit N*m.
"""
Torque = PartialTorque | Model(
    equations = :[
        flange.tau = -tau
    ]
)

"""
    UnitlessTorque

Drives the flange with the input `tau`, a plain number of newton meters.
"""
UnitlessTorque = PartialTorque | Model(
    equations = :[
        flange.tau = -tau*u"N*m"
    ]
)

"""
    PartialAbsoluteSensor

Base of the sensors at one flange; they take no torque.
"""
PartialAbsoluteSensor = Model(
    flange = Flange,
    equations = :[
        flange.tau = 0
    ]
)

"""
    AngleSensor

Measures the angle of the flange.
"""
AngleSensor = PartialAbsoluteSensor | Model(
    phi = output,
    equations = :[
        phi = flange.phi
    ]
)

"""
    UnitlessAngleSensor

Measures the angle of the flange as a plain number of radians.
"""
UnitlessAngleSensor = PartialAbsoluteSensor | Model(
    phi = output,
    equations = :[
        phi = flange.phi*u"1/rad"
    ]
)

"""
    SpeedSensor

Measures the angular velocity of the flange.
"""
SpeedSensor = PartialAbsoluteSensor | Model(
    w = output,
    equations = :[
        w = der(flange.phi)
    ]
)

"""
    UnitlessSpeedSensor

Measures the angular velocity of the flange as a plain number of radians per second.
"""
UnitlessSpeedSensor = PartialAbsoluteSensor | Model(
    w = output,
    equations = :[
        w = der(flange.phi)*u"s/rad"
    ]
)
