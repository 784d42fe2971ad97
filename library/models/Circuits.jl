# Electric circuits beyond Electric.jl: sources, sensors, switches, semiconductors, amplifiers, coils with iron. Ideal switches and
# diodes change at events; what they may carry together (bridges, rows, parallel ones) is found there.

include("Electric.jl")

# ---- sources --------------------------------------------------------------------------------

"""
    SineVoltage

Voltage source `v = offset + V*sin(2*pi*f*time + phase)`.
"""
SineVoltage = OnePort | Model(
    V = 1.0u"V",
    f = 50.0u"Hz",
    phase = 0.0u"rad",
    offset = 0.0u"V",
    equations = :[
        v = offset + V*sin(2*pi*f*time + phase)
    ]
)

"""
    StepVoltage

Voltage source that jumps from `V0` to `V` at `startTime`.
"""
StepVoltage = OnePort | Model(
    V0 = 0.0u"V",
    V = 1.0u"V",
    startTime = 0.0u"s",
    equations = :[
        v = if time < startTime; V0 else V end
    ]
)

"""
    PulseVoltage

Voltage source of rectangular pulses: `V` for the part `width` of every `period`, `V0` for the rest.
"""
PulseVoltage = OnePort | Model(
    V0 = 0.0u"V",
    V = 1.0u"V",
    period = 0.02u"s",
    width = 0.5,
    equations = :[
        v = if mod(time, period) < width*period; V else V0 end
    ]
)

"""
    ConstantCurrent

Ideal source that drives the current `I` from `p` to `n` through itself.
"""
ConstantCurrent = OnePort | Model(
    I = 1.0u"A",
    equations = :[
        i = I
    ]
)

"""
    SignalCurrent

Source whose current from `p` to `n` through itself follows the input `u`, a signal with the unit A.
"""
SignalCurrent = OnePort | Model(
    u = input,
    equations = :[
        i = u
    ]
)

"""
    PWM

Pulse width modulation: `y` is true for the part `u` (0 to 1) of every period `T`, from its beginning on. `u` is taken where a period begins.
"""
PWM = Model(
    u = input,
    y = output,
    T = 1.0e-4u"s",
    us = Var(start = 0.0),
    equations = :[
        us = sample(u, Clock(T))
        duty = hold(us, Clock(T))
        y = mod(time, T) < duty*T
    ]
)

"""
    Battery

Cell with the charge `Q` of which the part `soc` is left, an open-circuit voltage by the points (`ocv_soc`, `ocv_v`, straight in between)
and the inner resistance `R`. A current that leaves at `p` discharges it. The run ends when it is empty; charged beyond 1 it goes on along the last piece of the curve.
"""
Battery = OnePort | Model(
    Q = 3600.0u"A*s",
    R = 0.01u"Ω",
    ocv_soc = [0.0, 0.1, 0.9, 1.0],
    ocv_v = [3.0, 3.5, 4.0, 4.2]u"V",
    soc = Var(init = 1.0),
    equations = :[
        Q*der(soc) = i
        k = clamp(sum(soc .>= ocv_soc), 1, length(ocv_soc) - 1)
        ocv = ocv_v[k] + (ocv_v[k+1] - ocv_v[k])*(soc - ocv_soc[k])/(ocv_soc[k+1] - ocv_soc[k])
        v = ocv + R*i
        terminate(soc < 0.0, "the battery is empty")
    ]
)

# ---- sensors --------------------------------------------------------------------------------

"""
    VoltageSensor

Measures the voltage `v` from `p` to `n`; takes no current.
"""
VoltageSensor = Model(
    p = Pin,
    n = Pin,
    v = output,
    equations = :[
        v = p.v - n.v
        p.i = 0.0u"A"
        n.i = 0.0u"A"
    ]
)

"""
    PowerSensor

Measures the power `P` that goes from `pc` through the sensor to `nc`, at the voltage from `pv` to `nv`.
"""
PowerSensor = Model(
    pc = Pin,
    nc = Pin,
    pv = Pin,
    nv = Pin,
    P = output,
    equations = :[
        pc.v = nc.v
        0 = pc.i + nc.i
        pv.i = 0.0u"A"
        nv.i = 0.0u"A"
        P = (pv.v - nv.v)*pc.i
    ]
)

# ---- ideal switches and diodes --------------------------------------------------------------

"""
    IdealSwitch

Conducts with the resistance `Ron` while the input `on` is true, and with the conductance `Goff` while it is not.
"""
IdealSwitch = OnePort | Model(
    on = input,
    Ron = 1.0e-5u"Ω",
    Goff = 1.0e-5u"S",
    equations = :[
        0 = if on; v/u"V" - Ron*i/u"V" else i/u"A" - Goff*v/u"A" end
    ]
)

