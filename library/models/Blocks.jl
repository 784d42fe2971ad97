# Signal blocks: one direction, no connectors with flows. Inputs are called u, outputs y.

"""
    SISO

Base of all blocks with a single input `u` and a single output `y`.
"""
SISO = Model(
    u = input,
    y = output
)

"""
    Gain

Proportional block, `y = k*u`.
"""
Gain = SISO | Model(
    k = 1,
    equations = :[
        y = k*u
    ]
)

"""
    FirstOrder

First-order lag with gain `k` and time constant `T`: `y` follows `k*u` with the state `x`.
"""
FirstOrder = SISO | Model(
    k = 1.0,
    T = 1.0u"s",
    x = Var(init=0.0),
    equations = :[
        der(x) = (k*u - x)/T
        y = x
    ]
)

"""
    Feedback

Difference of the reference `u1` and the measurement `u2`.
"""
Feedback = Model(
    u1 = input,
    u2 = input,
    y = output,
    equations = :[
        y = u1 - u2
    ]
)

"""
    PI

Proportional-integral controller with gain `k` and integration time `T`; `x` is the integrator.
"""
PI = SISO | Model(
    k = 1.0,
    T = 1.0u"s",
    x = Var(init=0.0),
    equations = :[
        der(x) = u/T
        y = k*(x + u)
    ]
)

"""
    SO

Base of all blocks with only an output `y`.
"""
SO = Model(
    y = output
)

"""
    SignalSource

Base of the sources: the signal rises above `offset` from `startTime` on.
"""
SignalSource = SO | Model(
    offset = 0.0,
    startTime = 0.0u"s"
)

"""
    Step

Jump from `offset` to `offset + height` at `startTime`.
"""
Step = SignalSource | Model(
    height = 1.0,
    equations = :[
        y = offset + (time < startTime ? 0*height : height)
    ]
)

"""
    Ramp

Rise from `offset` to `offset + height` that begins at `startTime` and takes `duration`.
"""
Ramp = SignalSource | Model(
    height = 1.0,
    duration = 2.0u"s",
    equations = :[
        y = offset + (if time < startTime; 0.0*height
                      elseif time < startTime + duration; (time - startTime)*height/duration
                      else height end)
    ]
)

"""
    StateSpace

Linear system `der(x) = A*x + B*u`, `y = C*x + D*u`. The matrices are parameters: their sizes may
change from run to run without a new translation.
"""
StateSpace = Model(
    A = parameter | fill(0.0, 0, 0),
    B = parameter | fill(0.0, 0, 0),
    C = parameter | fill(0.0, 0, 0),
    D = parameter | fill(0.0, 0, 0),
    u = input,
    y = output,
    x = Var(init = zeros(0)),
    equations = :[
        der(x) = A*x + B*u
        y = C*x + D*u
    ]
)
