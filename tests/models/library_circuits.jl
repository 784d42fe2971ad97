# Circuits of the library by closed forms, or by a bisection of the one equation that is left.
using Modia
using Test
include("$(Modia.modelsPath)/Circuits.jl")

last(m, name) = getLastValue(m, name, unit = false)
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
R(x) = Resistor | Map(R = x*u"Ω")
function solved(model; stop, tolerance = 1e-8, solver = CVODE_BDF())
    m = @instantiateModel(model)
    simulate!(m, solver, stopTime = stop, tolerance = tolerance)
    return m
end
function root(f, a, b)
    for k in 1:200
        c = (a + b)/2
        if f(a)*f(c) <= 0.0
            b = c
        else
            a = c
        end
    end
    return (a + b)/2
end

# Sources into resistors: charges tell whether jumps were met; sensors beside them.
Sources = Model(
    v1 = StepVoltage | Map(V0 = -1.0u"V", V = 3.0u"V", startTime = 0.4u"s"), r1 = R(2.0), v2 = PulseVoltage | Map(V = 2.0u"V", V0 = 0.5u"V", period = 0.3u"s", width = 0.25), r2 = R(1.0),
    i3 = ConstantCurrent | Map(I = 0.2u"A"), r3 = R(5.0), i4 = SignalCurrent, r4 = R(1.0), volt = VoltageSensor, power = PowerSensor, g = Ground,
    q1 = Var(init = 0.0u"A*s"), q2 = Var(init = 0.0u"A*s"), q4 = Var(init = 0.0u"A*s"), bat = Battery | Map(Q = 10.0u"A*s", R = 0.1u"Ω", soc = Var(init = 0.95)), i5 = ConstantCurrent,
    connect = :[(v1.p, power.pc, power.pv); (power.nc, r1.p); (v2.p, r2.p); (i3.n, r3.p, volt.p); (i4.n, r4.p); (bat.p, i5.p)
                (v1.n, r1.n, v2.n, r2.n, i3.p, r3.n, i4.p, r4.n, volt.n, power.nv, bat.n, i5.n, g.p)],
    equations = :[i4.u = 3.0u"A/s"*time; der(q1) = r1.i; der(q2) = r2.i; der(q4) = r4.i])
m = solved(Sources, stop = 1.0)
@test near(last(m, "q1"), (-0.4 + 3*0.6)/2) && near(last(m, "q2"), 0.5 + 1.5*(3*0.075 + 0.075)) && near(last(m, "q4"), 1.5)
@test near(last(m, "volt.v"), 1.0) && near(last(m, "power.P"), 4.5)
# 1 A out of 10 A s: 0.1; from 4.1 V at 0.95 down to 4.0 at 0.9 and on to 3.96875 at 0.85, less 0.1 V
@test near(last(m, "bat.soc"), 0.85) && near(last(m, "bat.v"), 3.5 + 0.5*0.75/0.8 - 0.1)

# Half wave into R and L: i = V/Z (sin(wt - phi) + sin(phi) exp(-t R/L)) until it is zero again, once a period.
HalfWave = Model(V = SineVoltage | Map(V = 100.0u"V"), d = IdealDiode, r = R(10.0), L = Inductor | Map(L = 0.05u"H"), g = Ground, q = Var(init = 0.0u"A*s"),
                 connect = :[(V.p, d.p); (d.n, r.p); (r.n, L.p); (L.n, V.n, g.p)], equations = :[der(q) = L.i])
m = solved(HalfWave, stop = 0.06)
w = 100*pi
phi = atan(w*0.05, 10.0)
Z = sqrt(100 + (w*0.05)^2)
current(t) = 100/Z*(sin(w*t - phi) + sin(phi)*exp(-t*200))
out = root(current, 0.011, 0.02)
once = 100*(1 - cos(w*out))/w/10                      # of R i + L di/dt = v, with i = 0 at both ends
@test near(last(m, "q"), 3*once, 3e-5)                 # what the blocking diode leaks is 1e-5 S of it

