# Electric machines and three-phase circuits. A plug is three phases in one; machines have a shaft with inertia and a flange, and their windings in a star
# without a fourth wire. Space vectors keep amplitudes: torque is 3/2 p (psi x i) with the number of pole pairs p.

include("Circuits.jl")
include("Driveline.jl")

# ---- three phases ---------------------------------------------------------------------------

"""
    Plug

Three-phase terminal: voltages `va`, `vb`, `vc` against the common reference and currents `ia`, `ib`, `ic` into the component.
"""
Plug = Model(
    va = potential,
    vb = potential,
    vc = potential,
    ia = flow,
    ib = flow,
    ic = flow
)

"""
    PlugToPins

Gives the three phases of a plug as the pins `a`, `b` and `c`.
"""
PlugToPins = Model(
    plug = Plug,
    a = Pin,
    b = Pin,
    c = Pin,
    equations = :[
        plug.va = a.v
        plug.vb = b.v
        plug.vc = c.v
        0 = plug.ia + a.i
        0 = plug.ib + b.i
        0 = plug.ic + c.i
    ]
)

"""
    Star

Joins the three pins of a plug in the pin `n`.
"""
Star = Model(
    plug = Plug,
    n = Pin,
    equations = :[
        plug.va = n.v
        plug.vb = n.v
        plug.vc = n.v
        0 = plug.ia + plug.ib + plug.ic + n.i
    ]
)

"""
    ThreePhaseVoltage

Source of three sines of amplitude `V` against its star point `n`, each a third of a turn behind the one before: `a`, `b`, `c`.
"""
ThreePhaseVoltage = Model(
    plug = Plug,
    n = Pin,
    V = 325.0u"V",
    f = 50.0u"Hz",
    phase = 0.0u"rad",
    equations = :[
        angle = 2*pi*f*time + phase
        plug.va - n.v = V*cos(angle)
        plug.vb - n.v = V*cos(angle - 2*pi/3)
        plug.vc - n.v = V*cos(angle + 2*pi/3)
        0 = plug.ia + plug.ib + plug.ic + n.i
    ]
)

"""
    ThreePhaseSignalVoltage

Three voltages against the star point `n` that follow the vector `v` of signals with the unit V.
"""
ThreePhaseSignalVoltage = Model(
    plug = Plug,
    n = Pin,
    v = input,
    equations = :[
        plug.va - n.v = v[1]
        plug.vb - n.v = v[2]
        plug.vc - n.v = v[3]
        0 = plug.ia + plug.ib + plug.ic + n.i
    ]
)

"""
    ThreePhaseLoad

Resistance `R` and inductance `L` in each phase between two plugs.
"""
ThreePhaseLoad = Model(
    plug_p = Plug,
    plug_n = Plug,
    R = 1.0u"Ω",
    L = 0.001u"H",
    ia = Var(init = 0.0u"A"),
    ib = Var(init = 0.0u"A"),
    ic = Var(init = 0.0u"A"),
    equations = :[
        ia = plug_p.ia
        ib = plug_p.ib
        ic = plug_p.ic
        0 = plug_p.ia + plug_n.ia
        0 = plug_p.ib + plug_n.ib
        0 = plug_p.ic + plug_n.ic
        plug_p.va - plug_n.va = R*ia + L*der(ia)
        plug_p.vb - plug_n.vb = R*ib + L*der(ib)
        plug_p.vc - plug_n.vc = R*ic + L*der(ic)
    ]
)

"""
    Inverter

Three half bridges between the pins `p` and `n` of a direct voltage, averaged over a period of their switches: phase `k` has the part `duty[k]` (0 to 1) of the voltage.
Power in is power out.
"""
Inverter = Model(
    p = Pin,
    n = Pin,
    plug = Plug,
    duty = input,
    equations = :[
        v = p.v - n.v
        plug.va - n.v = duty[1]*v
        plug.vb - n.v = duty[2]*v
        plug.vc - n.v = duty[3]*v
        p.i = -(duty[1]*plug.ia + duty[2]*plug.ib + duty[3]*plug.ic)
        0 = p.i + n.i + plug.ia + plug.ib + plug.ic
    ]
)

