# Analog electric circuits. The connector is a pin; currents that flow into a component are positive.

"""
    Pin

Electric terminal with the voltage `v` against the common reference and the current `i` into the
component.
"""
Pin = Model(
    v = potential,
    i = flow
)

"""
    OnePort

Base of all components with two pins: voltage drop `v` from `p` to `n` and the current `i` from `p`
to `n` through the component.
"""
OnePort = Model(
    p = Pin,
    n = Pin,
    equations = :[
        v = p.v - n.v
        0 = p.i + n.i
        i = p.i
    ]
)

"""
    Resistor

Ideal linear resistor of resistance `R`.
"""
Resistor = OnePort | Model(
    R = 1.0u"Ω",
    equations = :[
        R*i = v
    ]
)

"""
    Capacitor

Ideal linear capacitor of capacitance `C`; the voltage is its state.
"""
Capacitor = OnePort | Model(
    C = 1.0u"F",
    v = Var(init=0.0u"V"),
    equations = :[
        C*der(v) = i
    ]
)

"""
    Inductor

Ideal linear inductor of inductance `L`; the current is its state.
"""
Inductor = OnePort | Model(
    L = 1.0u"H",
    i = Var(init=0.0u"A"),
    equations = :[
        L*der(i) = v
    ]
)

"""
    ConstantVoltage

Ideal source of the constant voltage `V`.
"""
ConstantVoltage = OnePort | Model(
    V = 1.0u"V",
    equations = :[
        v = V
    ]
)

"""
    Ground

Fixes the potential of the pin `p` to zero. A circuit needs one, or its voltages are known only up
to a common constant.
"""
Ground = Model(
    p = Pin,
    equations = :[
        p.v = 0.0u"V"
    ]
)

"""
    IdealOpAmp3Pin

Ideal operational amplifier: both inputs `in_p` and `in_n` at the same potential and without
current; the output `out` delivers whatever that takes.
"""
IdealOpAmp3Pin = Model(
    in_p = Pin,
    in_n = Pin,
    out = Pin,
    equations = :[
        in_p.v = in_n.v
        in_p.i = 0u"A"
        in_n.i = 0u"A"
    ]
)

"""
    PartialSignalVoltage

Base of the voltage sources that follow the input signal `v`.
"""
PartialSignalVoltage = Model(
    v = input,
    p = Pin,
    n = Pin
)

"""
    SignalVoltage

Voltage source that follows the input `v`, a signal with the unit V.
"""
SignalVoltage = PartialSignalVoltage | Model(
    equations = :[
        p.v - n.v = v
        0 = p.i + n.i
        i = p.i
    ]
)

"""
    UnitlessSignalVoltage

Voltage source that follows the input `v`, a plain number of volts.
"""
UnitlessSignalVoltage = PartialSignalVoltage | Model(
    equations = :[
        p.v - n.v = v*u"V"
        0 = p.i + n.i
        i = p.i
    ]
)

"""
    PartialCurrentSensor

Base of the current sensors: the output `i` is the current through the sensor.
"""
PartialCurrentSensor = Model(
    i = output,
    p = Pin,
    n = Pin
)

"""
    CurrentSensor

Measures the current from `p` to `n` as a signal with the unit A.
"""
CurrentSensor = PartialCurrentSensor | Model(
    equations = :[
        p.v = n.v
        0 = p.i + n.i
        i = p.i
    ]
)

"""
    UnitlessCurrentSensor

Measures the current from `p` to `n` as a plain number of amperes.
"""
UnitlessCurrentSensor = PartialCurrentSensor | Model(
    equations = :[
        p.v = n.v
        0 = p.i + n.i
        i = p.i/u"A"
    ]
)
