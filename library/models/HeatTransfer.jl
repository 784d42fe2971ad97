# One-dimensional heat transfer. Heat flow into a component is positive.

"""
    HeatPort

Thermal terminal with the temperature `T` and the heat flow `Q_flow` into the component.
"""
HeatPort = Model(
    T = potential,
    Q_flow = flow
)

"""
    FixedTemperature

Holds the port at the temperature `T`.
"""
FixedTemperature = Model(
    T = 293.15u"K",
    port = HeatPort,
    equations = :[
        port.T = T
    ]
)

"""
    FixedHeatFlow

Feeds the constant heat flow `Q_flow` into the connected component.
"""
FixedHeatFlow = Model(
    Q_flow = 0.0u"W",
    port = HeatPort,
    equations = :[
        port.Q_flow = -Q_flow
    ]
)

"""
    HeatCapacitor

Lumped heat capacity `C` with one temperature `T`.
"""
HeatCapacitor = Model(
    C = 1.0u"J/K",
    port = HeatPort,
    T = Var(init=293.15u"K"),
    equations = :[
        T = port.T
        der(T) = port.Q_flow/C
    ]
)

"""
    ThermalConductor

Conductance `G` between two ports, without storage.
"""
ThermalConductor = Model(
    G = 1.0u"W/K",
    port_a = HeatPort,
    port_b = HeatPort,
    equations = :[
        dT = port_a.T - port_b.T
        0 = port_a.Q_flow + port_b.Q_flow
        port_a.Q_flow = G*dT
    ]
)

# Temperature gradients of a rod at the left and the right of every cell. Ta and Tb are the
# temperatures at the two ends, where only half a cell lies between wall and node.
rodGradientLeft(T, Ta, dx, i) = i == 1 ? (Ta - T[1])/(dx/2) : (T[i-1] - T[i])/dx
rodGradientRight(T, Tb, dx, i) = i == length(T) ? (T[i] - Tb)/(dx/2) : (T[i] - T[i+1])/dx

"""
    InsulatedRod

Rod with an insulated surface, cut into `length(T)` cells of equal size. The number of cells is
the length of the start value of `T` and may change from run to run without a new translation.
"""
InsulatedRod = Model(
    L = 1.0u"m",
    A = 0.0004u"m^2",
    rho = 7500.0u"kg/m^3",
    lambda = 74.0u"W/(m*K)",
    c = 450.0u"J/(kg*K)",
    port_a = HeatPort,
    port_b = HeatPort,
    T = Var(init = [293.15]u"K"),
    equations = :[
        n = length(T)
        dx = L/n
        Ce = c*rho*A*dx
        k = lambda*A/Ce
        der(T) = k*[rodGradientLeft(T, port_a.T, dx, i) - rodGradientRight(T, port_b.T, dx, i) for i in eachindex(T)]
        port_a.Q_flow = lambda*A*(port_a.T - T[1])/(dx/2)
        port_b.Q_flow = lambda*A*(port_b.T - T[n])/(dx/2)
    ]
)
