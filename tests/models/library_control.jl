# Blocks for control by closed forms. One input swings, u = sin 2t, another is a step; the sampled ones are computed again in a loop.
using Modia
using Test
include("$(Modia.modelsPath)/Control.jl")

last(m, name) = getLastValue(m, name, unit = false)
at(m, name, t) = (k = findlast(getValues(m, "time") .<= t + 1e-12); getValues(m, name)[k])

Linear = Model(
    add = Add | Map(k1 = 2.0, k2 = -1.0), sum = Sum | Map(k = [1.0, -2.0, 0.5]), prod = Product, div = Division,
    int = Integrator | Map(k = 2.0, T = 0.5u"s"), der1 = Derivative | Map(k = 0.5u"s", T = 0.1u"s"),
    second = SecondOrder | Map(k = 3.0, w = 5.0u"rad/s", D = 0.2), tf = TransferFunction | Map(b = [1.0, 2.0], a = [2.0, 3.0, 1.0]),
    tf3 = TransferFunction | Map(b = [1.0, 0.0, 0.0], a = [1.0, 3.0, 2.0]), dead = Delay | Map(T = 0.3u"s"),
    equations = :[
        u = sin(2*time/u"s")
        add.u1 = u; add.u2 = 3.0; sum.u = [u, 1.0, 4.0]; prod.u1 = u; prod.u2 = u; div.u1 = u; div.u2 = 2.0 + u
        int.u = u; der1.u = u; second.u = 1.0; tf.u = 1.0; tf3.u = 1.0; dead.u = u])
linear = @instantiateModel(Linear)
simulate!(linear, stopTime = 3.0, tolerance = 1e-9)
t, u = 3.0, sin(6.0)
near(name, value, eps = 1e-6) = abs(last(linear, name) - value) < eps
@test near("add.y", 2u - 3.0) && near("sum.y", u) && near("prod.y", u^2) && near("div.y", u/(2 + u))
@test near("int.y", 4*(1 - cos(6.0))/2)
# x of the filter for sin(wt): (sin(wt) - wT cos(wt) + wT exp(-t/T))/(1 + (wT)^2)
@test near("der1.y", 0.5*(u - (u - 0.2*cos(6.0) + 0.2*exp(-30.0))/1.04)/0.1)
wd = 5*sqrt(1 - 0.04)
@test near("second.y", 3*(1 - exp(-3.0)*(cos(wd*t) + 1.0/wd*sin(wd*t))))
# (s + 2)/((2s + 1)(s + 1)) on a step: 2 - 3 exp(-t/2) + exp(-t); s^2/((s + 1)(s + 2)): 2 exp(-2t) - exp(-t)
@test near("tf.y", 2 - 3*exp(-1.5) + exp(-3.0)) && near("tf3.y", 2*exp(-6.0) - exp(-3.0))
@test near("dead.y", sin(5.4))

Nonlinear = Model(
    lim = Limiter | Map(uMin = -0.2, uMax = 0.5), dz = DeadZone | Map(uMin = -0.2, uMax = 0.5), rate = RateLimiter | Map(rising = 0.5u"1/s", T = 1e-4u"s"),
    hy = Hysteresis | Map(uLow = -0.3, uHigh = 0.6), re = Relay | Map(uLow = -0.3, uHigh = 0.6, yLow = -5.0, yHigh = 2.0), qu = Quantizer | Map(q = 0.25),
    top = LimitedIntegrator | Map(yMax = 0.3, yMin = -1.0, k = 2.0), back = LimitedIntegrator | Map(reset = :(u < -0.9), x_reset = 0.7, yMin = -10.0, yMax = 10.0),
    ql = Var(init = 0.0), qd = Var(init = 0.0), qr = Var(init = 0.0), qq = Var(init = 0.0),
    equations = :[
        u = sin(2*time/u"s")
        lim.u = u; dz.u = u; rate.u = (if time > 1.0u"s"; 1.0 else 0.0 end); hy.u = u; re.u = u; qu.u = u; top.u = u; back.u = u
        der(ql) = lim.y/u"s"; der(qd) = dz.y/u"s"; der(qr) = re.y/u"s"; der(qq) = qu.y/u"s"])
