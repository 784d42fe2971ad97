# Drives of the library, rotating and on a line, by closed forms: momentum, energy, times at which something sticks or lets go.
using Modia
using Test
include("$(Modia.modelsPath)/Driveline.jl")
include("$(Modia.modelsPath)/LinearMotion.jl")

last(m, name) = getLastValue(m, name, unit = false)
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
at(m, name, t) = (k = findlast(getValues(m, "time") .<= t + 1e-12); getValues(m, name)[k])
J(x, w = 0.0) = Inertia | Map(J = x*u"kg*m^2", w = Var(init = w*u"rad/s"))
Mass(x; s = 0.0, v = 0.0) = TranslationalMass | Map(m = x*u"kg", s = Var(init = s*u"m"), v = Var(init = v*u"m/s"))
function solved(model; stop, tolerance = 1e-8, solver = CVODE_BDF())
    m = @instantiateModel(model)
    simulate!(m, solver, stopTime = stop, tolerance = tolerance)
    return m
end

# Two clutches and a brake in a row. From 0.1 s on the first slips with 50 N m, while the second is shut: (1 kg m^2, 100 rad/s) against 2.1 at rest, together
# at 100/3.1 after 100/(50 (1 + 1/2.1)) s. The brake takes 30 N m from 3 s on.
Row = Model(e = J(1.0, 100.0), c1 = Clutch | Map(tau_s = 100.0u"N*m"), g = J(0.1), c2 = Clutch, l = J(2.0), b = Brake | Map(tau_s = 100.0u"N*m"), s = RelativeSpeedSensor,
            connect = :[(e.flange_b, c1.flange_a, s.flange_a); (c1.flange_b, g.flange_a, s.flange_b); (g.flange_b, c2.flange_a); (c2.flange_b, l.flange_a); (l.flange_b, b.flange_a)],
            equations = :[c1.u = if time > 0.1u"s"; 0.5 else 0.0 end; c2.u = if time > 0.05u"s"; 1.0 else 0.0 end; b.u = if time > 3.0u"s"; 0.3 else 0.0 end])
for solver in [CVODE_BDF(), IDA(), Tsit5()]
    local m = solved(Row, stop = 5.0, solver = solver)
    @test near(last(m, "l.w"), 100/3.1 - 60/3.1) && abs(last(m, "s.w")) < 1e-8 && near(last(m, "c1.tau"), -30/3.1, 1e-5)
    @test near(at(m, "e.w", 1.0), 100 - 50*0.9) && near(at(m, "l.w", 1.0), 50*0.9/2.1) && near(at(m, "e.w", 2.0), 100/3.1)
end

# A shaft in bearings under a torque that grows, 0.5 N m a second: it sticks until 1.2 N m and slides from there on; without Stribeck's dip it is
# J dw = 0.5 t - 1.2. A second one is stopped by its friction after 2/(1 + d ...): w = (2 + 5) exp(-0.2 t) - 5.
Bearings = Model(t = Torque, i = J(2.0), f = BearingFriction | Map(tau_c = 1.2u"N*m"), i2 = J(1.0, 2.0), f2 = Friction | Map(tau_s = 1.0u"N*m", d = 0.2u"N*m*s/rad"), wall = Fixed, acc = AngularAccelerationSensor,
                 connect = :[(t.flange, i.flange_a, acc.flange); (i.flange_b, f.flange_a); (i2.flange_b, f2.flange_b); (f2.flange_a, wall.flange)], equations = :[t.tau = 0.5u"N*m/s"*time])
m = solved(Bearings, stop = 6.0)
@test abs(at(m, "i.w", 2.39)) < 1e-10 && abs(at(m, "i.phi", 2.39)) < 1e-9 && near(at(m, "f.tau", 1.2), 0.6, 1e-6)
@test near(last(m, "i.w"), 0.25*3.6^2/2) && near(last(m, "acc.a"), 0.5*3.6/2)
stop = log(7/5)/0.2
@test abs(last(m, "i2.w")) < 1e-9 && near(last(m, "i2.phi"), 7/0.2*(1 - exp(-0.2*stop)) - 5*stop)

