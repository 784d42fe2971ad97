# A car starts: the engine runs idle, the clutch closes within 1.5 s, the tyres slip a little and push the car against the air.
#
# Shows: a friction clutch that slips and then sticks (no time constant, no creeping), a gear, a tyre with Pacejka's formula, and drag.
# Expect: the clutch sticks from 0.9 s on, and stays shut; the car is at 9 m/s after 6 s. SciPy, which solves slipping and sticking as two models one after the other,
# has the clutch shut at 0.8987270 s, and 9.0629791 m/s and 32.384196 m at the end.
using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Driveline.jl")
include("$(Modia.modelsPath)/LinearMotion.jl")

Car = Model(
    engine = Inertia | Map(J = 0.2u"kg*m^2", w = Var(init = 120.0u"rad/s")), torque = Torque,
    clutch = Clutch | Map(tau_c = 250.0u"N*m", tau_s = 250.0u"N*m"),
    gearbox = Inertia | Map(J = 0.02u"kg*m^2"), gear = IdealGear | Map(ratio = 12.0),
    axle = Inertia | Map(J = 2.0u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)), tyre = Tyre | Map(N = 6000.0u"N"),
    body = TranslationalMass | Map(m = 1200.0u"kg"), air = DragForce,
    equations = :[
        torque.tau = 80.0u"N*m" - 0.2u"N*m*s/rad"*(engine.w - 120.0u"rad/s")
        clutch.u = if time < 1.5u"s"; time/1.5u"s" else 1.0 end
    ],
    connect = :[
        (torque.flange, engine.flange_a)
        (engine.flange_b, clutch.flange_a)
        (clutch.flange_b, gearbox.flange_a)
        (gearbox.flange_b, gear.flange_a)
        (gear.flange_b, axle.flange_a)
        (axle.flange_b, tyre.flange)
        (tyre.road, body.flange_a)
        (body.flange_b, air.flange)
    ])

car = @instantiateModel(Car)
simulate!(car, stopTime = 6.0, tolerance = 1e-9)
plot(car, [("engine.w", "gearbox.w"), "clutch.tau", "body.v"], heading = "A car starts: speeds at the clutch, its torque, speed of the car")

slip = getValues(car, "clutch.w_rel")
shut = getValues(car, "time")[findfirst(abs.(slip) .< 1e-6)]
println("shut at ", shut, " s; at the end ", getLastValue(car, "body.v"), " and ", getLastValue(car, "body.s"))
@test maximum(abs.(slip[findall(getValues(car, "time") .> shut)])) < 1e-6
@test abs(shut - 0.8987270) < 1e-6
@test abs(getLastValue(car, "body.v", unit = false) - 9.0629791) < 1e-6
@test abs(getLastValue(car, "body.s", unit = false) - 32.384196) < 1e-5
