# Scenario A3: array equations whose sizes change between runs of one translated model.
using Modia
using Test

Linear = Model(
    A = parameter | [-1.0 0.0; 0.0 -2.0],
    x = Var(init = [1.0, 2.0]),
    equations = :[der(x) = A*x]
)
linear = @instantiateModel(Linear)
simulate!(linear, stopTime = 2, requiredFinalStates = [0.13533533463680386, 0.036632273646086545])
simulate!(linear, stopTime = 2,
          merge = Map(A = [-1.0 0.0 0.0; 0.0 -2.0 0.0; 0.0 0.0 -3.0], x = [1.1, 2.1, 3.1]),
          requiredFinalStates = [0.14886882881582736, 0.038462894626776434, 0.00768439894426358])

Static = Model(
    A = parameter | SMatrix{2,2}([-1.0 0.0; 0.0 -2.0]),
    x = Var(init = SVector{2}(1.0, 2.0)),
    equations = :[der(x) = A*x]
)
static = @instantiateModel(Static)
simulate!(static, stopTime = 2, requiredFinalStates = [0.13533533463680386, 0.036632273646086545])

# Names and order of the states are those of the published program.
@test get_xNames(linear) == ["x[1]", "x[2]", "x[3]"]
@test get_xNames(static) == ["x[1]", "x[2]"]
