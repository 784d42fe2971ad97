# Odd uses of circuits, drives, heat and fluids. By closed forms, with several solvers.
using Modia
using Test
for f in ["Sources", "Control", "Circuits", "Machines", "Driveline", "LinearMotion", "Thermal", "Fluid"]
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
# Of three diodes behind 1 kilohm at 5 V, by iteration.
function diodeCurrent()
    i = 1e-3
    for k in 1:100
        i = (5 - 0.026*(2*log(i/1e-9 + 1) + log(i/1e-12 + 1)))/1e3
    end
    return i
end
function zenerCurrent()
    lo=0.0;hi=0.05
    for k in 1:200
        i=(lo+hi)/2
        v=0.026*log(i/1e-9+1)+5.1+0.026*log(i/1e-3)
        if v+1e3*i>20; hi=i else lo=i end
    end
    return lo
end
function drainVoltage()
    lo=-5.0;hi=0.0
    for k in 1:200
        v=(lo+hi)/2
        vg=5-v-1.5; vds=-v
        i= vds<vg ? 0.02*(vg-vds/2)*vds : 0.01*vg^2
        # current from S to D = i ; through R from D to V: (v+5)/100
        if i-(v+5)/100>0; lo=v else hi=v end
    end
    return lo
end
function pumpedFlow()
    lo=0.0;hi=1.0
    for k in 1:200
        s=(lo+hi)/2
        dp=(1-(s/2)^2-1e-3*s/2)*1e5+(1-s^2-1e-3*s)*1e5
        if dp > (s*1e-3/(0.62e-4))^2*500; lo=s else hi=s end
    end
    return lo*1e-3
end
function roughSpeed()
    lo=0.1;hi=20.0
    for k in 1:200
        v=(lo+hi)/2; Re=v*0.01/1e-6
        f=1/(1.8*log10((1e-4/3.7)^1.11+6.9/Re))^2
        if f/0.01*500*v^2>1e5; hi=v else lo=v end
    end
    return lo
