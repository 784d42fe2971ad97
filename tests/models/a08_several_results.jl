# Scenario A8: three rigidly coupled inertias, by a function that returns two residuals and by
# components of the library.
using Modia
using Test

include("$(Modia.modelsPath)/AllModels.jl")

# The torque balance of the two inertias behind the first one.
residuals(J2, J3, wd, tau2, tau3) = (J2*wd - tau2 + tau3, J3*wd - tau3)

free = Map(phi = Var(init = nothing), w = Var(init = nothing))

Coupled = Model(
    # components
    torque = Torque,
    I1 = Inertia | Map(J = 1.1),
    I2 = Inertia | Map(J = 1.2) | free,
    I3 = Inertia | Map(J = 1.3) | free,
    connect = :[
        (torque.flange, I1.flange_a)
        (I1.flange_b, I2.flange_a)
        (I2.flange_b, I3.flange_a)
    ],
    # function
    J1 = 1.1, J2 = 1.2, J3 = 1.3,
    w = Var(init = 0.0), phi = Var(init = 0.0),
    equations = :[
        torque.tau = sin(time)
        tau1 = sin(time)
        w = der(phi)
        J1*der(w) = tau1 - tau2
        (0, 0) = residuals(J2, J3, der(w), tau2, tau3)
    ]
)
coupled = @instantiateModel(Coupled, unitless = true)
simulate!(coupled, stopTime = 2.0, requiredFinalStates =
    [0.3029735305821086, 0.3933746028781303, 0.39337460287813036, 0.3029735305821086])

# Names and order of the states are those of the published program.
@test get_xNames(coupled) == ["I1.phi", "I1.w", "w", "phi"]
