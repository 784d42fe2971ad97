# A heated tank: a pump, whose speed a PID controller sets, lifts cold water into it; a relay switches the heater; someone opens the tap for 200 s.
#
# Shows: fluid, heat and control in one model: pump curve, pipe that is turbulent and smooth through zero, valve, a tank with level and temperature, anti-windup
# (the pump is at its limit while the tap is open), hysteresis.
# Expect: the level comes back to 0.8 m after the tap is shut, the temperature swings between 320 K and 322 K. SciPy, by pieces between located events:
# 0.3078066 m and 297.72870 K when the tap shuts, 0.8000000 m and 321.34787 K at the end.
using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Control.jl")
include("$(Modia.modelsPath)/Fluid.jl")
include("$(Modia.modelsPath)/Thermal.jl")

Plant = Model(
    well = FixedPressure, pump = Pump | Map(dp0 = 6.0e4u"Pa", q0 = 8.0e-4u"m^3/s"), pipe = Pipe | Map(L = 10.0u"m", D = 0.02u"m", dh = 3.0u"m"), inlet = FixedPressure,
    tank = HeatedTank | Map(A = 0.1u"m^2", h = Var(init = 0.6u"m")), tap = Valve | Map(Kv = 3.0e-3u"m^3/s"), drain = FixedPressure,
    heater = PrescribedHeatFlow, room = Ambient | Map(G = 200.0u"W/K"),
    level = PID | Map(k = 4.0u"1/m", Ti = 60.0u"s", Tt = 20.0u"s", yMin = 0.0, yMax = 1.0, xd = Var(init = 0.0u"m")),
    relay = Relay | Map(uLow = -1.0u"K", uHigh = 1.0u"K", yLow = 0.0u"W", yHigh = 2.0e4u"W"),
    equations = :[
        level.u_s = 0.8u"m"
        level.u_m = tank.h
        pump.n = level.y
        tank.q_in = pipe.q
        tank.T_in = 285.0u"K"
        tap.u = if time > 300.0u"s" && time < 500.0u"s"; 1.0 else 0.0 end
        relay.u = 321.0u"K" - tank.T
        heater.Q_flow = relay.y
    ],
    connect = :[
        (well.port, pump.port_a)
        (pump.port_b, pipe.port_a)
        (pipe.port_b, inlet.port)
        (tank.port, tap.port_a)
        (tap.port_b, drain.port)
        (heater.port, tank.heat, room.port)
    ])

plant = @instantiateModel(Plant)
simulate!(plant, stopTime = 1500.0, tolerance = 1e-8)
plot(plant, ["tank.h", "level.y", "tank.T", "heater.Q_flow"], heading = "Heated tank: level, pump, temperature, heater")

at(name, t) = (k = findlast(getValues(plant, "time") .<= t + 1e-9); getValues(plant, name)[k])
println("when the tap shuts: ", at("tank.h", 500.0), " m, ", at("tank.T", 500.0), " K; at the end: ", getLastValue(plant, "tank.h"), ", ", getLastValue(plant, "tank.T"))
last(name) = getLastValue(plant, name, unit = false)
@test abs(at("tank.h", 500.0) - 0.3078066) < 1e-6 && abs(at("tank.T", 500.0) - 297.72870) < 1e-4
@test abs(last("tank.h") - 0.8) < 1e-6 && abs(last("tank.T") - 321.34787) < 1e-4
