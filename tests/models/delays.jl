# delay(expression, T) against closed forms by the method of steps, own references and itself.
module Delays

using Modia
using Test

last(m, name) = getLastValue(m, name)
solvers = [CVODE_BDF(), CVODE_Adams(), IDA(), Tsit5(), Vern8(), BS3(), ARKODE(), TRBDF2(), Rodas5P(), KenCarp4()]

# y' = -y(t - 1), y = 1 before 0: a polynomial of one degree more in every second.
Steps = Model(y = Var(init = 1.0), equations = :[der(y) = -delay(y, 1.0)])
steps = @instantiateModel(Steps, unitless = true)
by_steps(t) = sum((-1)^k*(t - k + 1)^k/factorial(k) for k in 0:Int(floor(t)) + 1)
for solver in solvers, tolerance in [1e-4, 1e-6, 1e-8]
    simulate!(steps, solver, stopTime = 4.5, tolerance = tolerance)
    allowed = solver in [TRBDF2()] ? 300*tolerance^0.75 : 30*tolerance
    @test abs(last(steps, "y") - by_steps(4.5)) < allowed
end
# The same between the steps of the solver, and from another start.
simulate!(steps, startTime = 2.0, stopTime = 6.5, tolerance = 1e-8)
@test maximum(abs(getValues(steps, "y")[i] - by_steps(getValues(steps, "time")[i] - 2.0)) for i in 1:501) < 1e-6

# y' = a*y(t - T) with T and a as parameters that change from run to run.
Growth = Model(a = 0.5, T = 1.0, y = Var(init = 1.0), equations = :[der(y) = a*delay(y, T)])
growth = @instantiateModel(Growth, unitless = true)
grown(a, T, t) = sum(a^k*max(t - (k - 1)*T, 0.0)^k/factorial(k) for k in 0:Int(floor(t/T)) + 1)
for (a, T) in [(0.5, 1.0), (-2.0, 0.25), (1.0, 3.7), (0.3, 0.7), (-0.9, 1.3)]
    simulate!(growth, Tsit5(), stopTime = 3.0, tolerance = 1e-9, merge = Map(a = a, T = T))
    @test abs(last(growth, "y") - grown(a, T, 3.0)) < 1e-7
end

# What depends on time alone is followed however long the steps are, although no state asks for it.
Waves = Model(
    s = Var(), d = Var(), e = Var(), q = Var(), dq = Var(), saw = Var(), dsaw = Var(),
    equations = :[
        s = sin(20*time)
        d = delay(s, 0.37)
        e = delay(2*cos(time)*s, 0.1)
        q = if sin(5*time) > 0; 1.0 else -1.0 end
        dq = delay(q, 0.25)
        saw = mod(time, 0.3)
        dsaw = delay(saw, 0.5)
    ]
)
waves = @instantiateModel(Waves, unitless = true)
for solver in [CVODE_BDF(), IDA(), Tsit5(), ARKODE()]
    simulate!(waves, solver, stopTime = 3.0, interval = 0.01, dtmax = 10.0)
    t = getValues(waves, "time")
    d = getValues(waves, "d")
    e = getValues(waves, "e")
    @test maximum(abs(d[i] - (t[i] < 0.37 ? 0.0 : sin(20*(t[i] - 0.37)))) for i in 1:length(t)) < 1e-8
    @test maximum(abs(e[i] - (t[i] < 0.1 ? 0.0 : 2*cos(t[i] - 0.1)*sin(20*(t[i] - 0.1)))) for i in 1:length(t)) < 1e-8
    # Jumps arrive exactly one delay later, with both sides: -1 and 1 at the same instant, and nothing in between.
    dq = getValues(waves, "dq")
    q = getValues(waves, "q")
    @test all(abs(v) == 1.0 for v in dq)
    rise(v) = [t[i] for i in 2:length(t) if v[i] > v[i-1]]
    @test length(rise(dq)) == 3
    @test maximum(abs.(rise(dq) - rise(q) .- 0.25)) < 1e-9
    dsaw = getValues(waves, "dsaw")
    far = [i for i in 1:length(t) if t[i] > 0.5 && 0.001 < mod(t[i] - 0.5, 0.3) < 0.299]
    @test maximum(abs(dsaw[i] - mod(t[i] - 0.5, 0.3)) for i in far) < 1e-9
end

