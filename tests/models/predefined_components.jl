# Predefined components written in the language, each against its twin made of equations: the
# capacitor of thesis section 10.1.4, with and without units, and the rod of section 10.1.5, whose
# number of cells changes after translation. One translation serves all runs.
using Modia
using Test

include("$(Modia.modelsPath)/AllModels.jl")
include("$(Modia.modelsPath)/HeatTransfer.jl")

# ---- capacitor ----------------------------------------------------------------------------------

mutable struct HiddenCharge
    v
    C
    index
    HiddenCharge() = new(0.0, 1.0, 0)
end

function buildCharge!(model, modelModule, FloatType, TimeType, options, ID, path)
    model = model | Model(
        memory = Var(hideResult = true),
        done = Var(hideResult = true),
        equations = :[
            memory = openCharge!(instantiatedModel, $ID)
            p.v - n.v = chargeVoltage(memory)
            0 = p.i + n.i
            done = takeCharge!(instantiatedModel, memory, p.i)
        ]
    )
    return (model, HiddenCharge())
end

function initCharge!(instantiatedModel, path, ID, parameters; log = false)
    memory = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    memory.C = stripUnit(parameters[:C])
    memory.index = Modia.new_x_segmented_variable!(instantiatedModel, path * ".v", path * ".der(v)",
                                                   stripUnit(parameters[:v0]), "V")
    return nothing
end

function openCharge!(instantiatedModel, ID)
    memory = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    memory.v = Modia.copy_scalar_x_segmented_value_from_state(instantiatedModel, memory.index)
    return memory
end

chargeVoltage(memory) = memory.v

function takeCharge!(instantiatedModel, memory, i)
    Modia.copy_der_x_segmented_value_to_state(instantiatedModel, memory.index, stripUnit(i)/memory.C)
    return true
end

HiddenCapacitor = Model(
    _buildFunction = Par(functionName = :(buildCharge!)),
    _initSegmentFunction = Par(functionName = :(initCharge!)),
    C = 1.0u"F",
    v0 = 0.0u"V",
    p = Pin,
    n = Pin
)

# Two capacitors with a resistor between, so that hidden and visible states depend on each other.
Circuit = Model(
    V = ConstantVoltage | Map(V = 10.0u"V"),
    R1 = Resistor | Map(R = 0.5u"Ω"),
    R2 = Resistor | Map(R = 1.5u"Ω"),
    C2 = Capacitor | Map(C = 0.5u"F"),
    ground = Ground,
    connect = :[
        (V.p, R1.p)
        (R1.n, C1.p, R2.p)
        (R2.n, C2.p)
        (C1.n, C2.n, V.n, ground.p)
    ]
)
for unitless in [true, false]
    hidden = @instantiateModel(Circuit | Map(C1 = HiddenCapacitor | Map(C = 2.0u"F", v0 = 0.1u"V")),
                               unitless = unitless)
    twin = @instantiateModel(Circuit | Map(C1 = Capacitor | Map(C = 2.0u"F", v = Var(init = 0.1u"V"))),
                             unitless = unitless)
    simulate!(hidden, stopTime = 3.0, tolerance = 1e-9)
    simulate!(twin, stopTime = 3.0, tolerance = 1e-9)
    for name in ["C1.v", "C2.v"]
        @test isapprox(getValues(hidden, name), getValues(twin, name), atol = 1e-7)
    end
    @test isapprox(ustrip(getLastValue(hidden, "R1.i")), ustrip(getLastValue(twin, "R1.i")), atol = 1e-7)
    @test get_xNames(hidden) == ["C2.v", "C1.v"]
    # Another capacitance needs no translation.
    simulate!(hidden, stopTime = 3.0, tolerance = 1e-9, merge = Map(C1 = Map(C = 0.25u"F")))
    simulate!(twin, stopTime = 3.0, tolerance = 1e-9, merge = Map(C1 = Map(C = 0.25u"F")))
    @test isapprox(getValues(hidden, "C1.v"), getValues(twin, "C1.v"), atol = 1e-7)
end

# ---- rod ----------------------------------------------------------------------------------------

Rod = Model(
    left = FixedTemperature | Map(T = 493.15u"K"),
    right = FixedHeatFlow,
    connect = :[
        (left.port, rod.port_a)
        (rod.port_b, right.port)
    ]
)
for unitless in [true, false]
    hidden = @instantiateModel(Rod | Map(rod = InsulatedRod2 | Map(T0 = 293.15u"K", nT = 5)),
                               unitless = unitless)
    twin = @instantiateModel(Rod | Map(rod = InsulatedRod | Map(T = Var(init = fill(293.15, 5)u"K"))),
                             unitless = unitless)
    for n in [5, 12, 3]
        simulate!(hidden, stopTime = 2e4, tolerance = 1e-8, merge = Map(rod = Map(nT = n)))
        simulate!(twin, stopTime = 2e4, tolerance = 1e-8,
                  merge = Map(rod = Map(T = fill(293.15, n)u"K")))
        T = ustrip.(getLastValue(hidden, "rod.T"))
        @test length(T) == n
        @test isapprox(T, ustrip.(getLastValue(twin, "rod.T")), atol = 1e-3)
        @test length(get_xNames(hidden)) == n
    end
end

# A complete rod with its connectors, merged for one run.
whole = @instantiateModel(Rod | Map(rod = InsulatedRod2 | Map(T0 = 293.15u"K", nT = 5)), unitless = true)
simulate!(whole, stopTime = 2e4, merge = Map(rod = InsulatedRod2 | Map(T0 = 293.15u"K", nT = 7)))
@test length(getLastValue(whole, "rod.T")) == 7

# ---- hidden states beside visible ones that change ------------------------------------------------

Turning = Model(
    x = Var(init = 0.0), vx = Var(init = 8.0), y = Var(start = -1.0), vy = Var(start = 0.0), F = Var(start = 0.0),
    V = ConstantVoltage | Map(V = 10.0), R = Resistor | Map(R = 0.5), ground = Ground,
    C = HiddenCapacitor | Map(C = 2.0, v0 = 0.1),
    equations = :[
        vx = der(x)
        vy = der(y)
        der(vx) = -F*x
        der(vy) = -F*y - 9.81
        x^2 + y^2 = 1
    ],
    connect = :[
        (V.p, R.p)
        (R.n, C.p)
        (C.n, V.n, ground.p)
    ]
)
turning = @instantiateModel(Turning, unitless = true)
turns = 2*0.9820032573112512 # see pendulum_turns.jl
simulate!(turning, stopTime = turns, tolerance = 1e-9)
@test get_xNames(turning) == ["vx", "x", "C.v"]
@test abs(getLastValue(turning, "x")) < 1e-5
@test isapprox(ustrip(getLastValue(turning, "C.v")), 10 - 9.9*exp(-turns), rtol = 1e-7)
