# Scenario A5: a state space block whose matrices are parameters, given by value or by expression.
using Modia
using Test

include("$(Modia.modelsPath)/Blocks.jl")

Second = Model(
    w = 20.0,
    D = 0.1,
    sys = StateSpace | Map(A = :([0.0 1.0; -w^2 -2*D*w]),
                           B = :([0.0; w^2]),
                           C = [1.0 0.0],
                           D = zeros(1),
                           x = Var(init = zeros(2))),
    equations = :[sys.u = 1.0]
)
second = @instantiateModel(Second, unitless = true)
simulate!(second, stopTime = 1, merge = Map(D = 0.3),
          requiredFinalStates = [0.9974089572681231, 0.011808652820321723])

Given = Model(
    sys = StateSpace | Map(A = [0.0 1.0; -100.0 -12.0],
                           B = [0.0; 400.0],
                           C = [1.0 0.0],
                           D = zeros(1),
                           x = Var(init = zeros(2))),
    equations = :[sys.u = 1.0]
)
given = @instantiateModel(Given, unitless = true)
simulate!(given, Tsit5(), stopTime = 1, merge = Map(sys = Map(A = [0.0 1.0; -400.0 -12.0])),
          requiredFinalStates = [0.9974089572681231, 0.011808652820321723])
simulate!(given, Tsit5(), stopTime = 1, merge = Map(sys = Map(x = [1.0, 1.0])),
          requiredFinalStates = [1.0000295203337868, 0.0022367686372974493])

# Names and order of the states are those of the published program.
@test get_xNames(second) == ["sys.x[1]", "sys.x[2]"]
@test get_xNames(given) == ["sys.x[1]", "sys.x[2]"]
