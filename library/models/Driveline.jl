# Rotational drives beyond Rotational.jl: friction that sticks, clutches, brakes, play, gears with losses, belts, sources and sensors.
#
# Dry friction is written as it is, a torque that jumps with the sign of the speed. Where both sides of the jump lead back to it the parts
# stick: the run slides along the jump (docs/theory/accuracy.md), the speed is zero and the torque what holds them. Nothing creeps.

include("Electric.jl")
include("Rotational.jl")
include("Translational.jl")

# ---- friction, clutches, brakes -------------------------------------------------------------

# Between sticking (peak) and sliding (level) friction falls with the speed: Stribeck's curve.
stribeck(w, level, peak, w_s) = level + (peak - level)*exp(-(w/w_s)^2)

"""
    PartialRelative

Base of what acts between two flanges: relative angle `phi_rel` and speed `w_rel`, torque `tau`.
"""
PartialRelative = Model(
    flange_a = Flange,
    flange_b = Flange,
    phi_rel = Var(start = 0.0u"rad"),
    equations = :[
        phi_rel = flange_b.phi - flange_a.phi
        w_rel = der(phi_rel)
        flange_b.tau = tau
        flange_a.tau = -tau
    ]
)

"""
    Friction

Dry friction between two flanges with true stick: up to `tau_s` it holds; sliding it falls to `tau_c` with the speed `w_s` (Stribeck), beside the viscous part `d`.
"""
Friction = PartialRelative | Model(
    tau_c = 1.0u"N*m",
    tau_s = 1.2u"N*m",
    w_s = 0.1u"rad/s",
    d = 0.0u"N*m*s/rad",
    equations = :[
        tau = stribeck(w_rel, tau_c, tau_s, w_s)*sign(w_rel) + d*w_rel
    ]
)

"""
    BearingFriction

`Friction` of a shaft against its housing, which stands still.
"""
BearingFriction = Model(
    flange_a = Flange,
    flange_b = Flange,
    tau_c = 1.0u"N*m",
    tau_s = 1.2u"N*m",
    w_s = 0.1u"rad/s",
    d = 0.0u"N*m*s/rad",
    phi = Var(start = 0.0u"rad"),
    equations = :[
        phi = flange_a.phi
        phi = flange_b.phi
        w = der(phi)
        tau = stribeck(w, tau_c, tau_s, w_s)*sign(w) + d*w
        flange_a.tau + flange_b.tau = tau
    ]
)

"""
    Clutch

Friction clutch: the input `u` (0 to 1) presses it together; then it carries up to `u*tau_s` while it sticks and `u*tau_c` while it slips fast.
"""
Clutch = PartialRelative | Model(
    u = input,
    tau_c = 100.0u"N*m",
    tau_s = 110.0u"N*m",
    w_s = 1.0u"rad/s",
    equations = :[
        tau = u*stribeck(w_rel, tau_c, tau_s, w_s)*sign(w_rel)
    ]
)

"""
    Brake

Friction brake of a shaft against its housing, pressed by the input `u` (0 to 1); torques as in `Clutch`.
"""
Brake = Model(
    flange_a = Flange,
    flange_b = Flange,
    u = input,
    tau_c = 100.0u"N*m",
    tau_s = 110.0u"N*m",
    w_s = 1.0u"rad/s",
    phi = Var(start = 0.0u"rad"),
    equations = :[
        phi = flange_a.phi
        phi = flange_b.phi
        w = der(phi)
        tau = u*stribeck(w, tau_c, tau_s, w_s)*sign(w)
        flange_a.tau + flange_b.tau = tau
    ]
)

"""
    OneWayClutch

`flange_b` may turn faster than `flange_a`, but not slower: then it is taken along, with up to `tau_max`.
"""
OneWayClutch = PartialRelative | Model(
    tau_max = 1.0e4u"N*m",
    equations = :[
        tau = if w_rel < 0*w_rel; -tau_max else 0*tau_max end
    ]
)

# ---- play -----------------------------------------------------------------------------------

