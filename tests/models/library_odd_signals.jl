# Odd uses of signals: sources, tables, blocks, samplers, logic and machines of states. By closed forms, with several solvers.
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
function afterTenTicks()
    w1=0.0;w2=0.0;y=0.0
    for n in 0:10
        w=(1.0+w1-0.5*w2)/2; y=w2; w2=w1; w1=w
    end
    return y
end
function sampledPid()
    x=0.0;I=0.0;D=0.0;ud=0.0;y=0.0
    for n in 0:29
        u=0.5-x
        D = n==0 ? 0.0 : (0.02*D+0.05*(u-ud))/(0.12)
        ud=u
        t = 2*(0.7-x+D)+I+2*0.1/0.5*(1-x)
        y = clamp(t,-1.0,1.5)
        if !((t>1.5&&1-x>0)||(t< -1&&1-x<0)); I+=2*0.1/0.5*(1-x) end
        x = y+(x-y)*exp(-0.1)
    end
    return x
end
for solver in [CVODE_BDF(), IDA(), Rodas5(), Tsit5()]
    # chirp zero duration
    local m = solved(Model(s = Chirp | Map(duration = 0.0u"s", f2=2.0u"Hz",startTime=0.5u"s"), x = Var(init=0.0), equations=:[der(x) = s.y/u"s"]), stop = 0.75, solver = solver)
    near("chirp zero duration", last(m,"x"), (1-cos(4*pi*0.25))/(4*pi))
    # ramp zero duration
    m = solved(Model(s = Ramp | Map(duration = 0.0u"s", startTime=0.5u"s"), x = Var(init=0.0), equations=:[der(x) = s.y/u"s"]), stop = 2.0, solver = solver)
    near("ramp zero duration", last(m,"x"), 1.5)
    # ramp at start zero duration
    m = solved(Model(s = Ramp | Map(duration = 0.0u"s"), x = Var(init=0.0), equations=:[der(x) = s.y/u"s"]), stop = 2.0, solver = solver)
    near("ramp at start zero duration", last(m,"x"), 2.0)
    # pulses counted
    m = solved(Model(p = Pulse | Map(period = 0.1u"s", startTime=0.05u"s", width=0.3), c = Counter, x = Var(init=0.0), equations=:[c.u = p.y > 0.5; der(x)=p.y/u"s"]), stop = 100.0, solver = solver)
    near("pulses counted", last(m,"c.y"), 1000); near("pulses counted", last(m,"x"), 1000*0.03, 1e-8)
    # pulses ms
    m = solved(Model(p = Pulse | Map(period = 0.7u"ms", width=0.1), c = Counter, x = Var(init=0.0), equations=:[c.u = p.y > 0.5; der(x)=p.y/u"s"]), stop = 0.70035, solver = solver)
    near("pulses ms", last(m,"c.y"), 1000); near("pulses ms", last(m,"x"), 1001*0.07e-3, 1e-8)
    # exponential inf
    m = solved(Model(s = Exponential | Map(T2 = Inf*u"s", startTime=1.0u"s",duration=1.0u"s",T1=0.5u"s"), x = Var(init=0.0), equations=:[der(x) = s.y/u"s"]), stop = 4.0, solver = solver)
    near("exponential inf", last(m,"x"), 1-0.5*(1-exp(-2.0)) + 2*(1-exp(-2.0)))
    # table falls through jumps
    m = solved(Model(t = Table | Map(table_x=[0.0,1.0,1.0,2.0],table_y=[0.0,1.0,3.0,4.0]), x = Var(init=0.0), equations=:[t.u = 3.0-time/u"s"; der(x) = t.y/u"s"]), stop = 4.0, solver = solver)
    near("table falls through jumps", last(m,"x"), 4+3.5+0.5+0.0)
    # table repeats backward
    m = solved(Model(t = Table | Map(table_x=[0.0,1.0,3.0],table_y=[0.0,2.0,0.0],ends="repeat"), x = Var(init=0.0), equations=:[t.u = 1.0-time/u"s"; der(x) = t.y/u"s"]), stop = 7.0, solver = solver)
    near("table repeats backward", last(m,"x"), 1.0+3+3)
    # table exact error end
    m = solved(Model(t = Table | Map(table_x=[0.0,1.0,2.0],table_y=[0.0,2.0,0.0],ends="error"), x = Var(init=0.0), equations=:[t.u = 1.0+sin(time/u"s"); der(x) = t.y/u"s"]), stop = 7.0, solver = solver)
    near("table exact error end", last(m,"x"), 2*7.0 - 2*(2.0+2.0+(1-cos(7-2*pi))), 1e-5)
    # time table with error end
    m = solved(Model(t = TimeTable | Map(table_x=[0.0,1.0,2.0]u"s",table_y=[0.0,2.0,0.0],ends="error"), x = Var(init=0.0), equations=:[der(x) = t.y/u"s"]), stop = 2.0, solver = solver)
    near("time table with error end", last(m,"x"), 2.0)
    # table2D line
    m = solved(Model(t = Table2D | Map(table_x1=[0.0,1.0,4.0],table_x2=[0.0,2.0],table_y=[0.0 2.0; 1.0 3.0; 4.0 6.0], ends="line"), x = Var(init=0.0), equations=:[t.u1=6*time/u"s"-1; t.u2=-time/u"s"+0.5; der(x) = t.y/u"s"]), stop = 1.0, solver = solver)
    near("table2D line", last(m,"x"), 3-1-0.5+0.5)
    # table2D units
    m = solved(Model(t = Table2D | Map(table_x1=[0.0,1.0]u"bar",table_x2=[0.0,2.0]u"m",table_y=[0.0 2.0; 1.0 3.0]u"N", ends="line"), x = Var(init=0.0u"N*s"), equations=:[t.u1=6.0e5u"Pa/s"*time; t.u2=200.0u"cm/s"*time; der(x) = t.y]), stop = 1.0, solver = solver)
    near("table2D units", last(m,"x"), 3+1)
    # noise same
    m = solved(Model(n = UniformNoise | Map(seed=5), k = UniformNoise | Map(seed=5), x = Var(init=0.0), equations=:[der(x) = (n.y-k.y)^2/u"s"]), stop = 1.0, solver = solver)
    near("noise same", last(m,"x"), 0.0)
    # step before the run
    m = solved(Model(n = Step | Map(startTime=-1.0u"s"),k=Step | Map(startTime=2.0u"s"), x = Var(init=0.0), equations=:[der(x) = (n.y+k.y)/u"s"]), start=2.0,stop = 3.0, solver = solver)
    near("step before the run", last(m,"x"), 2.0)
    # transfer function
    m = solved(Model(f = TransferFunction | Map(b=[3.0], a=[2.0,6.0,4.0]), equations=:[f.u=1.0]), stop=1.0, solver = solver)
    near("transfer function", last(m,"f.y"), 3/4 - 1.5*exp(-1.0)+ 0.75*exp(-2.0))
    # transfer function with feedthrough and unit
    m = solved(Model(f = TransferFunction | Map(b=[1.0,2.0], a=[1.0,3.0], x=Var(init=[0.0]u"V")), equations=:[f.u=2.0u"V"]), stop=1.0, solver = solver)
    near("transfer function with feedthrough and unit", last(m,"f.y"), 2*(2/3 + 1/3*exp(-3.0)))
    # pid units
    m = solved(Model(c = PID | Map(k=10.0u"W/K",Ti=100.0u"s",yMin=0.0u"W",yMax=500.0u"W",x=Var(init=0.0u"W"),xd=Var(init=0.0u"K")), p = HeatCapacitor | Map(C=1000.0u"J/K",T=Var(init=293.15u"K")), h=PrescribedHeatFlow, a=FixedTemperature | Map(T=293.15u"K"), g=ThermalConductor | Map(G=5.0u"W/K"), equations=:[c.u_s=313.15u"K"; c.u_m=p.T; h.Q_flow=c.y], connect=:[(h.port,p.port,g.port_a);(g.port_b,a.port)]), stop=2000.0, solver = solver)
    near("pid units", last(m,"p.T"), 313.15, 1e-5)
    # pid Tt inf
    m = solved(Model(c = PID | Map(Tt=Inf*u"s",yMax=1.5), equations=:[c.u_s=if time<1.0u"s"; 1.0 else 0.0 end; c.u_m=0.0]), stop=2.0, solver = solver)
    near("pid Tt inf", last(m,"c.x"), 1.0); near("pid Tt inf", last(m,"c.y"), 1.0)
    # pid Tf zero without D
    m = solved(Model(c = PID | Map(Tf=0.0u"s"), equations=:[c.u_s=1.0; c.u_m=0.0]), stop=1.0, solver = solver)
    near("pid Tf zero without D", last(m,"c.y"), 2.0)
    # pid antiwindup
    m = solved(Model(c = PID | Map(k=2.0,Ti=0.5u"s",Tt=0.2u"s",yMax=1.0), equations=:[c.u_s=1.0; c.u_m=0.0]), stop=1.0, solver = solver)
    # v = 2 + x; y=1; x' = 4 + (1-2-x)/0.2 ; xeq: 0.2*4-1=-0.2
    near("pid antiwindup", last(m,"c.x"), -0.2*(1-exp(-5.0)))
    # pid derivative set point
    m = solved(Model(c = PID | Map(Ti=Inf*u"s",Td=1.0u"s",Tf=0.1u"s",wd=1.0,wp=0.5), equations=:[c.u_s=time/u"s"; c.u_m=0.0]), stop=1.0, solver = solver)
    near("pid derivative set point", last(m,"c.y"), 0.5+1-exp(-10.0))
    # limited integrator reset
    m = solved(Model(f = LimitedIntegrator | Map(reset=:(time>1.5u"s"),x_reset=-0.5), equations=:[f.u=1.0]), stop=2.0, solver = solver)
    near("limited integrator reset", last(m,"f.y"), 0.0)
    # limited integrator with units
    m = solved(Model(f = LimitedIntegrator | Map(yMin=-1.0u"m",yMax=200.0u"cm",x_reset=0.0u"m",x=Var(init=0.0u"m"),k=-1.0), equations=:[f.u=if time<5.0u"s"; -1.0u"m" else 1.0u"m" end]), stop=5.5, solver = solver)
    near("limited integrator with units", last(m,"f.y"), 1.5)
    # limited integrator oscillating input
    m = solved(Model(f = LimitedIntegrator | Map(yMin=-0.5,yMax=0.5), equations=:[f.u=cos(time/u"s")]), stop=2*pi*3, solver = solver)
    # rises to .5, holds to pi/2, falls by 2 -> -0.5 holds to 3pi/2, rises 1 in 3pi/2..2pi -> 0.5 
    near("limited integrator oscillating input", last(m,"f.y"), 0.5)
    # rate limiter
    m = solved(Model(f = RateLimiter | Map(falling=-2.0u"1/s",x=Var(init=1.0)), equations=:[f.u=if time<1.0u"s"; 3.0 else -5.0 end]), stop=2.0, solver = solver)
    near("rate limiter", last(m,"f.y"), 0.0)
    # dead zone zero
    m = solved(Model(f = DeadZone | Map(uMin=0.0,uMax=0.0),g=DeadZone | Map(uMin=1.0,uMax=2.0), x=Var(init=0.0),equations=:[f.u=time/u"s"-1; g.u=time/u"s"; der(x)=(f.y+g.y)/u"s"]), stop=3.0, solver = solver)
    near("dead zone zero", last(m,"x"), 1.5 -0.5+0.5)
    # hysteresis equal thresholds
    m = solved(Model(f = Hysteresis | Map(uLow=0.5,uHigh=0.5), x=Var(init=0.0),equations=:[f.u=sin(time/u"s"); der(x)=(if f.y; 1.0 else 0.0 end)/u"s"]), stop=2*pi, solver = solver)
    near("hysteresis equal thresholds", last(m,"x"), pi-2*asin(0.5))
    # thermostat
    m = solved(Model(r = Relay | Map(uLow=-0.5,uHigh=0.5,yLow=0.0,yHigh=4.0), c=Counter, x=Var(init=0.0),equations=:[r.u=2.0-x; c.u=r.y>1.0; der(x)=(r.y-x)/u"s"]), stop=20.0, solver = solver)
    # on while x<2.5 : from 0 with target 4 : t0=log(4/1.5); off: 2.5->1.5: log(2.5/1.5); on: 1.5->2.5: log(2.5/1.5); 
    T=2*log(2.5/1.5); t0=log(4/1.5)
    ph = mod(20.0-t0, T)
    near("thermostat", last(m,"x"), ph < T/2 ? 2.5*exp(-ph) : 4-2.5*exp(-(ph-T/2)), 1e-5)
    # delay one
    m = solved(Model(d=Delay, x=Var(init=1.0),equations=:[d.u=x; der(x)=-d.y/u"s"]), stop=2.0, solver = solver)
    near("delay one", last(m,"x"), 0.0 - (1.0 - 0.5)+0.0, 1e-6)
    # delay inf
    m = solved(Model(d=Delay | Map(T=100.0u"s"), x=Var(init=1.0),equations=:[d.u=x; der(x)=-d.y/u"s"]), stop=2.0, solver = solver)
    near("delay inf", last(m,"x"), -1.0, 1e-6)
    # delay ms chained
    m = solved(Model(d=Delay | Map(T=500.0u"ms"),e=Delay | Map(T=500.0u"ms"), x=Var(init=0.0),equations=:[d.u=sin(time/u"s"); e.u=d.y; der(x)=e.y/u"s"]), stop=3.0, solver = solver)
    near("delay ms chained", last(m,"x"), 1-cos(2.0), 1e-6)
    # state machine simultaneous
    m = solved(Model(s = StateMachine | Map(from=[1,1,2,3],to=[3,2,1,1]), n=Var(start=0), equations=:[s.fire=[time>1.0u"s", time>1.0u"s", s.elapsed>1.0u"s", s.elapsed>1.0u"s" && time < 5.0u"s"]; n = if s.entered && s.state==2; pre(n)+1 else pre(n) end]), stop=4.5, solver = solver)
    # at 1: ->3 ; at 2: ->1 ->3 ...
    near("state machine simultaneous", last(m,"s.state"), 3); near("state machine simultaneous", last(m,"n"), 0)
    # state machine chain at once
    m = solved(Model(s = StateMachine | Map(from=[1,2,3],to=[2,3,4]), equations=:[s.fire=[time>1.0u"s", time>1.0u"s", time>1.0u"s"]]), stop=4.5, solver = solver)
    near("state machine chain at once", last(m,"s.state"), 4); near("state machine chain at once", last(m,"s.begun"), 1.0)
    # state machine many
    m = solved(Model(s = StateMachine | Map(from=collect(1:20),to=[collect(2:20); 1]), c=Counter,equations=:[s.fire=[s.elapsed>0.1u"s" for i in 1:20]; c.u=s.state==1]), stop=10.05, solver = solver)
    near("state machine many", last(m,"s.state"), 1+mod(100,20)); near("state machine many", last(m,"c.y"), 5)
    # latch both
    m = solved(Model(l = Latch,k=Latch, equations=:[l.set=time>1.0u"s"; l.reset=time>1.0u"s"; k.set=time>1.0u"s"&&time<2.0u"s"; k.reset=time>3.0u"s"]), stop=2.5, solver = solver)
    near("latch both", last(m,"l.y") ? 1 : 0, 0); near("latch both", last(m,"k.y") ? 1 : 0, 1)
    # counter with reset
    m = solved(Model(c = Counter | Map(reset=:(time>2.25u"s"&&time<2.3u"s")), equations=:[c.u=mod(time,0.1u"s")<0.05u"s"]), stop=3.02, solver = solver)
    near("counter with reset", last(m,"c.y"), 8)
    # counter of counter
    m = solved(Model(c = Counter, d=Counter, equations=:[c.u=mod(time,0.1u"s")<0.05u"s"; d.u=mod(c.y,3)==0]), stop=3.02, solver = solver)
    near("counter of counter", last(m,"c.y"), 30);near("counter of counter", last(m,"d.y"), 10)
    # on delay zero
    m = solved(Model(c = OnDelay | Map(T=0.0u"s"), x=Var(init=0.0),equations=:[c.u=time>1.0u"s"; der(x)=(if c.y;1.0 else 0.0 end)/u"s"]), stop=3.0, solver = solver)
    near("on delay zero", last(m,"x"), 2.0)
    # logic ring
    m = solved(Model(a=Xor,b=Not,c=Or,d=And,x=Var(init=0.0),equations=:[a.u1=time>1.0u"s";a.u2=time>2.0u"s";b.u=a.y;c.u1=b.y;c.u2=time>1.5u"s";d.u1=c.y;d.u2=time<3.0u"s";der(x)=(if d.y;1.0 else 0.0 end)/u"s"]), stop=4.0, solver = solver)
    near("logic ring", last(m,"x"), 1+1.5)
    # samplers of two clocks
    m = solved(Model(a=ZeroOrderHold | Map(T=0.1u"s"),b=ZeroOrderHold | Map(T=0.3u"s"),x=Var(init=0.0),equations=:[a.u=time/u"s";b.u=a.y;der(x)=b.y/u"s"]), stop=3.0, solver = solver)
    near("samplers of two clocks", last(m,"x"), 0.3*sum(0.3*i for i in 0:9))
    # discrete tf second order
    m = solved(Model(a=DiscreteTransferFunction | Map(b=[1.0],a=[2.0,-1.0,0.5],T=0.1u"s"),equations=:[a.u=1.0]), stop=1.05, solver = solver)
    near("discrete tf second order", last(m,"a.y"), afterTenTicks())
    # discrete pid
    m = solved(Model(a=DiscretePID | Map(T=0.1u"s",k=2.0,Ti=0.5u"s",Td=0.05u"s",Tf=0.02u"s",wd=0.5,wp=0.7,yMin=-1.0,yMax=1.5),x=Var(init=0.0),equations=:[a.u_s=1.0;a.u_m=x;der(x)=(a.y-x)/u"s"]), stop=3.0, solver = solver)
    near("discrete pid", last(m,"x"), sampledPid())
    # discrete pid units ms
    m = solved(Model(a=DiscretePID | Map(T=100.0u"ms",k=2.0u"V/m",Ti=500.0u"ms",yMin=-1.0u"V",yMax=1.5u"V",I=Var(start=0.0u"V"),D=Var(start=0.0u"m"),ud=Var(start=0.0u"m"),ys=Var(start=0.0u"V")),equations=:[a.u_s=1.0u"mm";a.u_m=0.0u"m"]), stop=0.95, solver = solver)
    near("discrete pid units ms", last(m,"a.y"), 2e-3+10*2e-3*0.2, 1e-9)
    # switch of signals
    m = solved(Model(a=SignalSwitch,x=Var(init=0.0),equations=:[a.u1=1.0;a.u2=-1.0;a.on=x<0.0;der(x)=a.y/u"s"]), stop=1.0, solver = solver)
    near("switch of signals", last(m,"x"), 0.0)
    # pwm from odd start
    m = solved(Model(c=PWM | Map(T=1.0u"ms"),z=Var(init=0.0),equations=:[c.u=0.3;der(z)=(if c.y;1.0 else 0.0 end)/u"s"]), start=0.0504,stop=0.0604, solver = solver)
    near("pwm from odd start", last(m,"z"), 3e-3, 1e-8)
end