# A thyristor fired at 1 rad into R: V/(2 pi R) (1 + cos 1) on average; a second one never fired stays closed.
Phase = Model(V = SineVoltage | Map(V = 100.0u"V"), t = IdealThyristor | Map(Goff = 0.0u"S"), r = R(10.0), t2 = IdealThyristor | Map(Goff = 0.0u"S"), r2 = R(10.0), g = Ground,
              q = Var(init = 0.0u"A*s"), q2 = Var(init = 0.0u"A*s"),
              connect = :[(V.p, t.p, t2.p); (t.n, r.p); (t2.n, r2.p); (r.n, r2.n, V.n, g.p)],
              equations = :[at = mod(time, 0.02u"s")*100*pi/u"s"; t.fire = at > 1.0 && at < 1.5; t2.fire = false; der(q) = r.i; der(q2) = r2.i])
m = solved(Phase, stop = 0.1)
@test near(last(m, "q"), 0.1*100/(2*pi*10)*(1 + cos(1.0))) && last(m, "q2") == 0.0

# A bridge of diodes with a knee into R, two in a row in one arm, two side by side in another; what these carry they share.
Bridge = Model(V = SineVoltage | Map(V = 20.0u"V", phase = 0.3u"rad"), a1 = IdealDiode, a2 = IdealDiode | Map(Vknee = 0.7u"V"), b1 = IdealDiode | Map(Vknee = 0.7u"V"), b2 = IdealDiode | Map(Vknee = 0.7u"V"),
               c = IdealDiode | Map(Vknee = 0.7u"V"), d = IdealDiode | Map(Vknee = 0.7u"V"), r = R(10.0), g = Ground, q = Var(init = 0.0u"A*s"), half = Var(init = 0.0u"A*s"),
               connect = :[(V.p, a1.p, b1.n, b2.n); (a1.n, a2.p); (a2.n, c.n, r.p); (V.n, c.p, d.n); (r.n, b1.p, b2.p, d.p, g.p)], equations = :[der(q) = r.i; der(half) = b1.i])
on = asin(1.4/20)
each = (2*20*cos(on) - 1.4*(pi - 2*on))/10/w            # of a half wave
for solver in [CVODE_BDF(), IDA(), Tsit5()]
    local m = solved(Bridge, stop = 0.04, solver = solver)
    @test near(last(m, "q"), 4*each, 1e-5) && near(last(m, "half"), 2*each/2, 1e-4)
end

# Three phases, six diodes, current held by a coil: 3 sqrt(3)/pi of the amplitude on average; each diode conducts a third of the time.
Six = Model(v = [SineVoltage | Map(V = 100.0u"V", phase = (0.1 - 2*pi/3*k)*u"rad") for k in 0:2], d = [IdealDiode for k in 1:6], L = Inductor | Map(L = 1.0u"H", i = Var(init = 16.54u"A")), r = R(10.0), g = Ground,
            area = Var(init = 0.0u"V*s"), third = Var(init = 0.0u"A*s"), all = Var(init = 0.0u"A*s"),
            connect = :[(v[1].n, v[2].n, v[3].n, g.p); (v[1].p, d[1].p, d[2].n); (v[2].p, d[3].p, d[4].n); (v[3].p, d[5].p, d[6].n)
                        (d[1].n, d[3].n, d[5].n, L.p); (L.n, r.p); (r.n, d[2].p, d[4].p, d[6].p)],
            equations = :[der(area) = L.p.v - r.n.v; der(third) = d_1.i; der(all) = L.i])
m = solved(Six, stop = 0.1)
@test near(last(m, "area")/0.1, 100*3*sqrt(3.0)/pi, 1e-4) && near(last(m, "third")/last(m, "all"), 1/3, 2e-3)

