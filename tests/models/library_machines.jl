# Machines against SciPy (tests/peers/machines.py), where windings are coupled coils in the phases themselves, without space vectors; three-phase circuits by closed forms.
using Modia
using Test
include("$(Modia.modelsPath)/Machines.jl")
include("$(Modia.modelsPath)/Driveline.jl")

last(m, name) = getLastValue(m, name, unit = false)
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
function solved(model; stop, tolerance = 1e-9)
    m = @instantiateModel(model)
    simulate!(m, stopTime = stop, tolerance = tolerance)
    return m
end

# Switched on at 0.1 s, loaded at 0.3 s.
m = solved(Model(V = StepVoltage | Map(V = 12.0u"V", startTime = 0.1u"s"), g = Ground, t = Torque,
                 m = DCMachine | Map(R = 0.5u"Ω", L = 2e-3u"H", k = 0.08u"N*m/A", J = 2e-4u"kg*m^2", d = 1e-5u"N*m*s/rad"),
                 connect = :[(V.p, m.p); (V.n, m.n, g.p); (m.flange, t.flange)],
                 equations = :[t.tau = if time > 0.3u"s"; -0.05u"N*m" else 0.0u"N*m" end]), stop = 0.5)
@test near(last(m, "m.i"), 0.64324746) && near(last(m, "m.w"), 145.97970336)

# Excitation in series.
m = solved(Model(V = StepVoltage | Map(V = 100.0u"V"), g = Ground, m = DCExcitedMachine | Map(Re = 0.5u"Ω", Le = 0.02u"H", J = 0.02u"kg*m^2", d = 0.01u"N*m*s/rad"),
                 connect = :[(V.p, m.p); (m.n, m.ep); (V.n, m.en, g.p)]), stop = 1.0)
@test near(last(m, "m.i"), 4.96826181) && near(last(m, "m.w"), 186.30927469)

# An induction machine starts against a fan; a synchronous one with different inductances starts at the mains of 5 Hz.
m = solved(Model(V = ThreePhaseVoltage, m = InductionMachine | Map(J = 0.05u"kg*m^2", d = 0.01u"N*m*s/rad"), f = FanTorque | Map(tau_n = 10.0u"N*m", w_n = 150.0u"rad/s"), g = Ground,
                 connect = :[(V.plug, m.plug); (V.n, g.p); (m.flange, f.flange)]), stop = 0.6)
@test near(last(m, "m.w"), 156.24825042) && near(last(m, "m.plug.ia"), 4.18074101)
@test near(maximum(getValues(m, "m.w")), 164.0668, 1e-4)
m = solved(Model(V = ThreePhaseVoltage | Map(V = 8.0u"V", f = 5.0u"Hz"), m = PMMachine | Map(d = 0.02u"N*m*s/rad", Ld = 0.0012u"H", Lq = 0.0018u"H"), g = Ground,
                 connect = :[(V.plug, m.plug); (V.n, g.p)]), stop = 0.7)
@test near(last(m, "m.w"), 9.19402417) && near(last(m, "m.phi"), 5.3602689) && near(last(m, "m.plug.ia"), -58.0736414)

# Coils in a star whose point is grounded through a resistor, and resistors on single pins: V/|Z|, no current in the fourth wire.
m = solved(Model(V = ThreePhaseVoltage, l = ThreePhaseLoad, s = Star, n = Resistor | Map(R = 10.0u"Ω"), pins = PlugToPins, r = [Resistor | Map(R = 5.0u"Ω") for i in 1:3], g = Ground,
                 connect = :[(V.plug, l.plug_p, pins.plug); (l.plug_n, s.plug); (s.n, n.p); (n.n, V.n, g.p); (pins.a, r[1].p); (pins.b, r[2].p); (pins.c, r[3].p); (r[1].n, r[2].n, r[3].n)]), stop = 0.1)
x = 100*pi*1e-3
@test near(last(m, "l.ia"), 325*cos(-atan(x))/sqrt(1 + x^2)) && near(last(m, "n.i"), 0.0) && near(last(m, "r_2.i"), -65/2)