# Freewheel: taken along while the source is faster, and slowed by d otherwise: w = 5 exp(-d/J (t - pi/6)) from the peak of 5 sin 3t on, where the source falls faster.
Free = Model(src = SpeedSource, c = OneWayClutch, l = J(0.5), d = Damper | Map(d = 0.2u"N*m*s/rad"), f = Fixed,
             connect = :[(src.flange, c.flange_a); (c.flange_b, l.flange_a); (l.flange_b, d.flange_b); (d.flange_a, f.flange)], equations = :[src.w = 5.0u"rad/s"*sin(3*time/u"s")])
# It leaves where the source slows down as fast as the damper would slow the load: 3 cos 3t = -0.4 sin 3t.
leave = (pi - atan(3/0.4))/3
m = solved(Free, stop = 2.0)
@test near(at(m, "l.w", 0.4), 5*sin(1.2), 1e-6) && near(at(m, "l.w", 1.6), 5*sin(3*leave)*exp(-0.4*(1.6 - leave)), 1e-5)

# Play: nothing for 0.005 rad, then an oscillation of two inertias on a spring until they part; without a damper they exchange their speeds.
Play = Model(a = J(1.0, 1.0), p = Backlash | Map(d = 0.0u"N*m*s/rad"), b = J(1.0), connect = :[(a.flange_b, p.flange_a); (p.flange_b, b.flange_a)])
m = solved(Play, stop = 0.03)
@test near(last(m, "a.w"), 0.0, 1e-5) && near(last(m, "b.w"), 1.0, 1e-5)
@test near(last(m, "b.phi"), 0.03 - 0.005 - pi/sqrt(2e4)/2, 1e-5)
# With one it never pulls, and the energy falls.
m = solved(Play, stop = 0.03)
simulate!(m, stopTime = 0.03, merge = Map(p = Map(d = 20.0u"N*m*s/rad")), tolerance = 1e-8)
@test maximum(getValues(m, "p.tau").*sign.(getValues(m, "p.phi_rel"))) >= 0.0 && minimum(getValues(m, "p.tau").*sign.(getValues(m, "p.phi_rel"))) >= 0.0
@test near(last(m, "a.w") + last(m, "b.w"), 1.0) && last(m, "b.w") < 0.999
m = solved(Model(i = J(1.0, 2.0), s = RotationalStop | Map(phi_max = 0.5u"rad", d = 0.0u"N*m*s/rad"), connect = :[(i.flange_b, s.flange)]), stop = 1.0)
@test near(last(m, "i.w"), -2.0, 1e-5) && near(last(m, "i.phi"), 0.5 - 2*(1.0 - 0.25 - pi/100), 1e-5)

# Gears: driven with 1 N m through eta = 0.9, then the load is braked through it: J dw on the fast side (eta over ratio^2), and back by 1/(2 - eta).
Gears = Model(t = ConstantTorque, a = J(0.01), g = LossyGear | Map(ratio = 10.0, eta = 0.9), b = Inertia | Map(J = 1.0u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)),
              a2 = J(0.01, 100.0), g2 = LossyGear | Map(ratio = 10.0, eta = 0.9), b2 = Inertia | Map(J = 1.0u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)), t2 = ConstantTorque | Map(tau = -0.5u"N*m"),
              connect = :[(t.flange, a.flange_a); (a.flange_b, g.flange_a); (g.flange_b, b.flange_a); (t2.flange, a2.flange_a); (a2.flange_b, g2.flange_a); (g2.flange_b, b2.flange_a)])