# Spring force and damper force of a stop: together they neither pull nor jump. As one clamp, so that what is zero is zero and no difference.
pressed(spring, damper) = clamp(spring + damper, 0*spring, 2*max(spring, 0*spring))

"""
    Backlash

Play of the width `b` between two flanges, with a spring `c` and a damper `d` at both ends of it. The damper acts only as far as the spring does, so that
nothing pulls and nothing jumps.
"""
Backlash = PartialRelative | Model(
    b = 0.01u"rad",
    c = 1.0e4u"N*m/rad",
    d = 10.0u"N*m*s/rad",
    equations = :[
        tau = if phi_rel > b/2; pressed(c*(phi_rel - b/2), d*w_rel)
              elseif phi_rel < -b/2; -pressed(-c*(phi_rel + b/2), -d*w_rel)
              else 0*c*phi_rel end
    ]
)

"""
    RotationalStop

Keeps the angle of a flange between `phi_min` and `phi_max`, with a spring `c` and a damper `d` beyond them as in `Backlash`.
"""
RotationalStop = Model(
    flange = Flange,
    phi_min = -1.0u"rad",
    phi_max = 1.0u"rad",
    c = 1.0e4u"N*m/rad",
    d = 10.0u"N*m*s/rad",
    phi = Var(start = 0.0u"rad"),
    equations = :[
        phi = flange.phi
        w = der(phi)
        flange.tau = if phi > phi_max; pressed(c*(phi - phi_max), d*w)
                     elseif phi < phi_min; -pressed(-c*(phi - phi_min), -d*w)
                     else 0*c*phi end
    ]
)

# ---- gears ----------------------------------------------------------------------------------

"""
    LossyGear

Gear of the given `ratio` (`flange_a` turns `ratio` times as far as `flange_b`) whose teeth rub with the part `1 - eta` of the torque at `flange_a`: of power that goes
from `a` to `b` the part `eta` arrives, in the other direction `1/(2 - eta)`. At rest it sticks. `tau_f` is friction of the bearings at `flange_a` without load.
"""
LossyGear = Model(
    flange_a = Flange,
    flange_b = Flange,
    ratio = 1.0,
    eta = 0.95,
    tau_f = 0.0u"N*m",
    phi_a = Var(start = 0.0u"rad"),
    equations = :[
        phi_a = flange_a.phi
        phi_a = ratio*flange_b.phi
        w_a = der(phi_a)
        load = if flange_a.tau > 0*tau_f; flange_a.tau else -flange_a.tau end
        loss = ((1 - eta)*load + tau_f)*sign(w_a)
        0 = ratio*(flange_a.tau - loss) + flange_b.tau
    ]
)