"""
    Chopper

Bridge of four switches between a direct voltage at `p` and `n` and a load at `a` and `b`, averaged over a period of its switches: the load has the part `duty` (-1 to 1) of the voltage.
Power in is power out.
"""
Chopper = Model(
    p = Pin,
    n = Pin,
    a = Pin,
    b = Pin,
    duty = input,
    equations = :[
        a.v - n.v = (1 + duty)/2*(p.v - n.v)
        b.v - n.v = (1 - duty)/2*(p.v - n.v)
        p.i = -((1 + duty)/2*a.i + (1 - duty)/2*b.i)
        0 = p.i + n.i + a.i + b.i
    ]
)

# ---- machines -------------------------------------------------------------------------------

"""
    PartialMachine

Base of the machines: a rotor with the inertia `J`, driven by the torque `tau` between stator and rotor; `d` is the friction of its bearings.
"""
PartialMachine = Model(
    flange = Flange,
    J = 0.01u"kg*m^2",
    d = 0.0u"N*m*s/rad",
    phi = Var(init = 0.0u"rad"),
    w = Var(init = 0.0u"rad/s"),
    equations = :[
        phi = flange.phi
        w = der(phi)
        J*der(w) = tau + flange.tau - d*w
    ]
)

"""
    DCMachine

Direct-current machine with permanent magnets: resistance `R` and inductance `L` of the armature, and `k`, the torque for a current and voltage for a speed.
"""
DCMachine = PartialMachine | Model(
    p = Pin,
    n = Pin,
    R = 1.0u"Ω",
    L = 0.001u"H",
    k = 0.1u"N*m/A",
    i = Var(init = 0.0u"A"),
    equations = :[
        i = p.i
        0 = p.i + n.i
        v = p.v - n.v
        v = R*i + L*der(i) + k*w
        tau = k*i
    ]
)

"""
    DCExcitedMachine

Direct-current machine with an excitation winding between `ep` and `en` (`Re`, `Le`): flux is `Lm` times its current, torque `Lm*ie*i`. In series or in parallel with the
armature by the connections.
"""
DCExcitedMachine = PartialMachine | Model(
    p = Pin,
    n = Pin,
    ep = Pin,
    en = Pin,
    R = 1.0u"Ω",
    L = 0.001u"H",
    Re = 100.0u"Ω",
    Le = 1.0u"H",
    Lm = 0.1u"H",
    i = Var(init = 0.0u"A"),
    ie = Var(init = 0.0u"A"),
    equations = :[
        i = p.i
        0 = p.i + n.i
        ie = ep.i
        0 = ep.i + en.i
        p.v - n.v = R*i + L*der(i) + Lm*ie*w
        ep.v - en.v = Re*ie + Le*der(ie)
        tau = Lm*ie*i
    ]
)

"""
    PMMachine

Synchronous machine with permanent magnets: `p` pole pairs, flux `psi` of the magnets, resistance `R` and the inductances `Ld` along the flux and `Lq` across it. `id` and `iq` are
the currents in the frame of the rotor, in which `tau = 3/2*p*(psi*iq + (Ld - Lq)*id*iq)`. At `phi = 0` the flux points along phase `a`.
"""
PMMachine = PartialMachine | Model(
    plug = Plug,
    p = 4,
    R = 0.1u"Ω",
    Ld = 0.001u"H",
    Lq = 0.001u"H",
    psi = 0.05u"Wb",
    id = Var(init = 0.0u"A"),
    iq = Var(init = 0.0u"A"),
    equations = :[
        angle = p*phi
        vd = alongFrame(angle, plug.va, plug.vb, plug.vc)
        vq = acrossFrame(angle, plug.va, plug.vb, plug.vc)
        vd = R*id + Ld*der(id) - p*w*Lq*iq
        vq = R*iq + Lq*der(iq) + p*w*(Ld*id + psi)
        plug.ia = id*cos(angle) - iq*sin(angle)
        plug.ib = id*cos(angle - 2*pi/3) - iq*sin(angle - 2*pi/3)
        plug.ic = id*cos(angle + 2*pi/3) - iq*sin(angle + 2*pi/3)
        tau = 1.5*p*(psi*iq + (Ld - Lq)*id*iq)
    ]
)