# Delays of delays, of arrays, of elements, of discrete values; the same variable with several times; derivatives.
Kinds = Model(
    x = Var(init = 1.0), v = Var(init = [1.0, 2.0]), n = Var(start = 0), w = Var(start = [0.0, 0.0]),
    equations = :[
        der(x) = -x
        der(v) = -v
        nested = delay(delay(x, 1.0), 0.5)
        plain = delay(x, 1.5)
        w = delay(v, 0.5)
        element = delay(v[2], 0.5)
        rate = der(delay(x, 1.0))
        rate2 = der(delay(x^2, 0.25))
        n = if edge(Clock(0.3)); pre(n) + 1 else pre(n) end
        k = delay(n, 0.1)
        above = delay(x > 0.5, 0.2)
    ]
)
kinds = @instantiateModel(Kinds, unitless = true)
for solver in [CVODE_BDF(), IDA(), Tsit5(), ARKODE()]
    simulate!(kinds, solver, stopTime = 3.0, tolerance = 1e-8)
    @test abs(last(kinds, "nested") - exp(-1.5)) < 1e-6
    @test abs(last(kinds, "plain") - exp(-1.5)) < 1e-6
    @test maximum(abs.(last(kinds, "w") - [1.0, 2.0]*exp(-2.5))) < 1e-6
    @test abs(last(kinds, "element") - 2*exp(-2.5)) < 1e-6
    @test abs(last(kinds, "rate") + exp(-2.0)) < 1e-5
    @test abs(last(kinds, "rate2") + 2*exp(-5.5)) < 1e-5
    @test last(kinds, "n") == 11
    @test last(kinds, "k") == 10
    @test !last(kinds, "above")
    t = getValues(kinds, "time")
    above = getValues(kinds, "above")
    @test abs(t[findlast(above)] - log(2) - 0.2) < 1e-6
    @test getValues(kinds, "rate")[1] == 0.0
end

# A relay that sees its plant late: a triangle between -(0.5 + T) and 0.5 + T. The delayed signal makes the events.
Relay = Model(
    T = 0.3, x = Var(init = 0.0), on = Var(start = true),
    equations = :[
        seen = delay(x, T)
        on = if seen > 0.5; false elseif seen < -0.5; true else pre(on) end
        der(x) = if on; 1.0 else -1.0 end
    ]
)
relay = @instantiateModel(Relay, unitless = true)
function triangle(T, t)
    top = 0.5 + T
    phase = mod(t - top, 4*top)
    phase < 2*top ? top - phase : phase - 3*top
end
for solver in solvers, T in [0.3, 0.05, 2.0]
    simulate!(relay, solver, stopTime = 20.0, merge = Map(T = T))
    @test abs(last(relay, "x") - triangle(T, 20.0)) < 1e-7
end

# Mackey and Glass against Runge-Kutta's classic method with 1,600 steps a delay, all delays as one system.
MackeyGlass = Model(
    beta = 0.2, gamma = 0.1, n = 10, T = 17.0, x = Var(init = 1.2),
    equations = :[p = delay(x, T); der(x) = beta*p/(1 + p^n) - gamma*x]
)
mackeyGlass = @instantiateModel(MackeyGlass, unitless = true)
for (solver, tolerance, allowed) in [(CVODE_BDF(), 1e-6, 1e-3), (CVODE_BDF(), 1e-8, 2e-6), (CVODE_BDF(), 1e-10, 5e-7), (IDA(), 1e-10, 5e-8),
                                     (Tsit5(), 1e-6, 1e-5), (Tsit5(), 1e-8, 1e-8), (Tsit5(), 1e-10, 1e-9), (Vern8(), 1e-10, 1e-9),
                                     (Rodas5P(), 1e-8, 1e-7), (ARKODE(), 1e-10, 1e-8)]
    simulate!(mackeyGlass, solver, stopTime = 300.0, tolerance = tolerance)
    @test abs(last(mackeyGlass, "x") - 1.1525150999927) < allowed
end

# A loop over a dead time with Smith's predictor: what it does to the plant is what it would do without the dead time.
Smith = Model(
    T = 0.8, Kp = 2.0, Ti = 0.5, x = Var(init = 0.0), xm = Var(init = 0.0), i = Var(init = 0.0),
    x0 = Var(init = 0.0), i0 = Var(init = 0.0),
    equations = :[
        y = delay(x, T)
        e = 1.0 - y - (xm - delay(xm, T))
        der(i) = e/Ti
        u = Kp*(e + i)
        der(x) = -x + u
        der(xm) = -xm + u
        e0 = 1.0 - x0
        der(i0) = e0/Ti
        der(x0) = -x0 + Kp*(e0 + i0)
    ]
)
smith = @instantiateModel(Smith, unitless = true)
simulate!(smith, stopTime = 5.0, tolerance = 1e-8)
@test maximum(abs.(getValues(smith, "x") - getValues(smith, "x0"))) < 1e-6
@test abs(last(smith, "y") - 1.0) < 0.01