nonlinear = @instantiateModel(Nonlinear)
simulate!(nonlinear, Tsit5(), stopTime = pi, tolerance = 1e-9)   # one period
a, b = asin(0.5), asin(0.2)
dead = cos(a) - 0.5*(pi/2 - a) - (cos(b) - 0.2*(pi/2 - b))       # over one period what the dead zone leaves, at half the time
@test abs(last(nonlinear, "qd") - dead) < 1e-7
@test abs(last(nonlinear, "ql") + dead) < 1e-7                   # the two together are sin, whose area is zero
on, off = asin(0.6)/2, pi/2 + asin(0.3)/2
@test abs(last(nonlinear, "qr") - (2*(off - on) - 5*(pi - off + on))) < 1e-7
@test at(nonlinear, "hy.y", on - 0.01) == false && at(nonlinear, "hy.y", on + 0.01) && at(nonlinear, "hy.y", off - 0.01) && !at(nonlinear, "hy.y", off + 0.01)
@test abs(last(nonlinear, "qq")) < 1e-7 && at(nonlinear, "qu.y", asin(0.63)/2) == 0.75
@test abs(at(nonlinear, "rate.y", 2.0) - 0.5) < 1e-3
# der = 2 sin 2t stops at 0.3 until u is negative, from pi/2 on: then 0.3 + cos 2t ... down to 0.3 - 2 at pi, but not below -1.
@test abs(at(nonlinear, "top.y", 1.5) - 0.3) < 1e-6 && abs(last(nonlinear, "top.y") + 1.0) < 1e-6
down = (pi + asin(0.9))/2
@test abs(last(nonlinear, "back.y") - (0.7 + (cos(2*down) - 1)/2)) < 1e-6

# PID with an integrator as plant: without cuts by its closed loop as a transfer function, with them against windup.
Loop = Model(pid = PID | Map(k = 3.0, Ti = 0.5u"s", Td = 0.2u"s", Tf = 0.05u"s", wp = 0.4, wd = 0.3), y = Var(init = 0.0),
             other = TransferFunction | Map(b = [3*(0.4*0.05 + 0.3*0.2), 3*(0.4 + 0.05/0.5), 3/0.5], a = [0.05, 1 + 3*(0.05 + 0.2), 3*(1 + 0.05/0.5), 3/0.5]),
             equations = :[pid.u_s = 1.0; pid.u_m = y; der(y) = pid.y/u"s"; other.u = 1.0])
loop = @instantiateModel(Loop)
simulate!(loop, stopTime = 4.0, tolerance = 1e-9)
# The filter of wd*u_s begins at 0: as if the step came at 0.
@test maximum(abs.(getValues(loop, "y") - getValues(loop, "other.y"))) < 1e-6
simulate!(loop, stopTime = 20.0, tolerance = 1e-9, merge = Map(pid = Map(yMax = 0.2, yMin = -0.2, Td = 0.0u"s", wp = 1.0)))
over = maximum(getValues(loop, "y"))
@test abs(over - 1.11686) < 3e-4 && abs(last(loop, "y") - 1.0) < 1e-6   # SciPy; without leading back it swings to 1.90

# Sampled blocks against loops.
Sampled = Model(zoh = ZeroOrderHold, later = UnitDelay, f = DiscreteTransferFunction | Map(b = [0.1, 0.2], a = [1.0, -0.8, 0.1]), tick = Sampler,
                pid = DiscretePID | Map(T = 0.05u"s", k = 2.0, Ti = 0.4u"s", Td = 0.1u"s", Tf = 0.03u"s", wd = 0.5, wp = 0.8, yMax = 1.5),
                x = Var(init = 0.0), equations = :[
    u = sin(2*time/u"s")
    zoh.u = u; later.u = u; f.u = u; tick.u = u
    pid.u_s = 1.0; pid.u_m = u; der(x) = pid.y/u"s"])
sampled = @instantiateModel(Sampled)
simulate!(sampled, stopTime = 2.03, tolerance = 1e-8)
@test abs(last(sampled, "zoh.y") - sin(4.0)) < 1e-12 && abs(last(sampled, "later.y") - sin(3.8)) < 1e-12
function filtered(n)
    y1 = y2 = u1 = u2 = y = 0.0
    for k in 0:n
        u = sin(0.2*k)
        y = 0.8*y1 - 0.1*y2 + 0.1*u1 + 0.2*u2
        y2, y1, u2, u1 = y1, y, u1, u
    end
    return y
end
@test abs(last(sampled, "f.y") - filtered(20)) < 1e-12
function controlled(n)
    I = D = y = 0.0
    before = 0.5
    for k in 0:n
        m = sin(0.1*k)
        D = k == 0 ? 0.0 : (0.03*D + 0.1*(0.5 - m - before))/0.08
        before = 0.5 - m
        y = 2*(0.8 - m + D) + I + 2*0.05/0.4*(1 - m)
        I = y > 1.5 ? I : I + 2*0.05/0.4*(1 - m)
        y = min(y, 1.5)
    end
    return y
end
@test abs(last(sampled, "pid.y") - controlled(40)) < 1e-12 && abs(at(sampled, "pid.y", 0.76) - controlled(15)) < 1e-12