"""
    alongFrame(angle, a, b, c)

Of three phases the part along a frame turned by `angle` (Park's d); `acrossFrame` is the part across it (q).
"""
alongFrame(angle, a, b, c) = (2*a*cos(angle) + 2*b*cos(angle - 2*pi/3) + 2*c*cos(angle + 2*pi/3))/3
acrossFrame(angle, a, b, c) = -(2*a*sin(angle) + 2*b*sin(angle - 2*pi/3) + 2*c*sin(angle + 2*pi/3))/3

"""
    InductionMachine

Induction machine with a cage: `p` pole pairs, stator `Rs`, `Ls` (leakage), rotor `Rr`, `Lr` (leakage, both seen from the stator), and the magnetizing inductance `Lm`. The states are the flux
linkages of stator and rotor in the frame of the stator.
"""
InductionMachine = PartialMachine | Model(
    plug = Plug,
    p = 2,
    Rs = 0.5u"Ω",
    Ls = 0.003u"H",
    Rr = 0.4u"Ω",
    Lr = 0.003u"H",
    Lm = 0.1u"H",
    psi_sx = Var(init = 0.0u"Wb"),
    psi_sy = Var(init = 0.0u"Wb"),
    psi_rx = Var(init = 0.0u"Wb"),
    psi_ry = Var(init = 0.0u"Wb"),
    equations = :[
        vx = alongFrame(0.0, plug.va, plug.vb, plug.vc)
        vy = acrossFrame(0.0, plug.va, plug.vb, plug.vc)
        det = (Ls + Lm)*(Lr + Lm) - Lm^2
        isx = ((Lr + Lm)*psi_sx - Lm*psi_rx)/det
        isy = ((Lr + Lm)*psi_sy - Lm*psi_ry)/det
        irx = ((Ls + Lm)*psi_rx - Lm*psi_sx)/det
        iry = ((Ls + Lm)*psi_ry - Lm*psi_sy)/det
        der(psi_sx) = vx - Rs*isx
        der(psi_sy) = vy - Rs*isy
        der(psi_rx) = -Rr*irx - p*w*psi_ry
        der(psi_ry) = -Rr*iry + p*w*psi_rx
        tau = 1.5*p*(psi_sx*isy - psi_sy*isx)
        plug.ia = isx
        plug.ib = -isx/2 + isy*sqrt(3.0)/2
        plug.ic = -isx/2 - isy*sqrt(3.0)/2
    ]
)

"""
    GearMotor

Motor with gear: a `DCMachine` (`R`, `L`, `k`, rotor `J`) behind a `LossyGear` (`ratio`, `eta`, `tau_f`). `flange` is its shaft behind the gear.
"""
GearMotor = Model(
    p = Pin,
    n = Pin,
    flange = Flange,
    R = 1.0u"Ω",
    L = 0.001u"H",
    k = 0.1u"N*m/A",
    J = 1.0e-4u"kg*m^2",
    ratio = 10.0,
    eta = 0.9,
    tau_f = 0.0u"N*m",
    motor = DCMachine | Map(R = :R, L = :L, k = :k, J = :J),
    gear = LossyGear | Map(ratio = :ratio, eta = :eta, tau_f = :tau_f),
    connect = :[
        (p, motor.p)
        (n, motor.n)
        (motor.flange, gear.flange_a)
        (gear.flange_b, flange)
    ]
)
