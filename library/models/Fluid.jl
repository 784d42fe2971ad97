# Incompressible fluids with constant properties: hydraulics and water. The connector has a pressure (against the surroundings) and a volume flow; a temperature
# travels with the fluid only where a part says so (HeatedTank). Each part knows density and viscosity as its own parameters; the defaults are those of water.

include("HeatTransfer.jl")
include("Translational.jl")

"""
    FluidPort

End of a pipe with the pressure `p` above that of the surroundings and the volume flow `q` into the component.
"""
FluidPort = Model(
    p = potential,
    q = flow
)

"""
    PartialFluidPath

Base of what lies between two ports and stores nothing: flow `q` from `port_a` to `port_b`, pressure drop `dp`.
"""
PartialFluidPath = Model(
    port_a = FluidPort,
    port_b = FluidPort,
    equations = :[
        dp = port_a.p - port_b.p
        port_a.q = q
        port_b.q = -q
    ]
)

# ---- ends -----------------------------------------------------------------------------------

"""
    FixedPressure

Holds the port at the pressure `p`.
"""
FixedPressure = Model(
    port = FluidPort,
    p = 0.0u"Pa",
    equations = :[
        port.p = p
    ]
)

"""
    PrescribedFlow

Feeds the volume flow `q`, an input with the unit m^3/s, into what is connected.
"""
PrescribedFlow = Model(
    port = FluidPort,
    q = input,
    equations = :[
        port.q = -q
    ]
)

# ---- storage --------------------------------------------------------------------------------

"""
    Tank

Open tank of the cross-section `A` with the level `h` above its port at the bottom. The run ends when it is empty: where the level is below zero by a millimeter, more than any rounding.
"""
Tank = Model(
    port = FluidPort,
    A = 1.0u"m^2",
    rho = 1000.0u"kg/m^3",
    g = 9.81u"m/s^2",
    h = Var(init = 1.0u"m"),
    equations = :[
        A*der(h) = port.q
        port.p = rho*g*h
        terminate(h < -0.001u"m", "the tank is empty")
    ]
)

"""
    HeatedTank

Open, well-stirred tank with an inlet at the top (`q_in` of temperature `T_in`, inputs), an outlet at the bottom and a heat port in its fluid of the temperature `T` and
specific heat `c`. What comes back through the outlet has the temperature of the tank. The run ends when it is empty, as with `Tank`.
"""
HeatedTank = Model(
    port = FluidPort,
    heat = HeatPort,
    q_in = input,
    T_in = input,
    A = 1.0u"m^2",
    rho = 1000.0u"kg/m^3",
    c = 4186.0u"J/(kg*K)",
    g = 9.81u"m/s^2",
    h = Var(init = 1.0u"m"),
    T = Var(init = 293.15u"K"),
    equations = :[
        A*der(h) = q_in + port.q
        port.p = rho*g*h
        heat.T = T
        rho*c*A*h*der(T) = rho*c*q_in*(T_in - T) + heat.Q_flow
        terminate(h < -0.001u"m", "the tank is empty")
    ]
)

"""
    FluidVolume

Closed volume `V` of a fluid of the bulk modulus `K`, e.g. a hose; its pressure `p` is a state.
"""
FluidVolume = Model(
    port = FluidPort,
    V = 0.001u"m^3",
    K = 1.5e9u"Pa",
    p = Var(init = 0.0u"Pa", nominal = 1.0e5u"Pa"),
    equations = :[
        port.p = p
        V/K*der(p) = port.q
    ]
)

"""
    Accumulator

Gas behind a membrane: at the pressure `p0` (above the surroundings, whose pressure is `p_amb`) the gas fills `V0`; it is compressed by the fluid volume `V` with the exponent `n`
(1 slow, 1.4 fast). Below `p0` the membrane rests and takes no fluid, but a little for each pressure, as the volume `V0` of fluid of the bulk modulus `K` would.
"""
Accumulator = Model(
    port = FluidPort,
    V0 = 0.001u"m^3",
    p0 = 5.0e6u"Pa",
    p_amb = 1.0e5u"Pa",
    n = 1.4,
    K = 1.5e9u"Pa",
    V = Var(init = 0.0u"m^3", nominal = 1.0e-4u"m^3"),
    equations = :[
        der(V) = port.q
        port.p = if V > 0*V; (p0 + p_amb)*(V0/(V0 - V))^n - p_amb else p0 + K*V/V0 end
    ]
)

# ---- flow -----------------------------------------------------------------------------------

