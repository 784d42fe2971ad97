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

# ---- a rod whose cells are hidden from the equations ------------------------------------------

# Memory of one InsulatedRod2: temperatures, their derivatives, and the two constants of its cells.
mutable struct InsulatedRodMemory
    T
    derT
    conductance
    rate
    index
    InsulatedRodMemory() = new(Float64[], Float64[], 0.0, 0.0, 0)
end

function buildInsulatedRod2!(model, modelModule, FloatType, TimeType, options, ID, path)
    model = model | Model(
        rod = Var(hideResult = true),
        success = Var(hideResult = true),
        equations = :[
            rod = openInsulatedRod2!(instantiatedModel, $ID)
            port_a.Q_flow = rodEndConductance(rod)*(port_a.T - rodFirstTemperature(rod))
            port_b.Q_flow = rodEndConductance(rod)*(port_b.T - rodLastTemperature(rod))
            success = computeInsulatedRod2!(instantiatedModel, rod, port_a.T, port_b.T)
        ]
    )
    return (model, InsulatedRodMemory())
end

# Before every segment: the cells and their states are defined anew.
function initSegmentInsulatedRod2!(instantiatedModel, path, ID, parameters; log = false)
    rod = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    p = parameters
    nT = p[:nT]
    dx = stripUnit(p[:L])/nT
    rod.conductance = stripUnit(p[:lambda])*stripUnit(p[:A])/dx
    rod.rate = rod.conductance/(stripUnit(p[:c])*stripUnit(p[:rho])*stripUnit(p[:A])*dx)
    if Modia.isFirstInitialOfAllSegments(instantiatedModel)
        rod.T = fill(stripUnit(p[:T0]), nT)
        rod.derT = zeros(nT)
    end
    rod.index = Modia.new_x_segmented_variable!(instantiatedModel, path * ".T", path * ".der(T)", rod.T, "K")
    return nothing
end

function openInsulatedRod2!(instantiatedModel, ID)
    rod = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    Modia.copy_Vector_x_segmented_value_from_state(instantiatedModel, rod.index, rod.T)
    return rod
end

rodEndConductance(rod) = 2*rod.conductance
rodFirstTemperature(rod) = rod.T[1]
rodLastTemperature(rod) = rod.T[end]

function computeInsulatedRod2!(instantiatedModel, rod, Ta, Tb)
    T = rod.T
    n = length(T)
    left = stripUnit(Ta)
    right = stripUnit(Tb)
    for i in 1:n
        fromLeft = i == 1 ? 2*(left - T[1]) : T[i-1] - T[i]
        toRight  = i == n ? 2*(T[n] - right) : T[i] - T[i+1]
        rod.derT[i] = rod.rate*(fromLeft - toRight)
    end
    Modia.copy_der_x_segmented_value_to_state(instantiatedModel, rod.index, rod.derT)
    return true
end

"""
    InsulatedRod2

The rod of `InsulatedRod` as a predefined component: its `nT` temperatures are states that the
equations do not see, so their number may change even while a simulation runs.
"""
InsulatedRod2 = Model(
    _buildFunction = Par(functionName = :(buildInsulatedRod2!)),
    _initSegmentFunction = Par(functionName = :(initSegmentInsulatedRod2!)),
    L = 1.0u"m",
    A = 0.0004u"m^2",
    rho = 7500.0u"kg/m^3",
    lambda = 74.0u"W/(m*K)",
    c = 450.0u"J/(kg*K)",
    T0 = 293.15u"K",
    nT = 1,
    port_a = HeatPort,
    port_b = HeatPort
)