# A neutral equation, x' = -x + x'(t - 1)/2 with x = 1 at 0 and x' = 0 before, by the method of steps up to 2.5 s.
Neutral = Model(x = Var(init = 1.0), equations = :[der(x) = -x + 0.5*der(delay(x, 1.0))])
neutral = @instantiateModel(Neutral, unitless = true)
x2 = exp(-1)*(exp(-1) - 0.5)
exact = exp(-0.5)*(x2 + 0.5*(-0.5*exp(-1) + 0.25*0.5^2 - 0.25))
for solver in solvers, tolerance in [1e-6, 1e-8]
    simulate!(neutral, solver, stopTime = 2.5, tolerance = tolerance)
    @test abs(last(neutral, "x") - exact) < (solver in [TRBDF2()] ? 300*tolerance^0.75 : 30*tolerance)
end
# A position that a delayed state prescribes: index reduction needs the acceleration, which is a delayed state's, too.
Follower = Model(p = Var(init = 1.0), w = Var(init = 0.0), x = Var(start = 1.0), v = Var(start = 0.0), equations = :[
    der(p) = w
    der(w) = -p
    der(x) = v
    der(v) = F
    x = delay(p, 0.5)])
follower = @instantiateModel(Follower, unitless = true)
for solver in [CVODE_BDF(), IDA(), Tsit5()]
    simulate!(follower, solver, stopTime = 2.0, tolerance = 1e-9)
    @test abs(last(follower, "v") + sin(1.5)) < 1e-6
    @test abs(last(follower, "F") + cos(1.5)) < 1e-6
end

# Many delays of many lengths: stops for their bends do not multiply.
Many = Model(x = Var(init = 1.0), a = Var(init = 0.0), equations = :[
    der(x) = -x
    der(a) = -a + delay(x, 0.11) + delay(x, 0.23) + delay(x, 0.37) + delay(a, 0.41) + delay(a, 0.53) + delay(a, 0.61) +
             delay(x, 0.67) + delay(x, 0.71) + delay(a, 0.73) + delay(a, 0.79) + delay(x, 0.83) + delay(x, 0.89)])
many = @instantiateModel(Many, unitless = true)
simulate!(many, Vern8(), stopTime = 5.0, tolerance = 1e-10)
fine = last(many, "a")
for solver in [CVODE_BDF(), IDA(), Tsit5(), ARKODE()]
    simulate!(many, solver, stopTime = 5.0, tolerance = 1e-8)
    @test abs(last(many, "a")/fine - 1) < 1e-5
end

# A line with reflections: a variable that depends on its own past directly. Before the start it is as at the start, also
# where repeating does not lead there.
Line = Model(r = 0.5, x = Var(init = 1.0), equations = :[der(x) = -x; y = r*delay(y, 0.2) + x])
line = @instantiateModel(Line, unitless = true)
for r in [0.5, 0.95, -0.999, -1.5]
    simulate!(line, stopTime = 2.1, tolerance = 1e-9, merge = Map(r = r))
    before = 1.0/(1.0 - r)
    @test abs(last(line, "y") - (sum(r^k*exp(-(2.1 - 0.2*k)) for k in 0:10) + r^11*before)) < 1e-6
end

# A pulse that comes back and back: its sides stay exactly where they are.
Echo = Model(r = 0.5, x = Var(init = 0.0), equations = :[
    source = if after(0.2) && !after(0.3); 1.0 else 0.0 end
    y = source + r*delay(y, 0.25)
    der(x) = y])
echoes = @instantiateModel(Echo, unitless = true)
for solver in [CVODE_BDF(), IDA(), Tsit5(), TRBDF2()]
    simulate!(echoes, solver, stopTime = 3.0, tolerance = 1e-8)
    # Pulses of 0.1 s, each half as high as the one before: 0.2, 0.45, ..., 2.95 (only half of it).
    exact = sum(0.1*0.5^k for k in 0:10) + 0.05*0.5^11
    @test abs(last(echoes, "x") - exact) < 1e-9
end

# A line of one nanosecond between 25 and 200 ohms, written as a component with its waves at both ends (Bergeron). The step at
# 0.5 ns runs back and forth; on both sides of each arrival the voltage is that of the lattice diagram.
Pin = Model(v = potential, i = flow)
TLine = Model(Z = 50.0u"Ω", T = 1.0u"ns", p = Pin, n = Pin, equations = :[
    p.v - Z*p.i = delay(n.v + Z*n.i, T)
    n.v - Z*n.i = delay(p.v + Z*p.i, T)])
