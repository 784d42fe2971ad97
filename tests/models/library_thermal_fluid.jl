# Heat and fluids of the library by closed forms.
using Modia
using Test
include("$(Modia.modelsPath)/Thermal.jl")
include("$(Modia.modelsPath)/Fluid.jl")

last(m, name) = getLastValue(m, name, unit = false)
near(a, b, eps = 1e-6) = abs(a - b) <= eps*abs(b)
function solved(model; stop, tolerance = 1e-9)
    m = @instantiateModel(model)
    simulate!(m, stopTime = stop, tolerance = tolerance)
    return m
end
Heat(T) = HeatCapacitor | Map(C = 1000.0u"J/K", T = Var(init = T*u"K"))

# Bodies that cool down: by conductances beside each other, by radiation into nothing (1/T^3 grows linearly), by one that a signal gives; and one that is heated.
Cooling = Model(
    a = Heat(400.0), wall = Wall | Map(d = 0.02u"m"), air = Convection, ice = FixedTemperature | Map(T = 280.0u"K"), room = Ambient | Map(T = 280.0u"K", G = 3.0u"W/K"),
    b = Heat(800.0), rad = Radiation | Map(A = 0.5u"m^2"), nothing0 = FixedTemperature | Map(T = 0.0u"K"),
    c = Heat(300.0), fan = SignalConvection, lead = PrescribedTemperature, flow = HeatFlowSensor, d = Heat(300.0), feed = PrescribedHeatFlow, see = TemperatureSensor,
    connect = :[(a.port, wall.port_a, air.port_a, room.port); (wall.port_b, air.port_b, ice.port); (b.port, rad.port_a); (rad.port_b, nothing0.port)
                (lead.port, flow.port_a); (flow.port_b, fan.port_a); (fan.port_b, c.port); (feed.port, d.port, see.port)],
    equations = :[fan.Gc = 2.0u"W/K"; lead.T = 350.0u"K"; feed.Q_flow = 5.0u"W/s"*time])
m = solved(Cooling, stop = 100.0)
@test near(last(m, "a.T"), 280 + 120*exp(-(0.04/0.02 + 10 + 3)*0.1))
@test near(last(m, "b.T"), (800.0^(-3) + 3*0.9*5.670374419e-8*0.5*0.1)^(-1/3))
@test near(last(m, "c.T"), 350 - 50*exp(-0.2)) && near(last(m, "flow.Q_flow"), 2*50*exp(-0.2)) && near(last(m, "see.T"), 300 + 25000/1000)

# A resistor that becomes larger while it heats: C dT = I^2 R (1 + alpha (T - 293.15)) - G (T - 293.15).
m = solved(Model(I = OnePort | Model(equations = :[i = 5.0u"A"]), r = HeatingResistor | Map(R = 2.0u"Ω", alpha = 0.004u"1/K"), c = Heat(293.15), room = Ambient | Map(G = 0.5u"W/K"), g = Ground,
                 connect = :[(I.n, r.p); (I.p, r.n, g.p); (r.port, c.port, room.port)]), stop = 2000.0)
rate = (0.5 - 25*2*0.004)/1000
@test near(last(m, "c.T"), 293.15 + 50/(0.5 - 0.2)*(1 - exp(-rate*2000)))

# Tanks: levels by a laminar pipe draw together exponentially; through an opening without viscosity the root of the level falls linearly (Torricelli).
Tanks = Model(a = Tank, b = Tank | Map(A = 2.0u"m^2", h = Var(init = 0.2u"m")), pipe = LaminarPipe | Map(dh = 0.3u"m"), c = Tank, hole = Orifice | Map(A = 1e-3u"m^2", mu = 0.0u"Pa*s"), out = FixedPressure,
              hot = HeatedTank, heater = FixedHeatFlow | Map(Q_flow = 1.0e4u"W"), q = PrescribedFlow,
              connect = :[(a.port, pipe.port_a); (pipe.port_b, b.port); (c.port, hole.port_a); (hole.port_b, out.port); (hot.port, q.port); (heater.port, hot.heat)],
              equations = :[hot.q_in = 1.0e-3u"m^3/s"; hot.T_in = 300.0u"K"; q.q = -1.0e-3u"m^3/s"])
m = solved(Tanks, stop = 500.0)
r = 128*1e-3/(pi*1e-8)
final = (1 + 0.4 + 0.6)/3                                # volume 1.4 = h + 2 (h - 0.3)
@test near(last(m, "a.h"), final + (1 - final)*exp(-9810/r*1.5*500), 1e-5)
@test near(last(m, "c.h"), (1 - 0.62e-3*sqrt(9.81/2)*500)^2, 1e-5)
@test near(last(m, "hot.T"), 300 + 1e4/4186 - (300 + 1e4/4186 - 293.15)*exp(-0.5)) && near(last(m, "hot.h"), 1.0)

# Flow through pipes under a given pressure: dp is what the law says, in both directions and with height.
Pipes = Model(hi = FixedPressure | Map(p = 2.0e5u"Pa"), lo = FixedPressure, a = Pipe | Map(L = 20.0u"m", zeta = 2.0, dh = 3.0u"m"), b = Pipe | Map(L = 20.0u"m"), c = RoughPipe | Map(L = 20.0u"m", D = 0.05u"m", zeta = 1.5), v = Valve, v2 = Valve, o = Orifice,
              rel = ReliefValve | Map(dp_open = 1.5e5u"Pa"), chk = CheckValve | Map(dp_open = 2.0e4u"Pa"), chk2 = CheckValve, dis = DisplacementPump,
              connect = :[(hi.port, a.port_a, b.port_b, c.port_a, v.port_a, v2.port_b, o.port_a, rel.port_a, chk.port_a, chk2.port_b, dis.port_b)
                          (lo.port, a.port_b, b.port_a, c.port_b, v.port_b, v2.port_a, o.port_b, rel.port_b, chk.port_b, chk2.port_a, dis.port_a)],
              equations = :[v.u = 0.7; v2.u = 1.4; dis.w = 150.0u"rad/s"])