# Exponential laws: one unknown each.
law(v) = 1e-9*((v/0.026 < 40 ? exp(v/0.026) : exp(40.0)*(1 + v/0.026 - 40)) - 1) + v/1e9
breakdown(v) = -1e-3*(exp(-(v + 5.1)/0.026) - exp(-5.1/0.026))
Laws = Model(V = ConstantVoltage | Map(V = 9.0u"V"), r1 = R(100.0), d = Diode, r2 = R(100.0), d2 = Diode, d3 = Diode, r3 = R(470.0), z = ZenerDiode, r4 = R(1.0), straight = Diode, g = Ground,
             connect = :[(V.p, r1.p, r2.p, r3.p, r4.p); (r1.n, d.p); (r2.n, d2.p); (d2.n, d3.p); (r3.n, z.n); (r4.n, straight.p); (V.n, d.n, d3.n, z.p, straight.n, g.p)])
m = solved(Laws, stop = 0.0)
@test near(last(m, "d.v"), root(v -> law(v) - (9 - v)/100, 0.0, 1.04))
@test near(last(m, "d2.v"), root(v -> law(v) - (9 - 2*v)/100, 0.0, 1.04)) && near(last(m, "d3.v"), last(m, "d2.v"), 1e-9)
@test near(last(m, "z.v"), root(v -> law(v) + breakdown(v) + (9 + v)/470, -6.0, -4.5))
@test near(last(m, "straight.v"), root(v -> law(v) - (9 - v), 0.0, 2.0))

# Transistors: emitter follower with the base at 3 V; a switch in saturation; both channels in saturation and below.
Transistors = Model(
    V = ConstantVoltage | Map(V = 10.0u"V"), B = ConstantVoltage | Map(V = 3.0u"V"), npn = NPN, re = R(1000.0), rc = R(1000.0), pnp = PNP, re2 = R(1000.0), rc2 = R(1000.0), VB2 = ConstantVoltage | Map(V = 7.0u"V"),
    deep = NPN, rb3 = R(10000.0), rc3 = R(1000.0), n = NMOS | Map(lambda = 0.01u"1/V"), rd = R(100.0), n2 = NMOS, rd2 = R(5000.0), p = PMOS, rd3 = R(100.0), g = Ground,
    connect = :[(V.p, rc.p, re2.p, rb3.p, rc3.p, rd.p, rd2.p, p.S); (B.p, npn.B, n.G, n2.G); (rc.n, npn.C); (npn.E, re.p); (VB2.p, pnp.B, p.G); (re2.n, pnp.E); (pnp.C, rc2.p)
                (rb3.n, deep.B); (rc3.n, deep.C); (rd.n, n.D); (rd2.n, n2.D); (p.D, rd3.p)
                (V.n, B.n, VB2.n, re.n, rc2.n, deep.E, n.S, n2.S, rd3.n, g.p)])
m = solved(Transistors, stop = 0.0)
follower = root(v -> 1e-14*(exp(v/0.026) - 1)*1.01 - 1e-14*0.0 - (3 - v)/1000, 0.5, 0.9)
@test near(last(m, "npn.vbe"), follower, 1e-7) && near(last(m, "pnp.veb"), follower, 1e-7)
@test near(last(m, "npn.C.i"), (3 - follower)/1000/1.01, 1e-6) && near(last(m, "pnp.C.i"), -(3 - follower)/1000/1.01, 1e-6)
# In saturation both equations of the transistor hold: base and collector current from its two voltages.
vbe, vbc = last(m, "deep.vbe"), last(m, "deep.vbc")
f, r = 1e-14*(exp(vbe/0.026) - 1), 1e-14*(exp(vbc/0.026) - 1)
@test near((10 - vbe)/10000, f/100 + r/2, 1e-6) && near((10 - (vbe - vbc))/1000, f - 1.5*r, 1e-6) && vbe - vbc < 0.2
# 0.02/2 1.5^2 (1 + 0.01 (10 - 100 i)); below: 5000 i = 10 - v, i = 0.02 (1.5 - v/2) v
@test near(last(m, "n.D.i"), 0.0225*1.1/(1 + 0.0225)) && near(last(m, "p.D.i"), -0.0225)
v = root(v -> 0.02*(1.5 - v/2)*v - (10 - v)/5000, 0.0, 1.0)
@test near(last(m, "n2.D.v"), v)