# Logic and time.
Logic = Model(cmp = Comparator | Map(threshold = 0.5), and = And, or = Or, xor = Xor, not = Not, sw = SignalSwitch, latch = Latch,
              watch = Stopwatch, late = OnDelay | Map(T = 0.2u"s"), n = Counter, fresh = Counter | Map(reset = :(latch.y)),
              on = Var(init = 0.0), x = Var(init = 0.0), equations = :[
    u = sin(2*time/u"s")
    low = u < -0.5
    cmp.u = u; and.u1 = cmp.y; and.u2 = true; or.u1 = cmp.y; or.u2 = low; xor.u1 = or.y; xor.u2 = low; not.u = cmp.y
    sw.on = cmp.y; sw.u1 = 10.0; sw.u2 = 1.0; latch.set = low; latch.reset = cmp.y
    watch.u = cmp.y; late.u = cmp.y; n.u = cmp.y; fresh.u = not.y
    der(on) = (if late.y; 1.0 else 0.0 end)/u"s"; der(x) = sw.y/u"s"])
logic = @instantiateModel(Logic)
simulate!(logic, stopTime = 8.0, tolerance = 1e-9)
long = pi/2 - 2*asin(0.5)/2                                      # how long u is above 0.5
ends = [k*pi + pi/2 - asin(0.5)/2 for k in 0:2]                  # and when that ends: 1.309, 4.451, 7.592
@test abs(last(logic, "on") - 3*(long - 0.2)) < 1e-7 && abs(last(logic, "x") - (8 + 9*3*long)) < 1e-6
@test last(logic, "n.y") == 3 && last(logic, "fresh.y") == 1
@test abs(at(logic, "watch.y", 7.5) - (7.5 - 2*pi - asin(0.5)/2)) < 0.017 && last(logic, "watch.y") == 0.0
@test at(logic, "and.y", 1.0) && !at(logic, "and.y", 1.5) && at(logic, "or.y", 2.3) && at(logic, "xor.y", 1.0) && !at(logic, "xor.y", 2.3) && !at(logic, "not.y", 1.0)
@test at(logic, "latch.y", 3.0) && !at(logic, "latch.y", 4.0) && at(logic, "latch.y", 6.0)

# A machine of three states: waits 0.5 s, fills to 1, drains to 0.2, waits again; what it does on entry is counted.
Filler = Model(
    machine = StateMachine | Map(from = [1, 2, 3], to = [2, 3, 1]), h = Var(init = 0.3), fills = Var(start = 0), stored = Var(start = 0.0), equations = :[
    machine.fire = [machine.elapsed > 0.5u"s", h > 1.0, h < 0.2]
    der(h) = (if machine.state == 2; 1.0 elseif machine.state == 3; -2.0 else 0.0 end)/u"s"
    fills = if machine.entered && machine.state == 2; pre(fills) + 1 else pre(fills) end
    stored = if machine.entered && machine.state == 3; h else pre(stored) end])
filler = @instantiateModel(Filler)
simulate!(filler, stopTime = 5.0, tolerance = 1e-9)
# First round: 0.5 + 0.7 + 0.4 = 1.6 s; each further one 0.5 + 0.8 + 0.4 = 1.7 s: at 5 s the third is over just now.
@test last(filler, "fills") == 3 && abs(last(filler, "stored") - 1.0) < 1e-6
@test abs(at(filler, "h", 4.2) - 0.6) < 1e-6 && at(filler, "machine.state", 4.2) == 2
@test abs(at(filler, "machine.elapsed", 1.7) - 0.1) < 1e-6

# A round of three waits, the first of them the longest: when a state is entered the condition of its own wait still holds from before.
Round = Model(T = 1.0u"s", machine = StateMachine | Map(from = [1, 2, 3], to = [2, 3, 1]), in2 = Var(init = 0.0u"s"), rounds = Var(start = 0), equations = :[
    machine.fire = [machine.elapsed > 0.3*T, machine.elapsed > 0.05*T, machine.elapsed > 0.2*T]
    der(in2) = if machine.state == 2; 1.0 else 0.0 end
    rounds = if machine.entered && machine.state == 1; pre(rounds) + 1 else pre(rounds) end])
round_of_three = @instantiateModel(Round)
for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas5()], T in [1.0, 1e-9, 1e6]
    simulate!(round_of_three, solver, stopTime = 5.77*T, tolerance = 1e-9, merge = Map(T = T*u"s"))
    @test getLastValue(round_of_three, "rounds") == 10 && last(round_of_three, "machine.state") == 1
    @test abs(last(round_of_three, "in2")/T - 0.5) < 1e-9
    @test abs(last(round_of_three, "machine.elapsed")/T - 0.27) < 1e-9
end

# Where the state of a machine decides what a block is told, its conditions are located as usual: the valve opens at 1 s and is open at 1.2 s.
Opened = Model(machine = StateMachine, valve = RateLimiter | Map(rising = 5.0u"1/s", falling = -1000.0u"1/s"), a = Integrator,
               equations = :[machine.fire = [machine.elapsed > 1.0u"s", machine.elapsed > 2.0u"s"]; valve.u = machine.state == 2 ? 1.0 : 0.0; a.u = valve.y])
for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas5()]
    local m = @instantiateModel(Opened)
    simulate!(m, solver, stopTime = 2.5, tolerance = 1e-9)
    @test abs(getLastValue(m, "a.y") - (1.5 - 0.1000025)) < 1e-7
end
