# Heat transfer beyond HeatTransfer.jl: convection, radiation, prescribed temperatures and heat flows, sensors, and resistors that heat. Temperatures are
# absolute (K); heat flow into a component is positive.

include("Electric.jl")
include("HeatTransfer.jl")

"""
    PartialHeatPath

Base of what lies between two ports and stores nothing: the heat flow `Q_flow` goes from `port_a` to `port_b`, `dT` is the difference of their temperatures.
"""
PartialHeatPath = Model(
    port_a = HeatPort,
    port_b = HeatPort,
    equations = :[
        dT = port_a.T - port_b.T
        port_a.Q_flow = Q_flow
        port_b.Q_flow = -Q_flow
    ]
)

"""
    Wall

Heat conduction through a plane wall of the area `A`, thickness `d` and conductivity `lambda`.
"""
Wall = PartialHeatPath | Model(
    A = 1.0u"m^2",
    d = 0.1u"m",
    lambda = 0.04u"W/(m*K)",
    equations = :[
        Q_flow = lambda*A/d*dT
    ]
)

"""
    Convection

Heat from a surface `A` to a fluid with the coefficient `alpha`.
"""
Convection = PartialHeatPath | Model(
    A = 1.0u"m^2",
    alpha = 10.0u"W/(m^2*K)",
    equations = :[
        Q_flow = alpha*A*dT
    ]
)

"""
    SignalConvection

Heat by a conductance that changes: the input `Gc`, with the unit W/K.
"""
SignalConvection = PartialHeatPath | Model(
    Gc = input,
    equations = :[
        Q_flow = Gc*dT
    ]
)

"""
    Radiation

Heat by radiation from a gray surface of the area `A` and emissivity `eps` to surroundings that are much larger: `eps*sigma*A*(Ta^4 - Tb^4)`.
"""
Radiation = PartialHeatPath | Model(
    A = 1.0u"m^2",
    eps = 0.9,
    equations = :[
        Q_flow = eps*A*5.670374419e-8u"W/(m^2*K^4)"*(port_a.T^4 - port_b.T^4)
    ]
)

"""
    Ambient

Surroundings at the temperature `T`, reached through the conductance `G`.
"""
Ambient = Model(
    port = HeatPort,
    T = 293.15u"K",
    G = 1.0u"W/K",
    equations = :[
        port.Q_flow = G*(port.T - T)
    ]
)

"""
    PrescribedTemperature

Holds the port at the temperature `T`, an input with the unit K.
"""
PrescribedTemperature = Model(
    port = HeatPort,
    T = input,
    equations = :[
        port.T = T
    ]
)

"""
    PrescribedHeatFlow

Feeds the heat flow `Q_flow`, an input with the unit W, into what is connected.
"""
PrescribedHeatFlow = Model(
    port = HeatPort,
    Q_flow = input,
    equations = :[
        port.Q_flow = -Q_flow
    ]
)

"""
    TemperatureSensor

Measures the temperature of the port; takes no heat.
"""
TemperatureSensor = Model(
    port = HeatPort,
    T = output,
    equations = :[
        T = port.T
        port.Q_flow = 0.0u"W"
    ]
)

"""
    HeatFlowSensor

Measures the heat flow that goes from `port_a` through the sensor to `port_b`.
"""
HeatFlowSensor = Model(
    port_a = HeatPort,
    port_b = HeatPort,
    Q_flow = output,
    equations = :[
        port_a.T = port_b.T
        port_a.Q_flow + port_b.Q_flow = 0
        Q_flow = port_a.Q_flow
    ]
)

"""
    HeatingResistor

Resistor whose heat leaves through `port`; its resistance is `R*(1 + alpha*(T - T_ref))`.
"""
HeatingResistor = OnePort | Model(
    port = HeatPort,
    R = 1.0u"Ω",
    alpha = 0.0u"1/K",
    T_ref = 293.15u"K",
    equations = :[
        v = R*(1 + alpha*(port.T - T_ref))*i
        port.Q_flow = -v*i
    ]
)
