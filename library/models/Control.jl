# Blocks for control: linear and nonlinear, sampled, logical, and a machine of states. Inputs are called u, outputs y.
#
# Gain, FirstOrder, Feedback, PI and StateSpace are in Blocks.jl. A block has the unit of its input; one with a state that carries
# a unit gets it with the start value: `Integrator | Map(x = Var(init = 0.0u"m"))`.

include("Blocks.jl")

"""
    SI2SO

Base of all blocks with two inputs `u1`, `u2` and one output `y`.
"""
SI2SO = Model(
    u1 = input,
    u2 = input,
    y = output
)

"""
    Add

Weighted sum, `y = k1*u1 + k2*u2`.
"""
Add = SI2SO | Model(
    k1 = 1.0,
    k2 = 1.0,
    equations = :[
        y = k1*u1 + k2*u2
    ]
)

"""
    Sum

Weighted sum of the elements of the vector `u`: `y = k'*u`.
"""
Sum = SISO | Model(
    k = [1.0, 1.0],
    equations = :[
        y = k'*u
    ]
)

"""
    Product

`y = u1*u2`.
"""
Product = SI2SO | Model(
    equations = :[
        y = u1*u2
    ]
)

"""
    Division

`y = u1/u2`.
"""
Division = SI2SO | Model(
    equations = :[
        y = u1/u2
    ]
)

# ---- linear ---------------------------------------------------------------------------------

"""
    Integrator

`der(y) = k*u/T`; the state `x` is the output.
"""
Integrator = SISO | Model(
    k = 1.0,
    T = 1.0u"s",
    x = Var(init = 0.0),
    equations = :[
        der(x) = k*u/T
        y = x
    ]
)

"""
    LimitedIntegrator

`der(y) = k*u/T` between `yMin` and `yMax`, where the state stops until `u` leads back. When the condition `reset`, given as
`Map(reset = :(condition))`, becomes true, the state is set to `x_reset`.
"""
LimitedIntegrator = SISO | Model(
    reset = false,
    k = 1.0,
    T = 1.0u"s",
    yMin = -1.0,
    yMax = 1.0,
    x_reset = 0.0,
    x = Var(init = 0.0),
    equations = :[
        der(x) = if (x >= yMax && k*u > 0*yMax) || (x <= yMin && k*u < 0*yMax); 0*k*u/T else k*u/T end
        jump = if edge(reset); reinit(x, x_reset) else false end
        y = x
    ]
)

"""
    Derivative

Derivative with a filter: `k*s/(T*s + 1)`, with the gain `k` (a time, if the unit of `y` is that of `u`).
"""
Derivative = SISO | Model(
    k = 1.0u"s",
    T = 0.01u"s",
    x = Var(init = 0.0),
    equations = :[
        der(x) = (u - x)/T
        y = k*(u - x)/T
    ]
)

"""
    SecondOrder

`y = k*w^2/(s^2 + 2*D*w*s + w^2)*u` with the angular frequency `w` and the damping `D`; `x` is the output, `xd` its derivative over `w`.
"""
SecondOrder = SISO | Model(
    k = 1.0,
    w = 1.0u"rad/s",
    D = 1.0,
    x = Var(init = 0.0),
    xd = Var(init = 0.0),
    equations = :[
        der(x) = w*xd
        der(xd) = w*(k*u - x - 2*D*xd)
        y = x
    ]
)

