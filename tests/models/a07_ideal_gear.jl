# Scenario A7: two inertias and an ideal gear; the torque steps are located as time events.
using Modia
using Test

Gear = Model(
    J1 = 0.0025, J2 = 170.0, r = 105.0, tau_max = 1.0,
    phi2 = Var(init = 0.5), w2 = Var(init = 0.0),
    equations = :[
        phi1 = r*phi2
        tau = if time < 1; tau_max elseif time < 2; 0.0 elseif time < 3; -tau_max else 0.0 end
        w1 = der(phi1)
        w2 = der(phi2)
        J1*der(w1) = tau - tau1
        J2*der(w2) = tau2
        r*tau1 = tau2
    ]
)
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