# q for a pressure drop dp by dp = (c1 + c2*|q|)*q, both positive: a root without cancellation, smooth through zero.
pathFlow(dp, c1, c2) = 2*dp/(c1 + sqrt(c1^2 + 4*c2*abs(dp)))

"""
    LaminarPipe

Pipe of the length `L` and diameter `D` with laminar flow (Hagen, Poiseuille): `dp = 128*mu*L/(pi*D^4)*q`, and the height `dh` of `port_b` above `port_a`.
"""
LaminarPipe = PartialFluidPath | Model(
    L = 1.0u"m",
    D = 0.01u"m",
    mu = 1.0e-3u"Pa*s",
    rho = 1000.0u"kg/m^3",
    g = 9.81u"m/s^2",
    dh = 0.0u"m",
    equations = :[
        dp - rho*g*dh = 128*mu*L/(pi*D^4)*q
    ]
)

"""
    Pipe

Pipe of the length `L`, diameter `D` and friction factor `f` of turbulent flow (Darcy), which goes over into the laminar law of Hagen and Poiseuille for small flows:
`dp = 128*mu*L/(pi*D^4)*q + f*L/D*rho/2*v*|v|`, with the height `dh` of `port_b` above `port_a`. Smooth through zero in both directions. `zeta` are further losses (bends, inlets).
"""
Pipe = PartialFluidPath | Model(
    L = 1.0u"m",
    D = 0.01u"m",
    f = 0.03,
    zeta = 0.0,
    mu = 1.0e-3u"Pa*s",
    rho = 1000.0u"kg/m^3",
    g = 9.81u"m/s^2",
    dh = 0.0u"m",
    equations = :[
        v = 4*q/(pi*D^2)
        dp - rho*g*dh = 128*mu*L/(pi*D^4)*q + (f*L/D + zeta)*rho/2*v*abs(v)
    ]
)

# Haaland's formula for the friction factor.
turbulentFriction(Re, k) = 1/(1.8*log10((k/3.7)^1.11 + 6.9/Re))^2
function frictionTimesRe2(Re, k)
    a = abs(Re)
    if a <= 2000
        return 64*a
    elseif a >= 4000
        return a^2*turbulentFriction(a, k)
    end
    # In between a cubic in log Re for log(f Re^2), with the slopes of both ends: monotone and smooth.
    w = log(2.0)
    s = log(a/2000)/w
    y0, y1 = log(64*2000.0), log(16.0e6*turbulentFriction(4000.0, k))
    d0 = 1.0*w
    e = 1.0e-4
    d1 = (2 + (log(turbulentFriction(4000.0*(1 + e), k)) - log(turbulentFriction(4000.0*(1 - e), k)))/(2*e))*w
    c2 = 3*(y1 - y0) - 2*d0 - d1
    c3 = d0 + d1 - 2*(y1 - y0)
    return exp(y0 + s*(d0 + s*(c2 + s*c3)))
end

"""
    RoughPipe

Pipe whose friction follows its Reynolds number `Re`: laminar below 2000, Haaland's formula with the roughness `k` (height over the diameter) above 4000, smooth in between. The flow `q` is a
state: the fluid in the pipe has a mass, `rho*L/A*der(q) = dp - losses`.
"""
RoughPipe = PartialFluidPath | Model(
    L = 1.0u"m",
    D = 0.01u"m",
    k = 1.0e-4,
    zeta = 0.0,
    mu = 1.0e-3u"Pa*s",
    rho = 1000.0u"kg/m^3",
    g = 9.81u"m/s^2",
    dh = 0.0u"m",
    q = Var(init = 0.0u"m^3/s", nominal = 1.0e-4u"m^3/s"),
    equations = :[
        A = pi*D^2/4
        v = q/A
        Re = rho*v*D/mu
        loss = frictionTimesRe2(Re, k)*sign(Re)*L*mu^2/(2*rho*D^3) + zeta*rho/2*v*abs(v)
        rho*L/A*der(q) = dp - rho*g*dh - loss
    ]
)

"""
    Orifice

Opening of the area `A` with the coefficient `Cd`: `q = Cd*A*sqrt(2*dp/rho)` in either direction, beside a linear part of the
pressure drop that is as large as that at the Reynolds number `Re_t`, with the viscosity `mu`: smooth through zero.
"""
Orifice = PartialFluidPath | Model(
    A = 1.0e-5u"m^2",
    Cd = 0.62,
    rho = 1000.0u"kg/m^3",
    mu = 1.0e-3u"Pa*s",
    Re_t = 10.0,
    equations = :[
        q = pathFlow(dp, Re_t*mu/(2*Cd^2*A*sqrt(4*A/pi)), rho/(2*(Cd*A)^2))
    ]
)

