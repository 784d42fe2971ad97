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

# Memory of one InsulatedRod2: temperatures, their derivatives, the two constants of its cells, and the row of `cells` that
# is due next.
mutable struct InsulatedRodMemory
    T
    derT
    conductance
    rate
    index
    cells
    next
    InsulatedRodMemory() = new(Float64[], Float64[], 0.0, 0.0, 0, nothing, 1)
end

function buildInsulatedRod2!(model, modelModule, FloatType, TimeType, options, ID, path)
    model = model | Model(
        rod = Var(hideResult = true),
        success = Var(hideResult = true),
        equations = :[
            rod = openInsulatedRod2!(instantiatedModel, $ID)
            port_a.Q_flow = rodEndConductance(rod)*(port_a.T - rodFirstTemperature(rod))
            port_b.Q_flow = rodEndConductance(rod)*(port_b.T - rodLastTemperature(rod))
            success = computeInsulatedRod2!(instantiatedModel, rod, port_a.T, port_b.T, time)
        ]
    )
    return (model, InsulatedRodMemory())
end

# The smaller of two slopes, zero where their signs differ: what is laid through the cells makes no new extrema.
smallerSlope(a, b) = a*b <= 0.0 ? 0.0 : abs(a) < abs(b) ? a : b

# Change of temperature over cell i, as its neighbors say.
function rodSlope(T, i)
    n = length(T)
    if n < 3
        return 0.0
    end
    j = clamp(i, 2, n - 1)
    return smallerSlope(T[j] - T[j-1], T[j+1] - T[j])
end

"""
    remeshRod(T, m)

Temperatures of `m` equal cells that hold the heat of the cells `T` of the same rod: straight pieces are laid through these
and integrated over the new ones, so that no heat is lost, whatever the two numbers are.
"""
function remeshRod(T, m)
    n = length(T)
    fresh = zeros(m)
    for j in 1:m
        lo, hi = (j - 1)*n/m, j*n/m                        # in widths of the old cells
        for i in max(1, floor(Int, lo)):min(n, ceil(Int, hi))
            a, b = max(lo - (i - 1), 0.0), min(hi - (i - 1), 1.0)
            if b > a
                fresh[j] += (b - a)*(T[i] + rodSlope(T, i)*(a + b - 1.0)/2)
            end
        end
        fresh[j] *= m/n
    end
    return fresh
end

# Before every segment: the cells and their states are defined anew.
function initSegmentInsulatedRod2!(instantiatedModel, path, ID, parameters; log = false)
    rod = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    p = parameters
    if Modia.isFirstInitialOfAllSegments(instantiatedModel)
        rod.T = fill(stripUnit(p[:T0]), p[:nT])
        rod.cells = checkedRodCells(p[:cells], path)
        rod.next = 1
    elseif rodIsDue(rod, Modia.getTime(instantiatedModel))
        rod.T = remeshRod(rod.T, Int(rod.cells[rod.next, 2]))
        rod.next += 1
    end
    rod.derT = zeros(length(rod.T))
    dx = stripUnit(p[:L])/length(rod.T)
    rod.conductance = stripUnit(p[:lambda])*stripUnit(p[:A])/dx
    rod.rate = rod.conductance/(stripUnit(p[:c])*stripUnit(p[:rho])*stripUnit(p[:A])*dx)
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

# Rows of a time and a number, one after the other.
function checkedRodCells(cells, path)
    if ndims(cells) != 2 || size(cells, 2) != 2
        error(path, ": cells must be a matrix with a row [time number] for each change")
    end
    for k in 1:size(cells, 1)
        if !(cells[k, 2] >= 1.0) || cells[k, 2] != floor(cells[k, 2]) || !isfinite(cells[k, 1]) || (k > 1 && cells[k, 1] <= cells[k-1, 1])
            error(path, ": cells needs times that grow and whole numbers of at least 1; row ", k, " is ", cells[k, :])
        end
    end
    return cells
end

rodIsDue(rod, time) = rod.next <= size(rod.cells, 1) && stripUnit(time) >= rod.cells[rod.next, 1]

# At events: another number of cells ends the segment when it is due.
function planRodCells!(instantiatedModel, rod, time)
    if rodIsDue(rod, time)
        Modia.setFullRestartEvent!(instantiatedModel)
    elseif rod.next <= size(rod.cells, 1)
        Modia.setNextEvent!(instantiatedModel, rod.cells[rod.next, 1])
    end
end

function computeInsulatedRod2!(instantiatedModel, rod, Ta, Tb, time)
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
    if Modia.isEvent(instantiatedModel)
        planRodCells!(instantiatedModel, rod, time)
    end
    return true
end

"""
    InsulatedRod2

The rod of `InsulatedRod` as a predefined component: its `nT` temperatures are states that the
equations do not see, so their number may change even while a simulation runs: `cells` is a matrix
with a row `[time number]` for each change. The new cells hold the heat of the old ones (`remeshRod`).
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
    cells = zeros(0, 2),
    port_a = HeatPort,
    port_b = HeatPort
)