"""
    TransferFunction

`y = (b[1]*s^m + ... + b[m+1])/(a[1]*s^n + ... + a[n+1])*u` with `m <= n` and `a[1]` not zero; time is counted in seconds. `x` are the states
of the controllable form, zero at the start.
"""
TransferFunction = SISO | Model(
    b = [1.0],
    a = [1.0, 1.0],
    bn = Par(value = :(paddedNumerator(b, a))),
    x = Var(init = :(zeros(length(a) - 1))),
    equations = :[
        w = (u - a[2:end]'*x)/a[1]
        der(x) = [w; x[1:end-1]]/u"s"
        y = bn[1]*w + bn[2:end]'*x
    ]
)

function paddedNumerator(b, a)
    if length(b) > length(a) || length(a) < 2 || a[1] == 0
        error("a transfer function needs a denominator of degree 1 or more with a[1] != 0 and no numerator of a higher degree; b = ", b, ", a = ", a)
    end
    return [zeros(length(a) - length(b)); b]
end

"""
    PID

PID controller of the set point `u_s` and the measurement `u_m`: `k*(wp*u_s - u_m + (integral of u_s - u_m)/Ti + Td*der(wd*u_s - u_m))` with the
derivative filtered by `Tf`. The output stays between `yMin` and `yMax`; while it is cut the integral is led back with the time
constant `Tt`. `Ti = Inf*u"s"` and `Td = 0.0u"s"` switch their parts off.
"""
PID = Model(
    u_s = input,
    u_m = input,
    y = output,
    k = 1.0,
    Ti = 1.0u"s",
    Td = 0.0u"s",
    Tf = 0.01u"s",
    Tt = 1.0u"s",
    wp = 1.0,
    wd = 0.0,
    yMin = -1.0e6,
    yMax = 1.0e6,
    x = Var(init = 0.0),
    xd = Var(init = 0.0),
    equations = :[
        rate = if Td > 0*Td; (wd*u_s - u_m - xd)/Tf else 0*(wd*u_s - u_m)/u"s" end
        v = k*(wp*u_s - u_m + Td*rate) + x
        y = if v > yMax; yMax elseif v < yMin; yMin else v end
        der(x) = if isfinite(Ti); k*(u_s - u_m)/Ti + (y - v)/Tt else 0*(y - v)/u"s" end
        der(xd) = rate
    ]
)

# ---- nonlinear ------------------------------------------------------------------------------

"""
    Limiter

`u`, but not below `uMin` and not above `uMax`.
"""
Limiter = SISO | Model(
    uMin = -1.0,
    uMax = 1.0,
    equations = :[
        y = if u > uMax; uMax elseif u < uMin; uMin else u end
    ]
)

"""
    RateLimiter

Follows `u`, with rates between `falling` (negative) and `rising`; apart from that with the small time constant `T`.
"""
RateLimiter = SISO | Model(
    rising = 1.0u"1/s",
    falling = -1.0u"1/s",
    T = 0.001u"s",
    x = Var(init = 0.0),
    equations = :[
        rate = (u - x)/T
        der(x) = if rate > rising; rising elseif rate < falling; falling else rate end
        y = x
    ]
)

"""
    DeadZone

Zero between `uMin` and `uMax`, and what `u` has beyond them.
"""
DeadZone = SISO | Model(
    uMin = -1.0,
    uMax = 1.0,
    equations = :[
        y = if u > uMax; u - uMax elseif u < uMin; u - uMin else 0*u end
    ]
)

"""
    Hysteresis

True when `u` has risen above `uHigh`, until it falls below `uLow`; false at first.
"""
Hysteresis = SISO | Model(
    uLow = -1.0,
    uHigh = 1.0,
    y = Var(output = true, start = false),
    equations = :[
        y = if pre(y); u > uLow else u > uHigh end
    ]
)

"""
    Relay

`yHigh` when `u` has risen above `uHigh`, `yLow` when it has fallen below `uLow`, and as before in between.
"""
Relay = SISO | Model(
    uLow = -1.0,
    uHigh = 1.0,
    yLow = 0.0,
    yHigh = 1.0,
    on = Var(start = false),
    equations = :[
        on = if pre(on); u > uLow else u > uHigh end
        y = if on; yHigh else yLow end
    ]
)

"""
    Quantizer

`u` rounded to whole multiples of `q`.
"""
Quantizer = SISO | Model(
    q = 0.1,
    equations = :[
        y = q*round(u/q)
    ]
)

"""
    Delay

`u` as it was `T` ago, and before that as it was at the start. No step of a run is longer than `T`.
"""
Delay = SISO | Model(
    T = 1.0u"s",
    equations = :[
        y = delay(u, T)
    ]
)

# ---- sampled --------------------------------------------------------------------------------

"""
    Sampler

`u` at the ticks of a clock with the period `T`; for blocks with the same clock.
"""
Sampler = SISO | Model(
    T = 0.1u"s",
    equations = :[
        y = sample(u, Clock(T))
    ]
)

"""
    ZeroOrderHold

Takes `u` every `T` and holds it in between.
"""
ZeroOrderHold = SISO | Model(
    T = 0.1u"s",
    us = Var(start = 0.0),
    equations = :[
        us = sample(u, Clock(T))
        y = hold(us, Clock(T))
    ]
)

"""
    UnitDelay

Takes `u` every `T` and holds it one period later.
"""
UnitDelay = SISO | Model(
    T = 0.1u"s",
    us = Var(start = 0.0),
    equations = :[
        us = sample(u, Clock(T))
        y = hold(previous(us, Clock(T)), Clock(T))
    ]
)

"""
    DiscreteTransferFunction

`y = (b[1]*z^m + ... + b[m+1])/(a[1]*z^n + ... + a[n+1])*u` with `m <= n`, sampled every `T` and held in between; `x` are its last `n` inner values.
"""
DiscreteTransferFunction = SISO | Model(
    b = [1.0],
    a = [1.0, 0.0],
    T = 0.1u"s",
    bn = Par(value = :(paddedNumerator(b, a))),
    x = Var(start = :(zeros(length(a) - 1))),
    ys = Var(start = 0.0),
    equations = :[
        us = sample(u, Clock(T))
        x0 = previous(x, Clock(T))
        w = (us - a[2:end]'*x0)/a[1]
        ys = bn[1]*w + bn[2:end]'*x0
        x = [w; x0[1:end-1]]
        y = hold(ys, Clock(T))
    ]
)

"""
    DiscretePID

`PID`, sampled every `T`: rectangles for the integral, differences for the derivative (filtered by `Tf`), and an integral that stops growing as soon
as the output is cut at `yMin` or `yMax`.
"""
DiscretePID = Model(
    u_s = input,
    u_m = input,
    y = output,
    T = 0.01u"s",
    k = 1.0,
    Ti = 1.0u"s",
    Td = 0.0u"s",
    Tf = 0.0u"s",
    wp = 1.0,
    wd = 0.0,
    yMin = -1.0e6,
    yMax = 1.0e6,
    I = Var(start = 0.0),
    D = Var(start = 0.0),
    ud = Var(start = 0.0),
    ys = Var(start = 0.0),
    n = Var(start = 0.0),
    equations = :[
        s = sample(u_s, Clock(T))
        m = sample(u_m, Clock(T))
        n = previous(n, Clock(T)) + 1
        ud = wd*s - m
        D = if n == 1; 0*ud else (Tf*previous(D, Clock(T)) + Td*(ud - previous(ud, Clock(T))))/(Tf + T) end
        part = k*(wp*s - m + D) + previous(I, Clock(T))
        trial = part + k*T/Ti*(s - m)
        ys = if trial > yMax; yMax elseif trial < yMin; yMin else trial end
        I = previous(I, Clock(T)) + (if (trial > yMax && k*(s - m) > 0*yMax) || (trial < yMin && k*(s - m) < 0*yMax); 0*yMax else k*T/Ti*(s - m) end)
        y = hold(ys, Clock(T))
    ]
)

# ---- logic ----------------------------------------------------------------------------------

"""
    And

True where `u1` and `u2` are.
"""
And = SI2SO | Model(equations = :[y = u1 && u2])

"""
    Or

True where `u1` or `u2` is, or both.
"""
Or = SI2SO | Model(equations = :[y = u1 || u2])

"""
    Xor

True where just one of `u1` and `u2` is.
"""
Xor = SI2SO | Model(equations = :[y = (u1 && !u2) || (u2 && !u1)])

"""
    Not

True where `u` is not.
"""
Not = SISO | Model(equations = :[y = !u])

"""
    Comparator

True where `u` is above `threshold`.
"""
Comparator = SISO | Model(
    threshold = 0.0,
    equations = :[
        y = u > threshold
    ]
)

"""
    SignalSwitch

`u1` where the condition `on` is true, `u2` where it is not.
"""
SignalSwitch = SI2SO | Model(
    on = input,
    equations = :[
        y = if on; u1 else u2 end
    ]
)

"""
    Latch

Becomes true with `set` and false with `reset`, which wins; keeps its value in between.
"""
Latch = Model(
    set = input,
    reset = input,
    y = Var(output = true, start = false),
    equations = :[
        y = !reset && (set || pre(y))
    ]
)

"""
    Stopwatch

For how long `u` has been true by now; zero while it is not.
"""
Stopwatch = SISO | Model(
    begun = Var(start = -1.0e300u"s"),
    equations = :[
        begun = if edge(u) || pre(begun) < -1.0e200u"s"; time else pre(begun) end
        y = if u; time - begun else 0*begun end
    ]
)

"""
    OnDelay

True when `u` has been true for `T`; false as soon as it is not.
"""
OnDelay = SISO | Model(
    T = 1.0u"s",
    begun = Var(start = -1.0e300u"s"),
    equations = :[
        begun = if edge(u) || pre(begun) < -1.0e200u"s"; time else pre(begun) end
        y = u && time >= begun + T
    ]
)

"""
    Counter

How many times `u` became true, since the start or since the condition `reset`, given as `Map(reset = :(condition))`, was true.
"""
Counter = SISO | Model(
    reset = false,
    y = Var(output = true, start = 0),
    equations = :[
        y = if reset; 0 elseif edge(u); pre(y) + 1 else pre(y) end
    ]
)

# ---- states and transitions -----------------------------------------------------------------

"""
    StateMachine

States are numbers from 1 on; transition `i` leads from state `from[i]` to state `to[i]` when its condition, element `i` of the vector `fire`, is
true. Of several the first one counts; a new state may be left in the same instant. `state` is the present state, `begun` when it was entered, `elapsed`
how long ago that is, and `entered` is true at the instant of entry: `n = if machine.entered && machine.state == 2; pre(n) + 1 else pre(n) end` and
`reinit` are entry actions. A transition after a time has the condition `machine.elapsed > 2.0u"s"`. A condition that asks for the state which it decides contradicts itself; `pre(machine.state)` is the one before.
"""
StateMachine = Model(
    from = [1, 2],
    to = [2, 1],
    fire = input,
    state = Var(output = true, start = 1),
    begun = Var(start = -1.0e300u"s"),
    equations = :[
        state = nextState(pre(state), fire, from, to)
        entered = change(state)
        begun = if entered || pre(begun) < -1.0e200u"s"; time else pre(begun) end
        elapsed = time - (if pre(begun) < -1.0e200u"s"; time else pre(begun) end)
    ]
)

# Conditions in a vector are the numbers 0 and 1.
function nextState(state, fire, from, to)
    for i in 1:length(from)
        if fire[i] == 1 && from[i] == state
            return to[i]
        end
    end
    return state
end
