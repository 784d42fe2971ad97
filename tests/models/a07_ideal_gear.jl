# Scenario A7: two inertias and an ideal gear; the torque steps are located as time events.
using Modia
using Test

include("scenes/gear.jl")

gear = @instantiateModel(Gear, unitless = true)
exact = [1.562954761152, 0.0]
simulate!(gear, Tsit5(), stopTime = 4.0, requiredFinalStates = exact, requiredFinalStates_rtol = 1e-6)
simulate!(gear, IDA(), stopTime = 4.0, nlinearMinForDAE = 1, requiredFinalStates = exact,
          requiredFinalStates_rtol = 1e-5)
simulate!(gear, stopTime = 4.0, requiredFinalStates = exact, requiredFinalStates_rtol = 1e-5)

(A0, x0) = linearize!(gear, stopTime = 0, analytic = false)
(A4, x4) = linearize!(gear, stopTime = 4)
@test isapprox(A0, [0.0 1.0; 0.0 0.0], atol = 1e-6)
@test isapprox(A4, [0.0 1.0; 0.0 0.0], atol = 1e-6)

# Names and order of the states are those of the published program.
@test get_xNames(gear) == ["phi2", "w2"]