Res = Model(R = 1.0u"Ω", p = Pin, n = Pin, equations = :[0 = p.i + n.i; p.v - n.v = R*p.i])
Net = Model(
    source = Model(t0 = 0.5u"ns", p = Pin, equations = :[p.v = if time > t0; 1.0u"V" else 0.0u"V" end]),
    rs = Res | Map(R = 25.0u"Ω"), line = TLine, rl = Res | Map(R = 200.0u"Ω"), ground = Model(p = Pin, equations = :[p.v = 0.0u"V"]),
    connect = :[(source.p, rs.p); (rs.n, line.p); (line.n, rl.p); (rl.n, ground.p)]
)
net = @instantiateModel(Net)
simulate!(net, stopTime = 20e-9, interval = 0.05e-9)
lattice(t) = sum(t > 0.5e-9 + (2*k + 1)*1e-9 ? 2/3*1.6*(-0.2)^k : 0.0 for k in 0:20)
t = getValues(net, "time")
v = getValues(net, "line.n.v")
@test all(min(abs(v[i] - lattice(t[i] - 1e-12)), abs(v[i] - lattice(t[i] + 1e-12))) < 1e-12 for i in 1:length(t))
@test length(t) == 401 + 20

# A state that jumps: both sides of a bouncing ball are remembered.
Bounce = Model(h = Var(init = 1.0), v = Var(init = 0.0), s = Var(init = 0.0), equations = :[
    der(h) = v
    der(v) = -9.81
    hit = negative(h) && v < 0
    s1 = if hit; reinit(v, -0.8*v) else 0.0 end
    dh = delay(h, 0.3)
    dv = delay(v, 0.3)
    der(s) = dv])
bounce = @instantiateModel(Bounce, unitless = true)
for solver in [CVODE_BDF(), Tsit5()]
    simulate!(bounce, solver, stopTime = 2.5, tolerance = 1e-9)
    # The integral of the delayed velocity is the delayed height.
    s = getValues(bounce, "s")
    dh = getValues(bounce, "dh")
    @test maximum(abs(s[i] + 1.0 - dh[i]) for i in 1:length(s)) < 1e-6
end

# Other states on the way and full restarts change nothing of the past.
Pendulum = Model(
    x = Var(init = 0.0), vx = Var(init = 8.0), y = Var(start = -1.0), vy = Var(start = 0.0), lambda = Var(start = 0.0),
    equations = :[
        vx = der(x)
        vy = der(y)
        2*der(vx) = -lambda*x
        2*der(vy) = -lambda*y - 2*9.81
        x^2 + y^2 = 1
        dx = delay(x, 0.4)
        dy = delay(y, 0.4)
        dvx = der(dx)
    ]
)
pendulum = @instantiateModel(Pendulum, unitless = true)
simulate!(pendulum, stopTime = 3.0, interval = 0.01, tolerance = 1e-9)
t = getValues(pendulum, "time")
rows = [i for i in 1:length(t) if i == length(t) || t[i+1] > t[i] + 1e-9]
@test length(rows) == 301
x = [getValues(pendulum, "x") getValues(pendulum, "y") getValues(pendulum, "vx")]
d = [getValues(pendulum, "dx") getValues(pendulum, "dy") getValues(pendulum, "dvx")]
@test maximum(abs(x[rows[i], k] - d[rows[i+40], k]) for i in 1:261, k in 1:2) < 1e-7
@test maximum(abs(x[rows[i], 3] - d[rows[i+40], 3]) for i in 2:261) < 1e-4

restart_period = 0.3
include("scenes/restarter.jl")
broken = @instantiateModel(Steps | Map(beats = Beats), unitless = true)
simulate!(broken, stopTime = 4.5, tolerance = 1e-9)
@test abs(last(broken, "y") - by_steps(4.5)) < 1e-6

# In a long run memory does not grow: what lies behind the longest delay is given up.
Long = Model(x = Var(init = 1.0), v = Var(init = 0.0), equations = :[der(x) = v; der(v) = -x; y = delay(x, 0.05)])
long = @instantiateModel(Long, unitless = true)
simulate!(long, Tsit5(), stopTime = 3000.0, interval = 100.0, dtmax = 0.05, tolerance = 1e-10)
@test abs(last(long, "y") - cos(2999.95)) < 1e-6

end