m = solved(Gears, stop = 2.0)
@test near(last(m, "a.w"), 2*1.0/(0.01 + 1/(0.9*100))) && near(last(m, "b.w"), last(m, "a.w")/10)
@test near(last(m, "a2.w"), 100 - 2*0.5/(0.01 + 0.01/1.1))
m = solved(Model(sun = J(0.1, 3.0), p = PlanetaryGear, car = J(0.4), ring = Inertia | Map(J = 0.2u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)), t = ConstantTorque,
                 connect = :[(sun.flange_b, p.sun); (p.carrier, car.flange_a); (p.ring, ring.flange_a); (t.flange, car.flange_b)]), stop = 2.0)
# Power in is the change of energy; momentum of the sun and ring stand as their teeth, 1 : 2.
E = 0.05*last(m, "sun.w")^2 + 0.2*last(m, "car.w")^2 + 0.1*last(m, "ring.w")^2
@test near(E - (0.05*9 + 0.1*2.25), last(m, "car.phi")) && near(3*last(m, "car.w"), last(m, "sun.w") + 2*last(m, "ring.w")) && near(2*0.1*(last(m, "sun.w") - 3), 0.2*(last(m, "ring.w") + 1.5))
m = solved(Model(t = ConstantTorque, a = J(0.02), b = Belt | Map(d = 1000.0u"N*s/m"), c = J(0.1), s = TorqueSensor, fan = FanTorque | Map(tau_n = 2.0u"N*m", w_n = 10.0u"rad/s"),
                 connect = :[(t.flange, a.flange_a); (a.flange_b, b.flange_a); (b.flange_b, c.flange_a); (c.flange_b, s.flange_a); (s.flange_b, fan.flange)]), stop = 30.0)
@test near(last(m, "c.w"), 10.0, 1e-5) && near(last(m, "a.w"), 20.0, 1e-5) && near(last(m, "s.tau"), 2.0, 1e-5)
m = solved(Model(t = ConstantTorque, a = J(1e-3), s = LeadScrew, m = TranslationalMass | Map(m = 100.0u"kg", s = Var(init = nothing), v = Var(init = nothing)), f = ConstantForce | Map(f = -500.0u"N"), r = RackAndPinion, t2 = ConstantTorque, m2 = Mass(3.0),
                 connect = :[(t.flange, a.flange_a); (a.flange_b, s.flange); (s.nut, m.flange_a); (m.flange_b, f.flange); (t2.flange, r.flange); (r.rod, m2.flange_a)]), stop = 1.0)
k = 0.005/(2*pi)
@test near(last(m, "a.w"), (1 - 500*k/0.9)/(1e-3 + 100*k^2/0.9)) && near(last(m, "m2.v"), 100/3)
m = solved(Model(src = AngleSource, i = Inertia | Map(J = 2.0u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)), s = TorqueSensor, connect = :[(src.flange, s.flange_a); (s.flange_b, i.flange_a)],
                 equations = :[src.phi = sin(3*time/u"s")*u"rad"]), stop = 0.7)
@test near(last(m, "s.tau"), -18*sin(2.1))

# On a line: a block pulled by a spring whose end moves on steadily sticks until the spring has 1.2 N, at 2.4 s, and then slips and sticks again.
Block = Model(v = VelocitySource, s = LinearSpring | Map(c = 10.0u"N/m"), m = Mass(1.0), f = GuideFriction | Map(f_c = 1.0u"N", f_s = 1.2u"N"), connect = :[(v.flange, s.flange_a); (s.flange_b, m.flange_a); (m.flange_b, f.flange)],
              equations = :[v.v = 0.05u"m/s"])
m = solved(Block, stop = 20.0)
@test abs(at(m, "m.v", 2.35)) < 1e-10 && at(m, "m.v", 2.6) > 0.005 && near(at(m, "f.flange.f", 1.0), 0.5, 1e-6)
# SciPy, with the friction as a relay that is switched at located events (tests/peers/stick_slip.py)
@test near(last(m, "m.s"), 0.910038, 1e-5)