# Amplifier: -R2/R1/(1 + (1 + R2/R1)/A) at rest, its limit beyond, and its pole.
Amplifier = Model(V = StepVoltage | Map(V = 0.1u"V"), r1 = R(1000.0), r2 = R(20000.0), op = OpAmp | Map(A = 1000.0), V2 = SineVoltage | Map(V = 3.0u"V", f = 50.0u"Hz"), r3 = R(1000.0), r4 = R(10000.0), op2 = OpAmp, g = Ground,
                  q = Var(init = 0.0u"V*s"),
                  connect = :[(V.p, r1.p); (r1.n, r2.p, op.in_n); (r2.n, op.out); (V2.p, r3.p); (r3.n, r4.p, op2.in_n); (r4.n, op2.out); (op.in_p, op2.in_p, V.n, V2.n, g.p)],
                  equations = :[der(q) = abs(op2.x)])
m = solved(Amplifier, stop = 0.02)
@test near(last(m, "op.x"), -0.1*20/(1 + 21/1000), 1e-6)
a = asin(0.5)
@test near(last(m, "q"), 4*(30*(1 - cos(a)) + 15*(pi/2 - a))/w, 1e-3)
m = solved(Amplifier, stop = 1e-6, tolerance = 1e-9)
pole = 2*pi*1e6*(1/21 + 1/1000)
@test near(last(m, "op.x"), -0.1*20/(1 + 21/1000)*(1 - exp(-pole*1e-6)), 1e-5)

# Coils: load seen through an ideal transformer; a coil whose neighbor is short-circuited; iron, whose flux is the area under the voltage.
Coils = Model(V = ConstantVoltage | Map(V = 10.0u"V"), it = IdealTransformer | Map(n = 5.0), r = R(2.0), t = Transformer | Map(L1 = 0.5u"H", L2 = 0.2u"H", M = 0.3u"H"),
              V2 = SineVoltage | Map(V = 300.0u"V", phase = (pi/2)*u"rad"), sat = SaturableInductor | Map(L = 0.5u"H", Lsat = 0.01u"H", Isat = 1.5u"A"), g = Ground,
              connect = :[(V.p, it.p1, t.p1); (it.p2, r.p); (V2.p, sat.p); (V.n, it.n1, it.n2, r.n, t.n1, t.p2, t.n2, V2.n, sat.n, g.p)])
m = solved(Coils, stop = 0.123)
@test near(last(m, "it.p1.i"), 10/50) && near(last(m, "t.i1"), 10*0.123/(0.5 - 0.09/0.2)) && near(last(m, "t.i2"), -0.3/0.2*last(m, "t.i1"))
psi = 300/w*sin(w*0.123)
@test near(last(m, "sat.psi"), psi) && near(last(m, "sat.i"), root(i -> 0.01*i + 0.49*1.5*tanh(i/1.5) - psi, -100.0, 100.0), 1e-5)

# Switched: a step-down converter has D V on average, and the ripple (V - v) D T/L of its coil.
Buck = Model(V = ConstantVoltage | Map(V = 24.0u"V"), sw = IdealSwitch, d = IdealDiode, L = Inductor | Map(L = 1e-4u"H", i = Var(init = (1.6 - 8/15)*u"A")), C = Capacitor | Map(C = 1e-3u"F", v = Var(init = 8.0u"V")), r = R(5.0), g = Ground,
             pwm = PWM | Map(T = 2e-5u"s"), q = Var(init = 0.0u"V*s"),
             connect = :[(V.p, sw.p); (sw.n, d.n, L.p); (L.n, C.p, r.p); (C.n, r.n, d.p, V.n, g.p)], equations = :[pwm.u = 1/3; sw.on = pwm.y; der(q) = C.v])
m = @instantiateModel(Buck)
simulate!(m, stopTime = 0.02, tolerance = 1e-7, interval = 1e-5)
i = getValues(m, "L.i")
tail = i[length(i) - 200:end]
@test near(last(m, "q")/0.02, 8.0, 2e-3) && near(maximum(tail) - minimum(tail), 16/3*2e-5/1e-4, 1e-2)