end
for solver in [CVODE_BDF(), IDA(), Rodas5(), Tsit5()]
    # diodes in series ideal
    local m = solved(Model(V=SineVoltage | Map(V=10.0u"V",f=1.0u"Hz"),d1=IdealDiode,d2=IdealDiode,d3=IdealDiode,R=Resistor | Map(R=1.0u"Ω"),g=Ground,q=Var(init=0.0u"A*s"),equations=:[der(q)=R.i],connect=:[(V.p,d1.p);(d1.n,d2.p);(d2.n,d3.p);(d3.n,R.p);(R.n,V.n,g.p)]), stop=1.0, solver = solver)
    near("diodes in series ideal", last(m,"q"), 10/pi/(1+3e-5) - 10/pi/(1+3e5), 1e-6)
    # diodes in series blocked perfectly one
    m = solved(Model(V=SineVoltage | Map(V=10.0u"V",f=1.0u"Hz"),d1=IdealDiode | Map(Goff=0.0u"S",Ron=0.0u"Ω"),d2=IdealDiode,R=Resistor | Map(R=1.0u"Ω"),g=Ground,q=Var(init=0.0u"A*s"),equations=:[der(q)=R.i],connect=:[(V.p,d1.p);(d1.n,d2.p);(d2.n,R.p);(R.n,V.n,g.p)]), stop=1.0, solver = solver)
    near("diodes in series blocked perfectly one", last(m,"q"), 10/pi/(1+1e-5), 1e-6)
    # diodes antiparallel with knee
    m = solved(Model(V=SineVoltage | Map(V=10.0u"V",f=1.0u"Hz"),d1=IdealDiode | Map(Vknee=1.0u"V",Goff=0.0u"S",Ron=0.0u"Ω"),d2=IdealDiode| Map(Vknee=2.0u"V",Goff=0.0u"S",Ron=0.0u"Ω"),R=Resistor | Map(R=1.0u"Ω"),g=Ground,q=Var(init=0.0u"V*s"),equations=:[der(q)=d1.v],connect=:[(V.p,R.p);(R.n,d1.p,d2.n);(d1.n,d2.p,V.n,g.p)]), stop=1.0, solver = solver)
    a1=asin(0.1);a2=asin(0.2)
    near("diodes antiparallel with knee", last(m,"q"), (2*10*(1-cos(a1))+1*(pi-2*a1) - 2*10*(1-cos(a2))-2*(pi-2*a2))/(2*pi), 1e-6)
    # exp diodes in series
    m = solved(Model(V=ConstantVoltage | Map(V=5.0u"V"),d1=Diode,d2=Diode,d3=Diode | Map(Is=1e-12u"A"),R=Resistor | Map(R=1.0u"kΩ"),g=Ground,connect=:[(V.p,d1.p);(d1.n,d2.p);(d2.n,d3.p);(d3.n,R.p);(R.n,V.n,g.p)]), stop=1.0, solver = solver)
    near("exp diodes in series", last(m,"R.i")*1e3, diodeCurrent()*1e3, 1e-5)
    # exp diode reverse
    m = solved(Model(V=ConstantVoltage | Map(V=-5.0u"V"),d1=Diode | Map(R=Inf*u"Ω"),R=Resistor | Map(R=1.0u"kΩ"),g=Ground,connect=:[(V.p,d1.p);(d1.n,R.p);(R.n,V.n,g.p)]), stop=1.0, solver = solver)
    near("exp diode reverse", last(m,"R.i")*1e9, -1.0, 1e-5)
    # zeners back to back
    m = solved(Model(V=SineVoltage | Map(V=20.0u"V",f=1.0u"Hz"),d1=ZenerDiode,d2=ZenerDiode,R=Resistor | Map(R=1.0u"kΩ"),g=Ground,connect=:[(V.p,R.p);(R.n,d1.p);(d1.n,d2.n);(d2.p,V.n,g.p)]), stop=0.25, solver = solver)
    # d1 forward, d2 breakdown
    near("zeners back to back", last(m,"R.i")*1e3, zenerCurrent()*1e3, 1e-4)
    # transformers cascaded
    m = solved(Model(V=ConstantVoltage | Map(V=12.0u"V"),W=ConstantVoltage | Map(V=-4.0u"V"),R=Resistor | Map(R=2.0u"Ω"),t=IdealTransformer | Map(n=3.0),s=IdealTransformer | Map(n=0.5),r=Resistor | Map(R=1.0u"Ω"),g=Ground,h=Ground,k=Ground,connect=:[(V.p,R.p);(R.n,t.p1);(V.n,t.n1,g.p);(t.p2,s.p1);(t.n2,s.n1,h.p);(s.p2,r.p);(r.n,W.p);(W.n,s.n2,k.p)]), stop=0.1, solver = solver)
    # v1=3*v2, v2=.5*v3 -> v1=1.5 v3; i3out = 1.5*i1; 12-2i = 1.5*v3; v3 = -4+1*1.5 i -> 12-2i=-6+2.25i
    near("transformers cascaded", last(m,"R.i"), 18/4.25)
    # transformer coupled opposite sources
    m = solved(Model(V=ConstantVoltage | Map(V=12.0u"V"),W=ConstantVoltage | Map(V=-4.0u"V"),t=Transformer | Map(R1=1.0u"Ω",R2=2.0u"Ω",M=-0.5u"H"),g=Ground,connect=:[(V.p,t.p1);(V.n,t.n1,g.p,t.n2,W.n);(t.p2,W.p)]), stop=20.0, solver = solver)
    near("transformer coupled opposite sources", last(m,"t.i1"), 12.0,1e-5);near("transformer coupled opposite sources", last(m,"t.i2"), -2.0,1e-5)
    # switch opens inductor
    m = solved(Model(V=ConstantVoltage | Map(V=10.0u"V"),s=IdealSwitch,L=Inductor | Map(L=1.0u"H"),R=Resistor | Map(R=10.0u"Ω"),d=IdealDiode,g=Ground,equations=:[s.on=time<1.0u"s"],connect=:[(V.p,s.p);(s.n,L.p,d.n);(L.n,R.p);(R.n,V.n,d.p,g.p)]), stop=1.1, solver = solver)
    near("switch opens inductor", last(m,"L.i"), exp(-1.0), 2e-4)
    # switch between capacitors
    m = solved(Model(s=IdealSwitch | Map(Goff=0.0u"S",Ron=1.0u"Ω"),a=Capacitor | Map(C=1.0u"mF",v=Var(init=10.0u"V")),b=Capacitor | Map(C=1.0u"mF"),g=Ground,equations=:[s.on=time>1.0u"ms"],connect=:[(a.p,s.p);(s.n,b.p);(a.n,b.n,g.p)]), stop=0.0015, solver = solver)
    near("switch between capacitors", last(m,"b.v"), 5*(1-exp(-0.5e-3/0.5e-3)))
    # cmos inverter
    m = solved(Model(V=ConstantVoltage | Map(V=5.0u"V"),I=SignalVoltage,n=NMOS,p=PMOS,C=Capacitor | Map(C=1.0u"nF",v=Var(init=5.0u"V")),g=Ground,equations=:[I.v=if time<1.0u"µs"; 0.0u"V" else 5.0u"V" end],connect=:[(V.p,p.S);(p.D,n.D,C.p);(n.S,V.n,C.n,I.n,g.p);(I.p,n.G,p.G)]), stop=1.03e-6, solver = solver)
    # saturation 5->3.5: i=0.01*3.5^2=.1225: dt=1e-9*1.5/.1225=12.245ns; then triode
    t1=1e-9*1.5/0.1225; rest=30e-9-t1
    # C v'=-0.02*(3.5-v/2)v ; 1/v... v' = -a v + b v^2 a=.07e9 b=.01e9 ; v/(7-v) = (3.5/3.5)exp(-a t)
    e=exp(-0.07e9*rest)
    near("cmos inverter", last(m,"C.v"), 7*e/(1+e),1e-5)
    # nmos reversed
    m = solved(Model(V=ConstantVoltage | Map(V=-5.0u"V"),I=ConstantVoltage | Map(V=5.0u"V"),n=NMOS,R=Resistor | Map(R=100.0u"Ω"),g=Ground,connect=:[(V.p,R.p);(R.n,n.D);(n.S,V.n,I.n,g.p);(I.p,n.G)]), stop=1.0, solver = solver)
    near("nmos reversed", last(m,"n.D.v"), drainVoltage(),1e-6)
    # current mirror
    m = solved(Model(V=ConstantVoltage | Map(V=10.0u"V"),a=NPN,b=NPN,R=Resistor | Map(R=9.3u"kΩ"),L=Resistor | Map(R=1.0u"kΩ"),g=Ground,connect=:[(V.p,R.p,L.p);(R.n,a.C,a.B,b.B);(L.n,b.C);(a.E,b.E,V.n,g.p)]), stop=1.0, solver = solver)
    near("current mirror", last(m,"L.i")/(last(m,"R.i")), 1/(1+2/100), 1e-6)
    # darlington
    m = solved(Model(V=ConstantVoltage | Map(V=10.0u"V"),a=NPN,b=NPN,I=ConstantCurrent | Map(I=1.0u"µA"),L=Resistor | Map(R=100.0u"Ω"),g=Ground,connect=:[(V.p,L.p,I.p);(L.n,a.C,b.C);(I.n,a.B);(a.E,b.B);(b.E,V.n,g.p)]), stop=1.0, solver = solver)
    near("darlington", last(m,"L.i")*1e3, 1e-3*(100+101*100), 1e-5)
    # opamp with Rout
    m = solved(Model(V=ConstantVoltage | Map(V=1.0u"V"),a=OpAmp | Map(Rout=100.0u"Ω"),R=Resistor | Map(R=50.0u"Ω"),g=Ground,connect=:[(V.p,a.in_p);(a.in_n,a.out,R.p);(R.n,V.n,g.p)]), stop=0.05, solver = solver)
    near("opamp with Rout", last(m,"a.out.v"), 1.0,1e-4)
    # battery
    m = solved(Model(b=Battery,R=Resistor | Map(R=1.0u"Ω"),g=Ground,connect=:[(b.p,R.p);(R.n,b.n,g.p)]), stop=90.0, solver = solver)
    # ocv = 4+ 2(soc-.9); i=ocv/1.01; soc'=-ocv/1.01/3600
    near("battery", last(m,"b.soc"), 0.9+ (2.1*exp(-2/1.01/3600*90)-2.0), 1e-6)
    # batteries parallel
    m = solved(Model(b=Battery | Map(soc=Var(init=0.5)),c=Battery | Map(soc=Var(init=0.8)),g=Ground,connect=:[(c.p,b.p);(c.n,b.n,g.p)]), stop=2000.0, solver = solver)
    near("batteries parallel", last(m,"b.soc"), 0.65 - 0.15*exp(-2*0.625/0.02/3600*2000), 1e-6)
    # friction ws zero
    m = solved(Model(j=Inertia | Map(J=1.0u"kg*m^2",w=Var(init=3.0u"rad/s")),f=BearingFriction | Map(tau_c=1.0u"N*m",tau_s=1.0u"N*m",w_s=0.0u"rad/s"),connect=:[(j.flange_b,f.flange_a)]), stop=5.0, solver = solver)
    near("friction ws zero", last(m,"j.phi"), 4.5, 1e-6)
    # friction in series
    m = solved(Model(a=Inertia | Map(J=1.0u"kg*m^2",w=Var(init=10.0u"rad/s")),b=Inertia | Map(J=1.0u"kg*m^2"),c=Inertia | Map(J=2.0u"kg*m^2"),f=Friction | Map(tau_s=1.0u"N*m"),g=Friction | Map(tau_s=2.0u"N*m",tau_c=2.0u"N*m"),connect=:[(a.flange_b,f.flange_a);(f.flange_b,b.flange_a);(b.flange_b,g.flange_a);(g.flange_b,c.flange_a)]), stop=20.0, solver = solver)
    near("friction in series", last(m,"c.w"), 2.5, 1e-6);near("friction in series", last(m,"b.w"), 2.5, 1e-6)
    # clutch under load
    m = solved(Model(e=Inertia | Map(J=0.5u"kg*m^2",w=Var(init=100.0u"rad/s")),l=Inertia | Map(J=2.0u"kg*m^2"),c=Clutch,te=ConstantTorque | Map(tau=50.0u"N*m"),tl=ConstantTorque | Map(tau=-20.0u"N*m"),equations=:[c.u=if time<1.0u"s"; 0.0 else 1.0 end],connect=:[(te.flange,e.flange_a);(e.flange_b,c.flange_a);(c.flange_b,l.flange_a);(l.flange_b,tl.flange)]), stop=5.0, solver = solver)
    # 1 s: e=200, l=-10; slip 210: e'=(50-100)/.5=-100; l'=(100-20)/2=40 -> 210/140=1.5 s (stribeck only near 1 rad/s small)
    # at 2.5: w ~ 50; then (50-20)/2.5=12*2.5=30 -> 80
    near("clutch under load", last(m,"l.w"), 80.0, 1e-3)
    # clutch slips again
    m = solved(Model(e=Inertia | Map(J=1.0u"kg*m^2"),l=Inertia | Map(J=1.0u"kg*m^2"),c=Clutch | Map(tau_c=10.0u"N*m",tau_s=10.0u"N*m"),te=ConstantTorque | Map(tau=12.0u"N*m"),equations=:[c.u=1.0-time/(2.0u"s")],connect=:[(te.flange,e.flange_a);(e.flange_b,c.flange_a);(c.flange_b,l.flange_a)]), stop=2.0, solver = solver)
    # sticks while 6 <= 10 u => u=.6, t=.8: w=4.8; then e'=12-10u, l'=10u; int of 10u over .8..2 = 10*(.6*1.2/2)=3.6
    near("clutch slips again", last(m,"l.w"), 4.8+3.6);near("clutch slips again", last(m,"e.w"), 4.8+14.4-3.6)
    # brake on negative and release
    m = solved(Model(e=Inertia | Map(J=1.0u"kg*m^2",w=Var(init=-5.0u"rad/s")),t=ConstantTorque | Map(tau=1.0u"N*m"),c=Brake | Map(tau_c=10.0u"N*m",tau_s=10.0u"N*m"),equations=:[c.u=if time<3.0u"s"; 1.0 else 0.0 end],connect=:[(t.flange,e.flange_a);(e.flange_b,c.flange_a)]), stop=4.0, solver = solver)
    near("brake on negative and release", last(m,"e.w"), 1.0);near("brake on negative and release", last(m,"e.phi"), -25.0/22+0.5)
    # one way clutch oscillating
    m = solved(Model(s=AngleSource,c=OneWayClutch,j=Inertia | Map(J=1.0u"kg*m^2"),equations=:[s.phi=1.0u"rad"*(1-cos(time*u"1/s"))],connect=:[(s.flange,c.flange_a);(c.flange_b,j.flange_a)]), stop=2*pi, solver = solver)
    near("one way clutch oscillating", last(m,"j.w"), 1.0, 1e-5); near("one way clutch oscillating", last(m,"j.phi"), 1.0+1.5*pi, 1e-5)
    # two one way clutches
    m = solved(Model(s=AngleSource,c=OneWayClutch,d=OneWayClutch,x=Fixed,j=Inertia | Map(J=1.0u"kg*m^2"),t=ConstantTorque | Map(tau=-1.0u"N*m"),equations=:[s.phi=1.0u"rad"*(1-cos(time*u"1/s"))],connect=:[(s.flange,c.flange_a);(c.flange_b,j.flange_a,d.flange_b);(d.flange_a,x.flange);(j.flange_b,t.flange)]), stop=2*pi, solver = solver)
    # ratchet: follows source while cos(t) accel > -1 always (decel w' = -sin.. source acc = cos t >= -1 ): j follows to phi=2 at pi, then source goes back; j held by d
    near("two one way clutches", last(m,"j.phi"), 2.0, 1e-5)
    # lossy gear driven backward
    m = solved(Model(g=LossyGear | Map(ratio=10.0,eta=0.8),a=Inertia | Map(J=0.01u"kg*m^2"),t=ConstantTorque | Map(tau=12.0u"N*m"),connect=:[(a.flange_b,g.flange_a);(g.flange_b,t.flange)]), stop=1.0, solver = solver)
    # power b->a: at a: a.tau negative (a receives) ; 10*(tau_a - loss)+tau_b=0 ; tau_b flange = -12 ... tau_a<0: load=-tau_a ; loss=.2*|tau_a|
    # -12 + 10*(tau_a - .2*|tau_a|*sign(w)): flange_b.tau = +12 (into gear), so tau_a - .2|tau_a| = -1.2 -> |tau_a|(1.2)=1.2 -> 1 N m on a
    near("lossy gear driven backward", last(m,"a.w"), 100.0, 1e-6)
    # lossy gear negative speed tau_f
    m = solved(Model(g=LossyGear | Map(ratio=10.0,eta=1.0,tau_f=0.5u"N*m"),a=Inertia | Map(J=1.0u"kg*m^2",w=Var(init=-4.0u"rad/s")),connect=:[(a.flange_b,g.flange_a)]), stop=20.0, solver = solver)
    near("lossy gear negative speed tau_f", last(m,"a.phi"), -16.0, 1e-6)
    # gear in a loop of gears
    m = solved(Model(g=LossyGear | Map(ratio=2.0,eta=0.9),h=LossyGear | Map(ratio=3.0,eta=0.9),a=Inertia | Map(J=0.1u"kg*m^2"),b=Inertia | Map(J=7.2u"kg*m^2",phi=Var(init=nothing),w=Var(init=nothing)),t=ConstantTorque | Map(tau=10.0u"N*m"),connect=:[(t.flange,a.flange_a);(a.flange_b,g.flange_a);(g.flange_b,h.flange_a);(h.flange_b,b.flange_a)]), stop=1.0, solver = solver)
    # tau x into g; out .9*2*x ; .9*3: 4.86 x = 7.2*wb', wa=6wb: (10-x)/.1 = 6*4.86x/7.2 -> 
    x=100/(10+6*4.86/7.2)
    near("gear in a loop of gears", last(m,"a.w"), (10-x)/0.1, 1e-6)
    # stop from outside
    m = solved(Model(a=TranslationalMass | Map(m=1.0u"kg",s=Var(init=20.0u"mm")),c=LinearStop | Map(s_min=-10.0u"mm",s_max=10.0u"mm",c=100.0u"N/m",d=0.0u"N*s/m"),connect=:[(a.flange_b,c.flange)]), stop=0.2, solver = solver)
    # oscill half: starts at 10 mm beyond, w=10: reaches 10 mm at pi/20=0.157 with v=-0.1; then free 0.0429 s
    near("stop from outside", last(m,"a.s")*1e3, 10-100*(0.2-pi/20), 1e-5)
    # cradle
    m = solved(Model(a=TranslationalMass | Map(m=1.0u"kg",v=Var(init=1.0u"m/s")),b=TranslationalMass | Map(m=1.0u"kg",s=Var(init=0.1u"m")),c=TranslationalMass | Map(m=1.0u"kg",s=Var(init=0.3u"m")),g=ElastoGap | Map(d=0.0u"N*s/m"),h=ElastoGap | Map(d=0.0u"N*s/m"),connect=:[(a.flange_b,g.flange_a);(g.flange_b,b.flange_a);(b.flange_b,h.flange_a);(h.flange_b,c.flange_a)]), stop=1.0, solver = solver)
    near("cradle", last(m,"c.v"), 1.0,1e-5);near("cradle", last(m,"a.v"), 0.0,1e-5)
    # drag terminal velocity
    m = solved(Model(k=TranslationalMass | Map(m=2.0u"kg"),d=DragForce,f=ConstantForce | Map(f=-10.0u"N"),connect=:[(f.flange,k.flange_a);(k.flange_b,d.flange)]), stop=3.0, solver = solver)
    near("drag terminal velocity", last(m,"k.v"), -5*tanh(3*10/(2*5)))
    # rack with rotor and mass
    m = solved(Model(j=Inertia | Map(J=0.02u"kg*m^2"),r=RackAndPinion | Map(r=0.1u"m"),k=TranslationalMass | Map(m=3.0u"kg",s=Var(init=nothing),v=Var(init=nothing)),s=LinearSpring | Map(c=500.0u"N/m"),f=FixedPosition,t=ConstantTorque | Map(tau=5.0u"N*m"),connect=:[(t.flange,j.flange_a);(j.flange_b,r.flange);(r.rod,k.flange_a);(k.flange_b,s.flange_a);(s.flange_b,f.flange)]), stop=0.3, solver = solver)
    near("rack with rotor and mass", last(m,"k.s"), 0.1*(1-cos(sqrt(500/5)*0.3)))
    # celsius
    m = solved(Model(c=HeatCapacitor | Map(C=10.0u"J/K",T=Var(init=80.0u"°C")),a=FixedTemperature | Map(T=20.0u"°C"),g=ThermalConductor | Map(G=2.0u"W/K"),connect=:[(c.port,g.port_a);(g.port_b,a.port)]), stop=5.0, solver = solver)
    near("celsius", last(m,"c.T"), 293.15+60*exp(-1.0))
    # prescribed temperature sine
    m = solved(Model(c=HeatCapacitor | Map(C=1.0u"J/K",T=Var(init=300.0u"K")),p=PrescribedTemperature,g=Wall | Map(A=1.0u"m^2",d=10.0u"cm",lambda=0.1u"W/(m*K)"),equations=:[p.T=300.0u"K"+10.0u"K"*sin(time*u"1/s")],connect=:[(c.port,g.port_a);(g.port_b,p.port)]), stop=3.0, solver = solver)
    near("prescribed temperature sine", last(m,"c.T"), 300+5*(sin(3.0)-cos(3.0)+exp(-3.0)))
    # heating resistor alpha
    m = solved(Model(I=ConstantCurrent | Map(I=2.0u"A"),r=HeatingResistor | Map(R=5.0u"Ω",alpha=0.004u"1/K",T_ref=300.0u"K"),c=HeatCapacitor | Map(C=10.0u"J/K",T=Var(init=300.0u"K")),g=Ground,connect=:[(I.n,r.p);(I.p,r.n,g.p);(r.port,c.port)]), stop=10.0, solver = solver)
    # 10 T' = 20(1+.004 dT) -> dT = 250(exp(.008 t)-1)
    near("heating resistor alpha", last(m,"c.T"), 300+250*(exp(0.08)-1))
    # signal convection
    m = solved(Model(c=HeatCapacitor | Map(C=10.0u"J/K",T=Var(init=400.0u"K")),s=SignalConvection,a=FixedTemperature | Map(T=300.0u"K"),equations=:[s.Gc=if time<2.0u"s"; 1.0u"W/K" else 5.0u"W/K" end],connect=:[(c.port,s.port_a);(s.port_b,a.port)]), stop=4.0, solver = solver)
    near("signal convection", last(m,"c.T"), 300+100*exp(-1.2))
    # rectifier of check valves
    m = solved(Model(f=PrescribedFlow,e=PrescribedFlow,c1=CheckValve,c2=CheckValve,c3=CheckValve,c4=CheckValve,t=Tank | Map(A=1.0u"m^2",h=Var(init=1.0u"m")),s=FixedPressure,equations=:[f.q=1.0e-3u"m^3/s"*sin(2*pi*time/u"s"); e.q=-f.q],connect=:[(f.port,c1.port_a,c2.port_b);(e.port,c3.port_a,c4.port_b);(c1.port_b,c3.port_b,t.port);(c2.port_a,c4.port_a,s.port)]), stop=10.0, solver = solver)
    near("rectifier of check valves", last(m,"t.h"), 1.0+10*1e-3*2/pi, 1e-6)
    # check valves series
    m = solved(Model(a=Tank | Map(h=Var(init=2.0u"m")),b=Tank | Map(h=Var(init=1.0u"m")),c=CheckValve | Map(G=1.0e-5u"m^3/(s*Pa)"),d=CheckValve | Map(G=1.0e-5u"m^3/(s*Pa)",dp_open=1000.0u"Pa"),connect=:[(a.port,c.port_a);(c.port_b,d.port_a);(d.port_b,b.port)]), stop=1000.0, solver = solver)
    near("check valves series", last(m,"a.h")-last(m,"b.h"), 1000/9810, 1e-6)
    # check valve loop
    m = solved(Model(a=Tank | Map(h=Var(init=2.0u"m")),b=Tank | Map(h=Var(init=1.0u"m")),c=CheckValve | Map(G=1.0e-5u"m^3/(s*Pa)",Gleak=0.0u"m^3/(s*Pa)"),d=CheckValve | Map(G=1.0e-5u"m^3/(s*Pa)",Gleak=0.0u"m^3/(s*Pa)"),connect=:[(a.port,c.port_a,d.port_b);(c.port_b,d.port_a,b.port)]), stop=10.0, solver = solver)
    near("check valve loop", last(m,"a.h"), 1.5+0.5*exp(-2*1e-5*9810*10), 1e-6)
    # pump fills tank
    m = solved(Model(s=FixedPressure,p=Pump | Map(lin=0.0),t=Tank | Map(h=Var(init=0.0u"m")),equations=:[p.n=1.0],connect=:[(s.port,p.port_a);(p.port_b,t.port)]), stop=5000.0, solver = solver)
    # q = q0 sqrt(1-rho g h/dp0) ; A h' ; let z=1-h/H, H=10.194: z' = -q0/(H) sqrt z -> sqrt z = 1 - q0 t/(2H)
    H=1e5/9810
    near("pump fills tank", last(m,"t.h"), H*(1-(1-1e-3*5000/(2*H))^2), 1e-6)
    # pumps in series and parallel
    m = solved(Model(s=FixedPressure,p=Pump,q=Pump,r=Pump,o=Orifice | Map(A=1.0u"cm^2",Re_t=1.0e-9),e=FixedPressure,equations=:[p.n=1.0;q.n=1.0;r.n=1.0],connect=:[(s.port,p.port_a,q.port_a);(p.port_b,q.port_b,r.port_a);(r.port_b,o.port_a);(o.port_b,e.port)]), stop=1.0, solver = solver)
    near("pumps in series and parallel", last(m,"o.q")*1e3, pumpedFlow()*1e3, 1e-5)
    # pipes at a node
    m = solved(Model(a=FixedPressure | Map(p=1.0u"bar"),b=FixedPressure,c=FixedPressure | Map(p=20000.0u"Pa"),x=Pipe,y=Pipe | Map(L=2.0u"m"),z=Pipe | Map(D=0.02u"m"),connect=:[(a.port,x.port_a);(x.port_b,y.port_a,z.port_a);(y.port_b,b.port);(z.port_b,c.port)]), stop=1.0, solver = solver)
    near("pipes at a node", last(m,"x.q")-last(m,"y.q")-last(m,"z.q"), 0.0, 1e-12)
    q=last(m,"x.q"); v=4*q/(pi*1e-4)
    near("pipes at a node", last(m,"x.dp"), 128*1e-3/(pi*1e-8)*q+3.0*500*v*abs(v), 1e-8)
    # siphon
    m = solved(Model(a=Tank | Map(h=Var(init=2.0u"m"),A=0.1u"m^2"),b=Tank | Map(h=Var(init=0.0u"m"),A=0.1u"m^2"),x=LaminarPipe | Map(dh=3.0u"m",mu=0.1u"Pa*s"),y=LaminarPipe | Map(dh=-3.5u"m",mu=0.1u"Pa*s"),connect=:[(a.port,x.port_a);(x.port_b,y.port_a);(y.port_b,b.port)]), stop=1000.0, solver = solver)
    G=pi*1e-8/128/0.1/2
    near("siphon", last(m,"a.h"), 0.75+1.25*exp(-2*G*9810/0.1*1000), 1e-6)
    # rough pipe settles
    m = solved(Model(a=FixedPressure | Map(p=1.0u"bar"),b=FixedPressure,x=RoughPipe,connect=:[(a.port,x.port_a);(x.port_b,b.port)]), stop=10.0, solver = solver)
    near("rough pipe settles", last(m,"x.v"), roughSpeed(), 1e-6)
    # valve closed and open
    m = solved(Model(a=Tank | Map(h=Var(init=1.0u"m"),A=1.0u"m^2"),b=FixedPressure,v=Valve | Map(leak=0.0),equations=:[v.u=if time<1.0u"s"; -1.0 elseif time<2.0u"s"; 2.0 else 0.0 end],connect=:[(a.port,v.port_a);(v.port_b,b.port)]), stop=3.0, solver = solver)
    # A h' = -1e-3*sqrt(9810 h/1e5): sqrt h = 1 - .5e-3*sqrt(.0981)
    near("valve closed and open", last(m,"a.h"), (1-0.5e-3*sqrt(0.0981))^2, 1e-6)
    # cylinder and relief
    m = solved(Model(f=PrescribedFlow,c=Cylinder1,r=ReliefValve,s=FixedPressure,m=TranslationalMass | Map(m=1.0u"kg"),k=LinearSpring | Map(c=1.0e5u"N/m"),d=LinearDamper | Map(d=1.0e3u"N*s/m"),x=FixedPosition,equations=:[f.q=10.0u"mL/s"],connect=:[(f.port,c.port,r.port_a);(r.port_b,s.port);(c.flange,m.flange_a);(m.flange_b,k.flange_a,d.flange_a);(k.flange_b,d.flange_b,x.flange)]), stop=60.0, solver = solver)
    near("cylinder and relief", last(m,"c.p")/1e6, 10+1e-5/1e-9/1e6, 1e-6); near("cylinder and relief", last(m,"m.s"), (1e7+1e4)*1e-3/1e5, 1e-6)
    # heated tank
    m = solved(Model(t=HeatedTank,f=PrescribedFlow,h=PrescribedHeatFlow,equations=:[t.q_in=1.0e-3u"m^3/s";t.T_in=313.15u"K";f.q=-1.0e-3u"m^3/s";h.Q_flow=4186.0u"W"],connect=:[(t.port,f.port);(t.heat,h.port)]), stop=1000.0, solver = solver)
    near("heated tank", last(m,"t.T"), 293.15+21*(1-exp(-1.0)))
    # tank runs dry
    m = solved(Model(t=Tank,f=PrescribedFlow,equations=:[f.q=-1.0e-1u"m^3/s"],connect=:[(t.port,f.port)]), stop=20.0, solver = solver)
    near("tank runs dry", last(m,"time"), 10.01)
    # check valve inf
    m = solved(Model(a=Tank | Map(h=Var(init=2.0u"m")),b=Tank | Map(h=Var(init=1.0u"m")),c=CheckValve | Map(G=Inf*u"m^3/(s*Pa)"),d=LaminarPipe | Map(mu=0.1u"Pa*s"),connect=:[(a.port,c.port_a);(c.port_b,d.port_a);(d.port_b,b.port)]), stop=1000.0, solver = solver)
    G=pi*1e-8/128/0.1
    near("check valve inf", last(m,"a.h")-last(m,"b.h"), exp(-2*G*9810*1000), 1e-6)
    # relief in series
    m = solved(Model(f=PrescribedFlow,r=ReliefValve,s=ReliefValve | Map(dp_open=1.0u"bar"),x=FixedPressure,equations=:[f.q=1.0e-5u"m^3/s"],connect=:[(f.port,r.port_a);(r.port_b,s.port_a);(s.port_b,x.port)]), stop=1000.0, solver = solver)
    near("relief in series", last(m,"r.port_a.p")/1e5, 100+1+2*0.1, 1e-6)
    # relief in parallel
    m = solved(Model(f=PrescribedFlow,c=FluidVolume,r=ReliefValve,s=ReliefValve | Map(dp_open=1.0u"bar"),x=FixedPressure,equations=:[f.q=1.0e-2u"m^3/s"*(1-cos(time*u"1/s"))/2],connect=:[(f.port,r.port_a,c.port,s.port_a);(r.port_b,s.port_b,x.port)]), stop=pi, solver = solver)
    near("relief in parallel", last(m,"r.port_a.p")/1e5, (1e-2+1e-2+1e-4)/2e-9/1e5, 1e-3)
end