Line = Model(a = Mass(1.0, v = 3.0), f = LinearFriction | Map(f_c = 2.0u"N", f_s = 2.0u"N"), b = Mass(2.0), c = Mass(1.0, s = 1.0), sd = LinearSpringDamper | Map(c = 9.0u"N/m", d = 0.6u"N*s/m"), wall = FixedPosition, d = Mass(1.0, v = 2.0), dm = LinearDamper | Map(d = 0.5u"N*s/m"),
             e = Mass(2.0, v = 10.0), drag = DragForce, push = ConstantForce | Map(f = 4.0u"N"), h = Mass(2.0), fs = ForceSensor, h2 = TranslationalMass | Map(m = 2.0u"kg", s = Var(init = nothing), v = Var(init = nothing)), acc = AccelerationSensor,
             connect = :[(a.flange_b, f.flange_a); (f.flange_b, b.flange_a); (wall.flange, sd.flange_a, dm.flange_a); (sd.flange_b, c.flange_a); (dm.flange_b, d.flange_a); (e.flange_b, drag.flange)
                         (push.flange, h.flange_a); (h.flange_b, fs.flange_a); (fs.flange_b, h2.flange_a, acc.flange)])
m = solved(Line, stop = 2.0)
@test near(last(m, "a.v"), 1.0) && near(last(m, "b.v"), 1.0)       # together after 1 s, at 3/3
wd = sqrt(9 - 0.09)
@test near(last(m, "c.s"), exp(-0.6)*(cos(wd*2) + 0.3/wd*sin(wd*2))) && near(last(m, "d.v"), 2*exp(-1.0)) && near(last(m, "e.v"), 10/(1 + 0.2*10*2)) && near(last(m, "fs.f"), 2.0) && near(last(m, "acc.a"), 1.0)

# A ball on a bumper: rebounds with its speed without a damper; rests at m g/c with one. A stop at both ends.
Bumper = Model(m = Mass(1.0, s = 0.5), g = ElastoGap | Map(d = 0.0u"N*s/m"), w = FixedPosition, f = ConstantForce | Map(f = -9.81u"N"), m2 = Mass(1.0, s = 0.5), g2 = ElastoGap | Map(d = 200.0u"N*s/m"), f2 = ConstantForce | Map(f = -9.81u"N"),
               m3 = Mass(1.0, v = 4.0), stop = LinearStop | Map(s_min = -0.2u"m", s_max = 0.3u"m", d = 0.0u"N*s/m"),
               connect = :[(w.flange, g.flange_a, g2.flange_a); (g.flange_b, m.flange_a); (m.flange_b, f.flange); (g2.flange_b, m2.flange_a); (m2.flange_b, f2.flange); (m3.flange_b, stop.flange)])
m = solved(Bumper, stop = 3.0, tolerance = 1e-9)
@test near(0.5*last(m, "m.v")^2 + 9.81*last(m, "m.s"), 9.81*0.5, 1e-4) && near(last(m, "m2.s"), -9.81e-5, 1e-6) && abs(last(m, "m2.v")) < 1e-6
deep = max(last(m, "m3.s") - 0.3, -0.2 - last(m, "m3.s"), 0.0)
@test near(last(m, "m3.v")^2 + 1e5*deep^2, 16.0, 1e-4) && maximum(getValues(m, "m3.s")) < 0.3 + 4/sqrt(1e5) + 1e-6

# A wheel that is led on a car that is led: force by Pacejka's formula at a slip of 0.1, the torque of its axle.
m = solved(Model(axle = SpeedSource, t = Tyre, s = TorqueSensor, road = VelocitySource, fs = ForceSensor, connect = :[(axle.flange, s.flange_a); (s.flange_b, t.flange); (t.road, fs.flange_a); (fs.flange_b, road.flange)],
                 equations = :[road.v = 20.0u"m/s"; axle.w = 22.0u"m/s"/0.3u"m"]), stop = 0.1)
f = 0.9*4000*sin(1.6*atan(10*2/sqrt(400.25)))
@test near(last(m, "fs.f"), f) && near(last(m, "s.tau"), 0.3*f)