# An inverter on a battery voltage feeds a load through sines of duty: power in is power out; three given voltages as well.
m = solved(Model(V = ConstantVoltage | Map(V = 100.0u"V"), inv = Inverter, l = ThreePhaseLoad | Map(R = 2.0u"Ω"), s = Star, g = Ground, src = ThreePhaseSignalVoltage, l2 = ThreePhaseLoad | Map(R = 2.0u"Ω"), s2 = Star,
                 connect = :[(V.p, inv.p); (V.n, inv.n, g.p, src.n); (inv.plug, l.plug_p); (l.plug_n, s.plug); (src.plug, l2.plug_p); (l2.plug_n, s2.plug)],
                 equations = :[angle = 300*time/u"s"; inv.duty = [0.5 + 0.4*cos(angle - k*2*pi/3) for k in 0:2]; src.v = 40.0u"V"*[cos(angle - k*2*pi/3) for k in 0:2]]), stop = 0.2)
# Balanced sines have constant power: 3/2 V^2 R/|Z|^2, once the switch-on has died away
@test near(last(m, "V.i"), -1.5*40^2*2/(4 + 0.09)/100) && near(last(m, "l.ia"), last(m, "l2.ia")) && near(last(m, "l.ia"), 40*cos(60 - atan(0.15))/sqrt(4.09))

# Motor, gear and load: the rotor counts with the square of the ratio, losses cost the part 1 - eta.
m = solved(Model(V = StepVoltage | Map(V = 24.0u"V"), drive = GearMotor | Map(ratio = 20.0, eta = 0.8, J = 1e-4u"kg*m^2", k = 0.05u"N*m/A", R = 1.0u"Ω", L = 1e-3u"H"), load = Inertia | Map(J = 0.1u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)), g = Ground,
                 connect = :[(V.p, drive.p); (V.n, drive.n, g.p); (drive.flange, load.flange_a)]), stop = 0.05)
# With L: J' dw = k i, J' = J + load/(eta ratio^2); a linear system of two states
J1 = 1e-4 + 0.1/(0.8*400)
p = 1.0/(2*1e-3)
d = sqrt(p^2 - 0.05^2/(1e-3*J1))
s1, s2 = -p + d, -p - d
@test near(last(m, "load.w"), 24/0.05/20*(1 + (s2*exp(s1*0.05) - s1*exp(s2*0.05))/(s1 - s2)), 1e-5)

# A chopper at -0.4 of 20 V into 2 ohms: -4 A, and 1.6 A from the source.
m = solved(Model(V = ConstantVoltage | Map(V = 20.0u"V"), c = Chopper, r = Resistor | Map(R = 2.0u"Ω"), g = Ground, connect = :[(V.p, c.p); (V.n, c.n, g.p); (c.a, r.p); (c.b, r.n)], equations = :[c.duty = -0.4]), stop = 0.0)
@test near(last(m, "r.i"), -4.0) && near(last(m, "V.i"), -1.6)

# A gear whose friction is that of its load holds a load while current flows: what it gives is what the load takes (it showed 9.91), with any method.
for solver in [CVODE_BDF(), IDA(), Rodas5(), Tsit5()], V in [0.0, 0.5]
    local m = @instantiateModel(Model(v = ConstantVoltage | Map(V = V*u"V"), t = ConstantTorque | Map(tau = -9.81u"N*m"), i = Inertia | Map(J = 0.6u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)),
                                      m = GearMotor | Map(ratio = 50.0, tau_f = 0.2u"N*m"), g = Ground, connect = :[(v.p, m.p); (v.n, m.n, g.p); (m.flange, i.flange_a); (i.flange_b, t.flange)]))
    simulate!(m, solver, stopTime = 1.0, tolerance = 1e-8)
    @test abs(getLastValue(m, "m.flange.tau", unit = false) + 9.81) < 1e-9 && abs(getLastValue(m, "i.phi", unit = false)) < 1e-12
end