"""
    IdealDiode

Conducts from `p` to `n` with the resistance `Ron` beyond the knee voltage `Vknee`, and blocks with the conductance `Goff` below it. `s` runs
along this line of two pieces: the voltage below the knee, the current beyond it, in V and A.
"""
IdealDiode = OnePort | Model(
    Ron = 1.0e-5u"Ω",
    Goff = 1.0e-5u"S",
    Vknee = 0.0u"V",
    s = Var(start = 0.0),
    equations = :[
        closed = positive(s)
        v = Vknee + s*(if closed; Ron*u"A" else 1.0u"V" end)
        i = Goff*Vknee + s*(if closed; 1.0u"A" else Goff*u"V" end)
    ]
)

"""
    IdealThyristor

An `IdealDiode` that begins to conduct only while the input `fire` is true, and then goes on until its current ends.
"""
IdealThyristor = OnePort | Model(
    fire = input,
    Ron = 1.0e-5u"Ω",
    Goff = 1.0e-5u"S",
    Vknee = 0.0u"V",
    s = Var(start = 0.0),
    closed = Var(start = false),
    equations = :[
        closed = positive(s) && (fire || pre(closed))
        v = Vknee + s*(if closed; Ron*u"A" else 1.0u"V" end)
        i = Goff*Vknee + s*(if closed; 1.0u"A" else Goff*u"V" end)
    ]
)

# ---- semiconductors -------------------------------------------------------------------------

# exp(x) that goes on straight where it would become too large for a solver to come back from.
exlin(x, limit) = x < limit ? exp(min(x, limit)) : exp(limit)*(1 + x - limit)

"""
    Diode

Diode with the exponential law `i = Is*(exp(v/Vt) - 1) + v/R`; beyond `v = 40*Vt` the exponential goes on straight.
"""
Diode = OnePort | Model(
    Is = 1.0e-9u"A",
    Vt = 0.026u"V",
    R = 1.0e9u"Ω",
    equations = :[
        i = Is*(noEvent(exlin(v/Vt, 40.0)) - 1) + v/R
    ]
)

"""
    ZenerDiode

`Diode` that also breaks through backwards, at the voltage `Bv`, where its current is `Ibv`: `-Ibv*exp(-(v + Bv)/Nbv/Vt)` is added.
"""
ZenerDiode = OnePort | Model(
    Is = 1.0e-9u"A",
    Vt = 0.026u"V",
    R = 1.0e9u"Ω",
    Bv = 5.1u"V",
    Ibv = 0.001u"A",
    Nbv = 1.0,
    equations = :[
        i = Is*(noEvent(exlin(v/Vt, 40.0)) - 1) + v/R - Ibv*(noEvent(exlin(-(v + Bv)/(Nbv*Vt), 40.0)) - exp(-Bv/(Nbv*Vt)))
    ]
)

# Current from drain to source by Shichman and Hodges. The channel is symmetric: source is the end with the lower potential.
squareLaw(vgs, vds, vt, lambda) = vgs <= vt ? 0*vgs*vds :
                                  vds < vgs - vt ? (vgs - vt - vds/2)*vds*(1 + lambda*vds) : (vgs - vt)^2/2*(1 + lambda*vds)
channel(vgs, vds, vt, lambda) = vds >= 0*vds ? squareLaw(vgs, vds, vt, lambda) : -squareLaw(vgs - vds, -vds, vt, lambda)

"""
    NMOS

Field-effect transistor with gate `G`, drain `D`, source `S` and an n-channel: square law of Shichman and Hodges with the transconductance parameter `K`,
threshold `Vth` and channel modulation `lambda`. The gate takes no current.
"""
NMOS = Model(
    G = Pin,
    D = Pin,
    S = Pin,
    K = 0.02u"A/V^2",
    Vth = 1.5u"V",
    lambda = 0.0u"1/V",
    equations = :[
        G.i = 0.0u"A"
        D.i + S.i = 0
        D.i = K*channel(G.v - S.v, D.v - S.v, Vth, lambda)
    ]
)

"""
    PMOS

As `NMOS`, with a p-channel: conducts from source to drain when the gate is more than `Vth` below the source.
"""
PMOS = Model(
    G = Pin,
    D = Pin,
    S = Pin,
    K = 0.02u"A/V^2",
    Vth = 1.5u"V",
    lambda = 0.0u"1/V",
    equations = :[
        G.i = 0.0u"A"
        D.i + S.i = 0
        D.i = -K*channel(S.v - G.v, S.v - D.v, Vth, lambda)
    ]
)

