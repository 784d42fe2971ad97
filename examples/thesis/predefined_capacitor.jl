# A capacitor whose state the equations do not see (thesis, section 10.1.4), beside its twin made of
# equations.
#
# Shows: a predefined component written in the language: code that completes the model, defines its
# state before the run, and hands voltage and current over while it runs.
# Expect: both capacitors charge alike; the largest difference is printed.
module PredefinedCapacitor

using Modia
using Test
@usingModiaPlot

include("$(Modia.modelsPath)/Electric.jl")

# The internal memory: the voltage, the capacitance, and the number of the hidden state.
mutable struct CapacitorMemory
    v
    C
    index
    CapacitorMemory() = new(0.0, 1.0, 0)
end

function buildCapacitor!(model, modelModule, FloatType, TimeType, options, ID, path)
    model = model | Model(
        memory = Var(hideResult = true),
        success = Var(hideResult = true),
        equations = :[
            memory = openCapacitor!(instantiatedModel, $ID)
            p.v - n.v = capacitorVoltage(memory)
            0 = p.i + n.i
            success = takeCurrent!(instantiatedModel, memory, p.i)
        ]
    )
    return (model, CapacitorMemory())
end

function initCapacitor!(instantiatedModel, path, ID, parameters; log = false)
    memory = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    memory.C = parameters[:C]
    memory.index = Modia.new_x_segmented_variable!(instantiatedModel, path * ".v", path * ".der(v)",
                                                   parameters[:v0], "V")
    return nothing
end

function openCapacitor!(instantiatedModel, ID)
    memory = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    memory.v = Modia.copy_scalar_x_segmented_value_from_state(instantiatedModel, memory.index)
    return memory
end

capacitorVoltage(memory) = memory.v

function takeCurrent!(instantiatedModel, memory, i)
    Modia.copy_der_x_segmented_value_to_state(instantiatedModel, memory.index, i/memory.C)
    return true
end

HiddenCapacitor = Model(
    _buildFunction = Par(functionName = :(buildCapacitor!)),
    _initSegmentFunction = Par(functionName = :(initCapacitor!)),
    C = 1.0,
    v0 = 0.0,
    p = Pin,
    n = Pin
)

Circuit = Model(
    V = ConstantVoltage | Map(V = 10.0),
    R = Resistor | Map(R = 0.5),
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, C.p)
        (C.n, V.n, ground.p)
    ]
)

hidden = @instantiateModel(Circuit | Map(C = HiddenCapacitor | Map(C = 2.0, v0 = 0.1)), unitless = true)
simulate!(hidden, stopTime = 3.0, tolerance = 1e-8)

twin = @instantiateModel(Circuit | Map(C = Capacitor | Map(C = 2.0, v = Var(init = 0.1))), unitless = true)
simulate!(twin, stopTime = 3.0, tolerance = 1e-8)

difference = maximum(abs.(getValues(hidden, "C.v") - getValues(twin, "C.v")))
println("largest difference of the two voltages: ", difference)
@test difference < 1e-5
plot(hidden, "C.v", prefix = "hidden ")
plot(twin, "C.v", prefix = "twin ", reuse = true)

end
