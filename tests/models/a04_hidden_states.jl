# Scenario A4: a linear state space component that brings its own states; their number changes by
# merging new matrices.
using Modia
using Test

mutable struct LinearMemory
    path
    A
    B
    C
    W
    x
    der_x
    y
    index
    w_index
    LinearMemory() = new("", nothing, nothing, nothing, nothing, Float64[], Float64[], Float64[], 0, 0)
end

function buildLinear!(model, modelModule, FloatType, TimeType, options, ID, path)
    model = model | Model(
        ls = Var(hideResult = true),
        success = Var(hideResult = true),
        equations = :[
            ls = openLinear!(instantiatedModel, $ID)
            y = outputsLinear(ls)
            success = derivativesLinear!(instantiatedModel, ls, u)
        ]
    )
    return (model, LinearMemory())
end

function initLinear!(instantiatedModel, path, ID, parameters; log = false)
    ls = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    ls.path = path
    ls.A = parameters[:A]
    ls.B = parameters[:B]
    ls.C = parameters[:C]
    ls.W = parameters[:W]
    ls.x = copy(parameters[:x_init])
    ls.der_x = zeros(length(ls.x))
    ls.index = Modia.new_x_segmented_variable!(instantiatedModel, path * ".x", path * ".der(x)", ls.x)
    ls.w_index = Modia.new_w_segmented_variable!(instantiatedModel, path * ".w", ls.W*ls.x)
    return nothing
end

function openLinear!(instantiatedModel, ID)
    ls = Modia.get_instantiatedSubmodel(instantiatedModel, ID)
    Modia.copy_Vector_x_segmented_value_from_state(instantiatedModel, ls.index, ls.x)
    return ls
end

outputsLinear(ls) = (ls.C*ls.x)[1]

function derivativesLinear!(instantiatedModel, ls, u)
    ls.der_x = ls.A*ls.x + ls.B*u
    Modia.copy_der_x_segmented_value_to_state(instantiatedModel, ls.index, ls.der_x)
    if Modia.storeResults(instantiatedModel)
        Modia.copy_w_segmented_value_to_result(instantiatedModel, ls.w_index, ls.W*ls.x)
    end
    return true
end

LinearStateSpace(; kwargs...) = Model(;
    _buildFunction = Par(functionName = :(buildLinear!)),
    _initSegmentFunction = Par(functionName = :(initLinear!)),
    u = input, y = output, kwargs...)

Plant = Model(
    ss = LinearStateSpace(A = [-5.0;;], B = [5.0], C = [0.9;;], W = [1.1;;], x_init = [0.2]),
    equations = :[ss.u = 2.0]
)
plant = @instantiateModel(Plant, unitless = true)
simulate!(plant, stopTime = 1.0, requiredFinalStates = [1.987867388853733])
simulate!(plant, stopTime = 1.0,
          merge = Map(ss = Map(A = [-5.0 0.0; 0.0 -5.0], B = [5.0, 5.0], C = [0.5 0.5],
                               W = [0.1 0.2; 0.3 0.4; 0.5 0.6], x_init = [0.3, 0.4])),
          requiredFinalStates = [1.9885454901015547, 1.9892145443000466])
@test size(getValues(plant, "ss.w"), 2) == 3
@test get_xNames(plant) == ["ss.x[1]", "ss.x[2]"]

# Run 3: the component inside of a submodel, beside states of the equations of all kinds; x2 has no
# start value and therefore starts at zero.
Sub = Model(
    ss = LinearStateSpace(A = [-5.0;;], B = [5.0], C = [0.9;;], W = [1.1;;], x_init = [0.2]),
    x1 = Var(init = 1.1), x3 = Var(init = [0.5, 0.6, 0.7]), x4 = Var(init = [0.8, 0.9]),
    equations = :[
        ss.u = 2.1
        der(x1) = -x1
        der(x2) = -x2
        der(x3) = -x3
        der(x4) = -x4
    ]
)
Outer = Model(
    submodel = Sub,
    ss = LinearStateSpace(A = [-5.0 0.0; 0.0 -5.0], B = [5.0, 5.0], C = [0.5 0.5],
                          W = [0.1 0.2; 0.3 0.4; 0.5 0.6], x_init = [0.3, 0.4]),
    equations = :[ss.u = 2.0]
)
outer = @instantiateModel(Outer, unitless = true)
decay = exp(-1.0)
fast(x0, u) = u + (x0 - u)*exp(-5.0)
simulate!(outer, stopTime = 1.0, tolerance = 1e-8)
@test isapprox(getLastValue(outer, "submodel.x1"), 1.1*decay, rtol = 1e-6)
@test getLastValue(outer, "submodel.x2") == 0.0
@test isapprox(getLastValue(outer, "submodel.x3"), [0.5, 0.6, 0.7]*decay, rtol = 1e-6)
@test isapprox(getLastValue(outer, "submodel.x4"), [0.8, 0.9]*decay, rtol = 1e-6)
@test isapprox(getLastValue(outer, "submodel.ss.x"), [fast(0.2, 2.1)], rtol = 1e-6)
@test isapprox(getLastValue(outer, "ss.x"), [fast(0.3, 2.0), fast(0.4, 2.0)], rtol = 1e-6)
# The hidden states come behind those of the equations.
@test get_xNames(outer)[1:2] == ["submodel.x1", "submodel.x2"]
@test get_xNames(outer)[end-2:end] == ["submodel.ss.x[1]", "ss.x[1]", "ss.x[2]"] ||
      get_xNames(outer)[end-2:end] == ["ss.x[1]", "ss.x[2]", "submodel.ss.x[1]"]

# Run 4: other sizes by merging, without a new translation.
simulate!(outer, stopTime = 1.0, tolerance = 1e-8,
          merge = Map(submodel = Map(x4 = [0.85]),
                      ss = Map(A = [-5.0 0.0 0.0; 0.0 -5.0 0.0; 0.0 0.0 -5.0], B = [5.0, 5.0, 5.0],
                               C = [0.5 0.5 0.5], W = [0.1 0.2 0.3; 0.3 0.4 0.5; 0.5 0.6 0.7],
                               x_init = [0.35, 0.45, 0.55])))
@test isapprox(getLastValue(outer, "submodel.x4"), [0.85]*decay, rtol = 1e-6)
@test isapprox(getLastValue(outer, "ss.x"), [fast(0.35, 2.0), fast(0.45, 2.0), fast(0.55, 2.0)], rtol = 1e-6)
@test getParameter(outer, "submodel.x4") == [0.85]
@test getParameter(outer, "ss.x_init") == [0.35, 0.45, 0.55]
@test getEvaluatedParameter(outer, "submodel.x4") == [0.85]
@test size(getEvaluatedParameter(outer, "ss.A")) == (3, 3)
@test ismissing(getParameter(outer, "ss.nothing"))

# A complete new instance may be merged, too: what it declares is there already, its values count.
simulate!(plant, stopTime = 1.0,
          merge = Map(ss = LinearStateSpace(A = [-5.0 0.0; 0.0 -5.0], B = [5.0, 5.0], C = [0.5 0.5],
                                            W = [0.1 0.2; 0.3 0.4; 0.5 0.6], x_init = [0.3, 0.4])),
          requiredFinalStates = [1.9885454901015547, 1.9892145443000466])