"""
    NPN

Bipolar transistor with collector `C`, base `B` and emitter `E`, by Ebers and Moll (transport form): saturation current `Is`, forward and backward current gain `Bf`, `Br`.
"""
NPN = Model(
    C = Pin,
    B = Pin,
    E = Pin,
    Is = 1.0e-14u"A",
    Vt = 0.026u"V",
    Bf = 100.0,
    Br = 2.0,
    equations = :[
        vbe = B.v - E.v
        vbc = B.v - C.v
        f = Is*(noEvent(exlin(vbe/Vt, 40.0)) - 1)
        r = Is*(noEvent(exlin(vbc/Vt, 40.0)) - 1)
        C.i = f - r - r/Br
        B.i = f/Bf + r/Br
        0 = C.i + B.i + E.i
    ]
)

"""
    PNP

As `NPN`, with all voltages and currents turned around.
"""
PNP = Model(
    C = Pin,
    B = Pin,
    E = Pin,
    Is = 1.0e-14u"A",
    Vt = 0.026u"V",
    Bf = 100.0,
    Br = 2.0,
    equations = :[
        veb = E.v - B.v
        vcb = C.v - B.v
        f = Is*(noEvent(exlin(veb/Vt, 40.0)) - 1)
        r = Is*(noEvent(exlin(vcb/Vt, 40.0)) - 1)
        C.i = -(f - r - r/Br)
        B.i = -(f/Bf + r/Br)
        0 = C.i + B.i + E.i
    ]
)

# ---- amplifiers and coils -------------------------------------------------------------------

"""
    OpAmp

Operational amplifier with the gain `A` at rest, which falls beyond `GBW/A` (gain-bandwidth product `GBW`), an output between `VMin` and `VMax` and
the output resistance `Rout`. Its inputs take no current. At a limit the state `x` waits until the input leads back.
"""
OpAmp = Model(
    in_p = Pin,
    in_n = Pin,
    out = Pin,
    A = 1.0e5,
    GBW = 1.0e6u"Hz",
    VMin = -15.0u"V",
    VMax = 15.0u"V",
    Rout = 0.0u"Ω",
    x = Var(init = 0.0u"V"),
    equations = :[
        in_p.i = 0.0u"A"
        in_n.i = 0.0u"A"
        rate = 2*pi*GBW*(in_p.v - in_n.v - x/A)
        der(x) = if (x >= VMax && rate > 0*rate) || (x <= VMin && rate < 0*rate); 0*rate else rate end
        out.v = x + Rout*out.i
    ]
)

"""
    IdealTransformer

Transformer without losses and magnetizing current: `v1 = n*v2` and `i2 = -n*i1`, also for direct current.
"""
IdealTransformer = Model(
    p1 = Pin,
    n1 = Pin,
    p2 = Pin,
    n2 = Pin,
    n = 1.0,
    equations = :[
        v1 = p1.v - n1.v
        v2 = p2.v - n2.v
        0 = p1.i + n1.i
        0 = p2.i + n2.i
        v1 = n*v2
        p2.i = -n*p1.i
    ]
)

"""
    Transformer

Two coils `L1` and `L2` with the mutual inductance `M` (less than `sqrt(L1*L2)`) and the resistances `R1`, `R2`.
"""
Transformer = Model(
    p1 = Pin,
    n1 = Pin,
    p2 = Pin,
    n2 = Pin,
    L1 = 1.0u"H",
    L2 = 1.0u"H",
    M = 0.9u"H",
    R1 = 0.0u"Ω",
    R2 = 0.0u"Ω",
    i1 = Var(init = 0.0u"A"),
    i2 = Var(init = 0.0u"A"),
    equations = :[
        i1 = p1.i
        i2 = p2.i
        0 = p1.i + n1.i
        0 = p2.i + n2.i
        p1.v - n1.v = R1*i1 + L1*der(i1) + M*der(i2)
        p2.v - n2.v = R2*i2 + M*der(i1) + L2*der(i2)
    ]
)

"""
    SaturableInductor

Coil whose iron saturates: the flux linkage is `Lsat*i + (L - Lsat)*Isat*tanh(i/Isat)`, with the inductance `L` for small and `Lsat` for large currents.
"""
SaturableInductor = OnePort | Model(
    L = 1.0u"H",
    Lsat = 0.05u"H",
    Isat = 1.0u"A",
    i = Var(init = 0.0u"A"),
    equations = :[
        psi = Lsat*i + (L - Lsat)*Isat*tanh(i/Isat)
        (Lsat + (L - Lsat)*(1 - tanh(i/Isat)^2))*der(i) = v
    ]
)
