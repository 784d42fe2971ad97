# Odd uses of library parts: in series and in parallel, parameters of zero, negative gains and ratios, runs that do not start at zero, limits that meet, other units. By closed forms, with four solvers.
using Modia
using Test
for f in ["Sources","Control","Circuits","Machines","Driveline","LinearMotion","Thermal","Fluid"]
    include("$(Modia.modelsPath)/$f.jl")
end
last(m, name) = getLastValue(m, name, unit = false)
function solved(model; stop, start = 0.0, tolerance = 1e-8, solver = CVODE_BDF())
    m = @instantiateModel(model)
    simulate!(m, solver, startTime = start*u"s", stopTime = stop*u"s", tolerance = tolerance)
    return m
end
function near(name, got, want, eps = 1e-6)
    good = abs(got - want) <= eps*max(1.0, abs(want))
    if !good; println(name, ": ", got, " instead of ", want) end
    @test good
end
for solver in [CVODE_BDF(), IDA(), Rodas5(), Tsit5()]
    # stopwatch true from the start, at 5 s
    local m = solved(Model(w = Stopwatch, equations = :[w.u = time < 8.0u"s"]), start = 5.0, stop = 7.0, solver = solver)
    near("stopwatch from 5 s", last(m, "w.y"), 2.0)
    m = solved(Model(w = OnDelay, x = Var(init = 0.0), equations = :[w.u = time < 8.0u"s"; der(x) = (if w.y; 1.0 else 0.0 end)/u"s"]), start = 5.0, stop = 7.0, solver = solver)
    near("on delay from 5 s", last(m, "x"), 1.0)
    # P controller at its limit
    m = solved(Model(c = PID | Map(k = 10.0, Ti = Inf*u"s", yMin = -1.0, yMax = 1.0), equations = :[c.u_s = (if time < 3.0u"s"; 1.0 else 0.05 end); c.u_m = 0.0]), stop = 10.0, solver = solver)
    near("P with limits", last(m, "c.y"), 0.5)
    m = solved(Model(c = DiscretePID | Map(k = 10.0, Ti = Inf*u"s", yMin = -1.0, yMax = 1.0), equations = :[c.u_s = (if time < 3.0u"s"; 1.0 else 0.05 end); c.u_m = 0.0]), stop = 10.0, solver = solver)
    near("discrete P with limits", last(m, "c.y"), 0.5)
    # limits that meet, a start outside
    m = solved(Model(f = LimitedIntegrator | Map(yMin = 0.3, yMax = 0.3, x = Var(init = 0.3)), equations = :[f.u = sin(time/u"s")]), stop = 3.0, solver = solver)
    near("limits that meet", last(m, "f.y"), 0.3)
    m = solved(Model(f = LimitedIntegrator | Map(x = Var(init = 3.0)), equations = :[f.u = 1.0 - time/u"s"]), stop = 4.0, solver = solver)
    # from 3: held while u > 0 (to 1 s), then falls by integral of (t-1): 9/2 -> -1.5 -> stops at -1
    near("start outside of limits", last(m, "f.y"), -1.0)
    # negative gains and time constants
    m = solved(Model(f = Integrator | Map(k = -2.0, T = 500.0u"ms"), equations = :[f.u = time/u"s"]), stop = 3.0, solver = solver)
    near("negative integrator", last(m, "f.y"), -18.0)
    m = solved(Model(f = SecondOrder | Map(k = -1.0, w = 60.0u"rpm", D = 0.0), equations = :[f.u = 1.0]), stop = 0.75, solver = solver)
    near("undamped in rpm", last(m, "f.y"), -(1 - cos(2*pi*0.75)))
    # pulses of width 0 and 1
    m = solved(Model(p = Pulse | Map(width = 0.0), q = Pulse | Map(width = 1.0), x = Var(init = 0.0), y = Var(init = 0.0), equations = :[der(x) = p.y/u"s"; der(y) = q.y/u"s"]), stop = 3.3, solver = solver)
    near("pulse 0", last(m, "x"), 0.0); near("pulse 1", last(m, "y"), 3.3)
    m = solved(Model(p = Trapezoid | Map(rising = 0.0u"s", falling = 0.0u"s"), x = Var(init = 0.0), equations = :[der(x) = p.y/u"s"]), stop = 2.5, solver = solver)
    near("trapezoid with steps", last(m, "x"), 0.9)
    # counter of a sine, before its start
    m = solved(Model(c = Counter, equations = :[c.u = sin(2*pi*time/u"s") > 0.5]), stop = 10.0, solver = solver)
    near("counter", last(m, "c.y"), 10.0)
    # quantizer integrated
    m = solved(Model(q = Quantizer | Map(q = 0.25), x = Var(init = 0.0), equations = :[q.u = time/u"s"; der(x) = q.y/u"s"]), stop = 1.0, solver = solver)
    near("quantizer", last(m, "x"), 0.5)
    # three capacitors in series with equal charge, two in parallel; RC
    m = solved(Model(V = ConstantVoltage | Map(V = 12.0u"V"), R = Resistor | Map(R = 1.0u"kΩ"), c1 = Capacitor | Map(C = 1.0u"mF"), c2 = Capacitor | Map(C = 2.0u"mF", v = Var(init = nothing)), c3 = Capacitor | Map(C = 3.0u"mF"), g = Ground,
       connect = :[(V.p, R.p); (R.n, c1.p, c2.p); (c1.n, c2.n, c3.p); (c3.n, V.n, g.p)]), stop = 1.0, solver = solver)
    tau = 1e3*1.5e-3
    near("capacitors", last(m, "c3.v"), 12*(1 - exp(-1/tau))*0.5)
    # inductors in series with a resistor, parallel
    m = solved(Model(V = ConstantVoltage | Map(V = 12.0u"V"), R = Resistor | Map(R = 2.0u"Ω"), a = Inductor | Map(L = 500.0u"mH"), b = Inductor | Map(L = 1.5u"H", i = Var(init = nothing)), g = Ground,
       connect = :[(V.p, R.p); (R.n, a.p); (a.n, b.p); (b.n, V.n, g.p)]), stop = 1.0, solver = solver)
    near("inductors", last(m, "a.i"), 6*(1 - exp(-1)))
    # a transformer of ratio -2 with load; reflected resistance
    m = solved(Model(V = ConstantVoltage | Map(V = 12.0u"V"), R = Resistor | Map(R = 4.0u"Ω"), t = IdealTransformer | Map(n = -2.0), L = Resistor | Map(R = 1.0u"Ω"), g = Ground,
       connect = :[(V.p, R.p); (R.n, t.p1); (t.n1, V.n, g.p, t.n2, L.n); (t.p2, L.p)]), stop = 1.0, solver = solver)
    near("transformer -2", last(m, "L.v"), -3.0)
    # zero resistance in series; zener clamps; 
    m = solved(Model(V = ConstantVoltage | Map(V = 12.0u"V"), R = Resistor | Map(R = 0.0u"Ω"), L = Resistor | Map(R = 3.0u"Ω"), g = Ground, connect = :[(V.p, R.p); (R.n, L.p); (L.n, V.n, g.p)]), stop = 1.0, solver = solver)
    near("zero resistor", last(m, "L.i"), 4.0)
    # DC machine with L = 0
    m = solved(Model(V = ConstantVoltage | Map(V = 12.0u"V"), M = DCMachine | Map(L = 0.0u"H", i = Var(init = nothing)), g = Ground, connect = :[(V.p, M.p); (M.n, V.n, g.p)]), stop = 1.0, solver = solver)
    near("machine without L", last(m, "M.w"), 120*(1 - exp(-1)))
    # planetary gear, ring fixed, negative torque
    m = solved(Model(p = PlanetaryGear | Map(ratio = 3.0), f = Fixed, j = Inertia | Map(J = 2.0u"kg*m^2"), s = ConstantTorque | Map(tau = -4.0u"N*m"), connect = :[(f.flange, p.ring); (s.flange, p.sun); (p.carrier, j.flange_a)]), stop = 1.0, solver = solver)
    near("planetary", last(m, "j.w"), -4.0*4/2)
    # lossy gear, negative ratio, ideal efficiency
    m = solved(Model(p = LossyGear | Map(ratio = -5.0, eta = 0.8), a = Inertia | Map(J = 0.1u"kg*m^2"), b = Inertia | Map(J = 2.0u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)), s = ConstantTorque | Map(tau = 4.0u"N*m"), connect = :[(s.flange, a.flange_a); (a.flange_b, p.flange_a); (p.flange_b, b.flange_a)]), stop = 1.0, solver = solver)
    # torque into gear t: a.w' = (4 - t)/0.1; b: -5*0.8*t = 2*b.w', b.w = a.w/-5 -> b.w' = (4-t)/-0.5
    t = 4/(1 + 0.5*4/2)   # 4 t/2 = (4 - t)/0.5 -> 2t = 8 - 2t -> t = 2
    near("lossy gear -5", last(m, "b.w"), -4.0)
    # two springs in series without a mass between
    m = solved(Model(f = FixedPosition, a = LinearSpring | Map(c = 100.0u"N/m", s_rel0 = 10.0u"cm"), b = LinearSpring | Map(c = 300.0u"N/m", s_rel0 = 0.0u"m"), m = TranslationalMass | Map(m = 3.0u"kg", s = Var(init = 20.0u"cm")), connect = :[(f.flange, a.flange_a); (a.flange_b, b.flange_a); (b.flange_b, m.flange_a)]), stop = 1.0, solver = solver)
    near("springs in series", last(m, "m.s"), 0.1 + 0.1*cos(5.0))
    # backlash without damping, zero gap = spring
    m = solved(Model(f = Fixed, a = Backlash | Map(b = 0.0u"rad", d = 0.0u"N*m*s/rad", c = 4.0u"N*m/rad"), m = Inertia | Map(J = 1.0u"kg*m^2", w = Var(init = 1.0u"rad/s")), connect = :[(f.flange, a.flange_a); (a.flange_b, m.flange_a)]), stop = 2.0, solver = solver)
    near("backlash 0", last(m, "m.phi"), 0.5*sin(4.0))
    # tank emptied by an orifice, turbulent: Torricelli (Re_t -> small)
    m = solved(Model(t = Tank | Map(A = 100.0u"cm^2", h = Var(init = 1.0u"m")), o = Orifice | Map(A = 1.0u"cm^2", Re_t = 1.0e-6), f = FixedPressure, connect = :[(t.port, o.port_a); (o.port_b, f.port)]), stop = 30.0, solver = solver)
    near("Torricelli", last(m, "t.h"), (1 - 0.62*1e-2*sqrt(9.81/2)*30)^2, 1e-5)
    # radiation to an ambient, from hot
    m = solved(Model(c = HeatCapacitor | Map(C = 10.0u"J/K", T = Var(init = 1000.0u"K")), r = Radiation, a = FixedTemperature | Map(T = 0.0u"K"), connect = :[(c.port, r.port_a); (r.port_b, a.port)]), stop = 100.0, solver = solver)
    near("radiation", last(m, "c.T"), (1000.0^-3 + 3*0.9*5.670374419e-8/10*100)^(-1/3), 1e-5)
    # walls in series and parallel
    m = solved(Model(c = HeatCapacitor | Map(C = 10.0u"J/K", T = Var(init = 400.0u"K")), a = ThermalConductor | Map(G = 2.0u"W/K"), b = ThermalConductor | Map(G = 2.0u"W/K"), d = ThermalConductor | Map(G = 1.0u"W/K"), f = FixedTemperature | Map(T = 300.0u"K"), connect = :[(c.port, a.port_a); (a.port_b, b.port_a, d.port_a); (b.port_b, d.port_b, f.port)]), stop = 5.0, solver = solver)
    near("walls", last(m, "c.T"), 300 + 100*exp(-5*(1/(1/2 + 1/3))/10))
    # a delay of a start that is not zero; a state machine from 5 s
    m = solved(Model(s = StateMachine, x = Var(init = 0.0), equations = :[s.fire = [s.elapsed > 0.5u"s", s.elapsed > 1.5u"s"]; der(x) = (if s.state == 2; 1.0 else 0.0 end)/u"s"]), start = 5.0, stop = 9.25, solver = solver)
    # state 1 5..5.5, 2 5.5..7, 1 7..7.5, 2 7.5..9, 1 9..9.25
    near("state machine from 5 s", last(m, "x"), 3.0)
    # clutch that is open; one-way clutch overtaken
    m = solved(Model(c = OneWayClutch, a = Inertia | Map(J = 1.0u"kg*m^2", w = Var(init = 1.0u"rad/s")), b = Inertia | Map(J = 1.0u"kg*m^2", w = Var(init = 3.0u"rad/s")), s = ConstantTorque | Map(tau = 1.0u"N*m"), connect = :[(s.flange, a.flange_a); (a.flange_b, c.flange_a); (c.flange_b, b.flange_a)]), stop = 4.0, solver = solver)
    near("one-way clutch", last(m, "b.w"), 4.0)
    # belt with masses, series of two gears
    m = solved(Model(g1 = IdealGear | Map(ratio = 2.0), g2 = IdealGear | Map(ratio = -3.0), j = Inertia | Map(J = 36.0u"kg*m^2"), s = ConstantTorque | Map(tau = 1.0u"N*m"), connect = :[(s.flange, g1.flange_a); (g1.flange_b, g2.flange_a); (g2.flange_b, j.flange_a)]), stop = 6.0, solver = solver)
    near("gears in a row", last(m, "j.w"), -1.0)
    # sine voltage in degrees/rpm, phase; saturable inductor: flux = integral of v
    m = solved(Model(V = SineVoltage | Map(V = 10.0u"V", f = 50.0u"Hz"), L = SaturableInductor, g = Ground, connect = :[(V.p, L.p); (L.n, V.n, g.p)]), stop = 0.013, solver = solver)
    near("saturable", last(m, "L.psi"), 10/(100*pi)*(1 - cos(100*pi*0.013)))
    # a thyristor fired at 60 degrees: charge through 1 ohm over a period, (V/w) (1 + cos 60)
    m = solved(Model(V = SineVoltage | Map(V = 10.0u"V", f = 50.0u"Hz"), t = IdealThyristor | Map(Ron = 0.0u"Ω", Goff = 0.0u"S"), R = Resistor | Map(R = 1.0u"Ω"), g = Ground, q = Var(init = 0.0u"A*s"),
        equations = :[t.fire = mod(time, 0.02u"s") > 0.02u"s"/6; der(q) = R.i], connect = :[(V.p, t.p); (t.n, R.p); (R.n, V.n, g.p)]), stop = 0.04, solver = solver)
    near("thyristor", last(m, "q"), 2*10/(100*pi)*1.5, 1e-7)
    # An op-amp as inverter: by 2 within its limits, by 10 at one of them.
    m = solved(Model(V = ConstantVoltage | Map(V = 2.0u"V"), a = OpAmp, R1 = Resistor | Map(R = 1.0u"kΩ"), R2 = Resistor | Map(R = 2.0u"kΩ"), g = Ground, connect = :[(V.p, R1.p); (R1.n, R2.p, a.in_n); (R2.n, a.out); (a.in_p, V.n, g.p)]), stop = 0.001, solver = solver)
    near("op-amp -2", last(m, "a.out.v"), -2*2/(1 + 3/1e5))
    m = solved(Model(V = ConstantVoltage | Map(V = 2.0u"V"), a = OpAmp, R1 = Resistor | Map(R = 1.0u"kΩ"), R2 = Resistor | Map(R = 10.0u"kΩ"), g = Ground, connect = :[(V.p, R1.p); (R1.n, R2.p, a.in_n); (R2.n, a.out); (a.in_p, V.n, g.p)]), stop = 0.001, solver = solver)
    near("op-amp at its limit", last(m, "a.out.v"), -15.0)
    # a brake stops and holds against 50 N m
    m = solved(Model(j = Inertia | Map(J = 2.0u"kg*m^2", w = Var(init = 10.0u"rad/s")), b = Brake | Map(tau_s = 100.0u"N*m"), s = ConstantTorque | Map(tau = 50.0u"N*m"), equations = :[b.u = 1.0], connect = :[(s.flange, j.flange_a); (j.flange_b, b.flange_a)]), stop = 3.0, solver = solver)
    near("brake", last(m, "j.phi"), 10.0^2*2/(2*50)); near("brake holds", last(m, "b.tau"), 50.0)
    # rack with a mass; screw of negative lead
    m = solved(Model(s = ConstantTorque | Map(tau = 1.0u"N*m"), r = RackAndPinion | Map(r = -2.0u"cm"), m = TranslationalMass | Map(m = 5.0u"kg"), connect = :[(s.flange, r.flange); (r.rod, m.flange_a)]), stop = 1.0, solver = solver)
    near("rack -2 cm", last(m, "m.v"), -10.0)
    m = solved(Model(s = ConstantTorque | Map(tau = 1.0u"N*m"), r = LeadScrew | Map(lead = -2*pi*1.0u"cm", eta = 0.5), m = TranslationalMass | Map(m = 5.0u"kg"), connect = :[(s.flange, r.flange); (r.nut, m.flange_a)]), stop = 1.0, solver = solver)
    near("screw of negative lead", last(m, "m.v"), -10.0)
    # an accumulator of n = 1 filled with constant flow
    m = solved(Model(a = Accumulator | Map(n = 1.0), f = PrescribedFlow, equations = :[f.q = 1.0e-5u"m^3/s"], connect = :[(f.port, a.port)]), stop = 50.0, solver = solver)
    near("accumulator", last(m, "a.port.p"), 5.1e6*2 - 1e5)
    # tanks that level out through a laminar pipe, other units
    m = solved(Model(a = Tank | Map(A = 2.0u"m^2", h = Var(init = 3.0u"m")), b = Tank | Map(A = 1.0u"m^2", h = Var(init = 0.0u"m")), p = LaminarPipe | Map(L = 100.0u"cm", D = 20.0u"mm", mu = 1.0u"Pa*s"), connect = :[(a.port, p.port_a); (p.port_b, b.port)]), stop = 600.0, solver = solver)
    G = pi*0.02^4/128
    near("tanks", last(m, "b.h"), 2*(1 - exp(-G*9810*1.5*600)))
    # A transformer with full coupling, which leaves one state: i1 = 0 at the start, so the flux i1 + 2 i2 begins at -2 and goes to 2 with 1 s.
    m = solved(Model(V = ConstantVoltage | Map(V = 4.0u"V"), R = Resistor | Map(R = 2.0u"Ω"), t = Transformer | Map(L1 = 1.0u"H", L2 = 4.0u"H", M = 2.0u"H", i2 = Var(init = nothing)), L = Resistor | Map(R = 8.0u"Ω"), g = Ground, connect = :[(V.p, R.p); (R.n, t.p1); (t.n1, V.n, g.p, t.n2, L.n); (t.p2, L.p)]), stop = 0.5, solver = solver)
    near("full coupling", last(m, "L.v"), 8*exp(-0.5))
    # pulses and clocks in a run that begins at 0.013 s
    m = solved(Model(V = PulseVoltage, x = Var(init = 0.0u"V*s"), R = Resistor, g = Ground, equations = :[der(x) = V.v], connect = :[(V.p, R.p); (R.n, V.n, g.p)]), start = 0.013, stop = 0.095, solver = solver)
    near("pulses from 13 ms", last(m, "x"), 0.04)
    m = solved(Model(t = TimeTable | Map(table_x = [0.0, 1.0, 3.0]u"s", table_y = [0.0, 2.0, 0.0], ends = "repeat"), x = Var(init = 0.0), equations = :[der(x) = t.y/u"s"]), start = 0.5, stop = 7.0, solver = solver)
    # a triangle of area 3 each 3 s; from 0.5: less 0.25; 6..7: 1
    near("table repeats", last(m, "x"), 3 + 3 - 0.25 + 1)
    m = solved(Model(t = Table | Map(table_x = [0.0, 1.0, 3.0], table_y = [0.0, 2.0, 0.0], ends = "line"), x = Var(init = 0.0), equations = :[t.u = time/u"s" - 1.0; der(x) = t.y/u"s"]), stop = 6.0, solver = solver)
    # from -1: line 2 u: -1; triangle 3; behind -(u - 3): -2
    near("table goes on", last(m, "x"), 0.0 + 3 - 2 - 1)
    # a clutch without pressure, then shut: momentum
    m = solved(Model(c = Clutch, a = Inertia | Map(J = 1.0u"kg*m^2", w = Var(init = 10.0u"rad/s")), b = Inertia | Map(J = 3.0u"kg*m^2"), equations = :[c.u = if time < 1.0u"s"; 0.0 else 1.0 end], connect = :[(a.flange_b, c.flange_a); (c.flange_b, b.flange_a)]), stop = 3.0, solver = solver)
    near("clutch", last(m, "b.w"), 2.5)
    # friction of zero; two in a row
    m = solved(Model(f = BearingFriction | Map(tau_c = 0.0u"N*m", tau_s = 0.0u"N*m"), a = Inertia | Map(J = 1.0u"kg*m^2", w = Var(init = 10.0u"rad/s")), connect = :[(a.flange_b, f.flange_a)]), stop = 3.0, solver = solver)
    near("friction 0", last(m, "a.phi"), 30.0)
    # heating resistors in series with temperature: alpha = 0; convection and wall in parallel
    m = solved(Model(V = ConstantVoltage | Map(V = 10.0u"V"), r = HeatingResistor | Map(R = 5.0u"Ω"), s = HeatingResistor | Map(R = 5.0u"Ω"), c = HeatCapacitor | Map(C = 100.0u"J/K", T = Var(init = 293.15u"K")), a = Ambient | Map(G = 2.0u"W/K"), g = Ground, connect = :[(V.p, r.p); (r.n, s.p); (s.n, V.n, g.p); (r.port, s.port, c.port, a.port)]), stop = 50.0, solver = solver)
    near("heaters", last(m, "c.T"), 293.15 + 5*(1 - exp(-1.0)))
    # delay of one second in a run from 2 s
    m = solved(Model(d = Delay, x = Var(init = 0.0), equations = :[d.u = time/u"s"; der(x) = d.y/u"s"]), start = 2.0, stop = 5.0, solver = solver)
    near("delay", last(m, "x"), 2.0 + (4.0^2 - 2.0^2)/2)
end