"""
    Valve

Orifice whose opening is the input `u` (0 closed to 1 open): `q = u*Kv*sqrt(dp/dp_n)` with the flow `Kv` at the pressure drop `dp_n`, linear below `dp_lam`. `leak` is what is open at least.
"""
Valve = PartialFluidPath | Model(
    u = input,
    Kv = 1.0e-3u"m^3/s",
    dp_n = 1.0e5u"Pa",
    dp_lam = 10.0u"Pa",
    leak = 1.0e-6,
    equations = :[
        open = if u > 1.0; 1.0 elseif u < leak; leak else u end
        q = open*Kv*sqrt(1/dp_n)*dp/sqrt(sqrt(dp^2 + dp_lam^2))
    ]
)

"""
    CheckValve

Lets fluid pass from `port_a` to `port_b` only: `G*(dp - dp_open)` beyond the pressure drop `dp_open`; `Gleak` is its leakage in both directions. `s` runs along this line of two pieces: the pressure that is
missing while it is closed, the flow while it is open, in Pa and m^3/s. `G` may be `Inf`.
"""
CheckValve = PartialFluidPath | Model(
    dp_open = 0.0u"Pa",
    G = 1.0e-8u"m^3/(s*Pa)",
    Gleak = 1.0e-16u"m^3/(s*Pa)",
    s = Var(start = 0.0),
    equations = :[
        opened = positive(s)
        dp = dp_open + s*(if opened; 1.0u"m^3/s"/G else 1.0u"Pa" end)
        q = Gleak*dp + (if opened; s*u"m^3/s" else 0.0u"m^3/s" end)
    ]
)

"""
    ReliefValve

Opens at the pressure drop `dp_open` and lets pass `G*(dp - dp_open)` from there on. `s` is as in `CheckValve`.
"""
ReliefValve = PartialFluidPath | Model(
    dp_open = 1.0e7u"Pa",
    G = 1.0e-9u"m^3/(s*Pa)",
    s = Var(start = 0.0),
    equations = :[
        opened = positive(s)
        dp = dp_open + s*(if opened; 1.0u"m^3/s"/G else 1.0u"Pa" end)
        q = if opened; s*u"m^3/s" else 0.0u"m^3/s" end
    ]
)

"""
    Pump

Centrifugal pump with the curve `dp = n^2*dp0 - dp0*(q/q0)^2`: pressure `dp0` without flow and flow `q0` without pressure at full speed; the input `n` (0 to 1) is its speed. Nothing flows back: at
standstill, or against more than its pressure, it is closed. `port_a` is the inlet. `s` runs along its curve: flow over `q0` while it is open, missing pressure over `dp0` while it is closed; `lin` is a
small linear part of the losses, which lets it open smoothly.
"""
Pump = Model(
    port_a = FluidPort,
    port_b = FluidPort,
    n = input,
    dp0 = 1.0e5u"Pa",
    q0 = 1.0e-3u"m^3/s",
    lin = 1.0e-3,
    s = Var(start = 0.5),
    equations = :[
        port_a.q = q
        port_b.q = -q
        opened = positive(s)
        q = if opened; q0*s else 0*q0 end
        port_b.p - port_a.p = n^2*dp0 - dp0*(if opened; s^2 + lin*s else s end)
    ]
)

"""
    DisplacementPump

Pump or motor of the displacement `V` per turn without losses: `q = V/(2*pi)*w` with the speed `w`, an input with the unit rad/s. `port_a` is the inlet; `tau` is the torque that it takes.
"""
DisplacementPump = Model(
    port_a = FluidPort,
    port_b = FluidPort,
    w = input,
    V = 1.0e-5u"m^3",
    equations = :[
        port_a.q = q
        port_b.q = -q
        q = V/(2*pi)*w
        tau = V/(2*pi)*(port_b.p - port_a.p)
    ]
)

"""
    Cylinder1

Hydraulic cylinder with one chamber: pressure on the area `A` pushes the flange along `s`; the chamber holds `V0 + A*s`, and its fluid has the bulk modulus `K`.
"""
Cylinder1 = Model(
    port = FluidPort,
    flange = TranslationalFlange,
    A = 1.0e-3u"m^2",
    V0 = 1.0e-5u"m^3",
    K = 1.5e9u"Pa",
    p = Var(init = 0.0u"Pa", nominal = 1.0e5u"Pa"),
    s = Var(start = 0.0u"m"),
    equations = :[
        s = flange.s
        port.p = p
        (V0 + A*s)/K*der(p) = port.q - A*der(s)
        flange.f = -A*p
    ]
)