"""
    PlanetaryGear

Planetary gear without mass and loss; `ratio` is the number of teeth of the ring over those of the sun.
"""
PlanetaryGear = Model(
    sun = Flange,
    carrier = Flange,
    ring = Flange,
    ratio = 2.0,
    equations = :[
        (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi
        ring.tau = ratio*sun.tau
        carrier.tau = -(1 + ratio)*sun.tau
    ]
)

"""
    Belt

Belt around pulleys of the radii `r_a` and `r_b`, with the stiffness `c` and damping `d` of both of its strands together: the force `f` along it follows from `r_a*phi_a - r_b*phi_b`.
"""
Belt = Model(
    flange_a = Flange,
    flange_b = Flange,
    r_a = 0.05u"m",
    r_b = 0.1u"m",
    c = 1.0e5u"N/m",
    d = 100.0u"N*s/m",
    stretch = Var(start = 0.0u"m"),
    equations = :[
        stretch = r_a*flange_a.phi - r_b*flange_b.phi
        f = c*stretch + d*der(stretch)
        flange_a.tau = r_a*f
        flange_b.tau = -r_b*f
    ]
)

"""
    RackAndPinion

Pinion of radius `r` on a rack: `s = r*phi`, without loss.
"""
RackAndPinion = Model(
    flange = Flange,
    rod = TranslationalFlange,
    r = 0.01u"m",
    equations = :[
        rod.s = r*flange.phi
        0 = flange.tau + r*rod.f
    ]
)

"""
    LeadScrew

Screw that moves its nut by `lead` per turn; its thread rubs with the part `1 - eta` of the torque at `flange`, as in `LossyGear`.
"""
LeadScrew = Model(
    flange = Flange,
    nut = TranslationalFlange,
    lead = 0.005u"m",
    eta = 0.9,
    phi = Var(start = 0.0u"rad"),
    equations = :[
        phi = flange.phi
        w = der(phi)
        nut.s = lead*phi/(2*pi)
        0 = flange.tau - (1 - eta)*abs(flange.tau)*sign(w) + lead/(2*pi)*nut.f
    ]
)

"""
    Tyre

Wheel of radius `r` that rolls on a road: `flange` is its axle, `road` what it pushes forward. The force along the road is `mu*N*sin(C*atan(B*slip))` (Pacejka's formula) with the load `N`, and
the slip `(r*w - v)/sqrt(v^2 + v_min^2)`. It has no mass.
"""
Tyre = Model(
    flange = Flange,
    road = TranslationalFlange,
    r = 0.3u"m",
    N = 4000.0u"N",
    mu = 0.9,
    B = 10.0,
    C = 1.6,
    v_min = 0.5u"m/s",
    phi = Var(start = 0.0u"rad"),
    s = Var(start = 0.0u"m"),
    equations = :[
        phi = flange.phi
        s = road.s
        w = der(phi)
        v = der(s)
        slip = (r*w - v)/sqrt(v^2 + v_min^2)
        f = mu*N*sin(C*atan(B*slip))
        flange.tau = r*f
        road.f = -f
    ]
)

# ---- sources and sensors --------------------------------------------------------------------

"""
    ConstantTorque

Drives the flange with the torque `tau`.
"""
ConstantTorque = Model(
    flange = Flange,
    tau = 1.0u"N*m",
    equations = :[
        flange.tau = -tau
    ]
)

"""
    FanTorque

Load that grows with the square of the speed: `tau_n` at the speed `w_n`, against the motion.
"""
FanTorque = Model(
    flange = Flange,
    tau_n = 1.0u"N*m",
    w_n = 100.0u"rad/s",
    phi = Var(start = 0.0u"rad"),
    equations = :[
        phi = flange.phi
        w = der(phi)
        flange.tau = tau_n*w*abs(w)/w_n^2
    ]
)

"""
    SpeedSource

Leads the flange with the speed `w`, an input with the unit rad/s; `phi` is a state.
"""
SpeedSource = Model(
    flange = Flange,
    w = input,
    phi = Var(init = 0.0u"rad"),
    equations = :[
        der(phi) = w
        flange.phi = phi
    ]
)

"""
    AngleSource

Leads the flange to the angle `phi`, an input with the unit rad that can be differentiated twice.
"""
AngleSource = Model(
    flange = Flange,
    phi = input,
    equations = :[
        flange.phi = phi
    ]
)

"""
    TorqueSensor

Measures the torque `tau` that goes from `flange_a` through the sensor to `flange_b`.
"""
TorqueSensor = Model(
    flange_a = Flange,
    flange_b = Flange,
    tau = output,
    equations = :[
        flange_a.phi = flange_b.phi
        0 = flange_a.tau + flange_b.tau
        tau = flange_a.tau
    ]
)

"""
    RelativeSpeedSensor

Measures how much faster `flange_b` turns than `flange_a`; takes no torque.
"""
RelativeSpeedSensor = Model(
    flange_a = Flange,
    flange_b = Flange,
    w = output,
    equations = :[
        w = der(flange_b.phi - flange_a.phi)
        flange_a.tau = 0.0u"N*m"
        flange_b.tau = 0.0u"N*m"
    ]
)

"""
    AngularAccelerationSensor

Measures the angular acceleration of the flange.
"""
AngularAccelerationSensor = Model(
    flange = Flange,
    a = output,
    equations = :[
        w = der(flange.phi)
        a = der(w)
        flange.tau = 0.0u"N*m"
    ]
)
