# Two inertias that an ideal gear ties together.
#
# Shows: connections between library components. The gear is rigid, so two of the four states that
# the inertias bring along follow from the others (index two); they are eliminated.
# Expect: a torque of 10 N*m for half a second; the load side turns ten times slower.
using Modia
@usingModiaPlot
include("$(Modia.modelsPath)/AllModels.jl")

Drive = Model(
    motor = Inertia | Map(J = 0.01u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)),
    load = Inertia | Map(J = 2.0u"kg*m^2"),
    gear = IdealGear | Map(ratio = 10.0),
    torque = UnitlessTorque | Map(tau = :(if time < 0.5u"s"; 10.0 else 0.0 end)),
    connect = :[
        (torque.flange, motor.flange_a)
        (motor.flange_b, gear.flange_a)
        (gear.flange_b, load.flange_a)
    ]
)
drive = @instantiateModel(Drive)
simulate!(drive, stopTime = 1.0, requiredFinalStates = [12.5, 50/3])
plot(drive, [("motor.w", "load.w"), "load.phi"])