m = solved(Pipes, stop = 60.0)
lam = 128*1e-3*20/(pi*1e-8)
turb = 1000/2*(4/(pi*1e-4))^2
q = last(m, "a.q")
@test near(lam*q + (0.03*2000 + 2)*turb*q^2, 2e5 - 9810*3, 1e-9)
q = last(m, "b.q")
@test near(lam*q - 0.03*2000*turb*q^2, -2e5, 1e-9)
Re, v = last(m, "c.Re"), last(m, "c.v")
haaland = 1/(1.8*log10((1e-4/3.7)^1.11 + 6.9/Re))^2
@test Re > 4000 && near(haaland*20/0.05*500*v^2 + 1.5*500*v^2, 2e5, 1e-6)
@test near(last(m, "v.q"), 0.7e-3*sqrt(2.0), 1e-6) && near(last(m, "v2.q"), -1e-3*sqrt(2.0), 1e-6)
@test near(last(m, "o.q"), 0.62e-5*sqrt(400.0), 1e-3) && near(last(m, "rel.q"), 5e4*1e-9) && near(last(m, "chk.q"), 1.8e5*1e-8, 1e-5) && near(last(m, "chk2.q"), -2e5*1e-16, 1e-5)
@test near(last(m, "dis.q"), 1e-5/(2*pi)*150) && near(last(m, "dis.tau"), 1e-5/(2*pi)*2e5)

# A rough pipe in laminar flow comes up with the time constant L rho/(A r); its friction is smooth and grows through the transition.
m = solved(Model(hi = FixedPressure | Map(p = 20.0u"Pa"), lo = FixedPressure, c = RoughPipe, connect = :[(hi.port, c.port_a); (lo.port, c.port_b)]), stop = 3.0)
@test near(last(m, "c.q"), 20/r*(1 - exp(-3*r*pi*0.01^2/4/1000)), 1e-5)
x = [frictionTimesRe2(Re, 1e-3) for Re in 1900.0:10.0:4100.0]
@test minimum(x[2:end] - x[1:end-1]) > 0.0 && maximum(abs.(x[3:end] - 2*x[2:end-1] + x[1:end-2])./x[2:end-1]) < 2e-3

# Pump against height and pipe: n^2 dp0 - dp0 (q/q0)^2 = rho g h + r q; at half speed its pressure is not enough, and nothing flows.
Lift = Model(well = FixedPressure, p = Pump | Map(dp0 = 5.0e4u"Pa", lin = 0.0), l = LaminarPipe | Map(dh = 2.0u"m"), top = FixedPressure, p2 = Pump | Map(dp0 = 5.0e4u"Pa"), l2 = LaminarPipe | Map(dh = 2.0u"m"),
             connect = :[(well.port, p.port_a, p2.port_a); (p.port_b, l.port_a); (p2.port_b, l2.port_a); (l.port_b, l2.port_b, top.port)], equations = :[p.n = 1.0; p2.n = 0.5])
m = solved(Lift, stop = 1.0)
q = last(m, "p.q")
@test near(5e4*(1 - (q/1e-3)^2), 19620 + r*q, 1e-6) && last(m, "p2.q") == 0.0

# What is stored: a swing of flow through a check valve into a volume, half of it; an accumulator by its gas law; a cylinder that swings on its oil.
Stored = Model(src = PrescribedFlow, chk = CheckValve | Map(G = 1.0e-6u"m^3/(s*Pa)"), vol = FluidVolume | Map(V = 0.01u"m^3"), side = FluidVolume | Map(V = 1.0u"m^3"), fill = PrescribedFlow, acc = Accumulator,
               cyl = Cylinder1 | Map(p = Var(init = 1.0e6u"Pa")), shut = PrescribedFlow, m = TranslationalMass | Map(m = 50.0u"kg"),
               connect = :[(src.port, chk.port_a, side.port); (chk.port_b, vol.port); (fill.port, acc.port); (shut.port, cyl.port); (cyl.flange, m.flange_a)],
               equations = :[src.q = 1.0e-4u"m^3/s"*sin(2*pi*time/u"s"); fill.q = 2.0e-4u"m^3/s"; shut.q = 0.0u"m^3/s"])
m = solved(Stored, stop = 0.5)
# Until 0.5 s all that comes goes to both volumes, in proportion to them (up to the drop over the valve).
@test near(last(m, "vol.p"), 1.5e9*1e-4/pi/1.01, 1e-4)
@test near(last(m, "acc.port.p"), 5.1e6*(1/(1 - 0.1))^1.4 - 1e5)
# The oil has p = p0 - K ln(1 + A s/V0), and its work is in the speed.
s, p = last(m, "m.s"), last(m, "cyl.p")
@test near(p, 1e6 - 1.5e9*log(1 + 1e-3*s/1e-5), 1e-4)
V = 1e-5 + 1e-3*s
@test near(25*last(m, "m.v")^2, 1e6*1e-3*s - 1.5e9*(V*log(V/1e-5) - (V - 1e-5)), 1e-4)
