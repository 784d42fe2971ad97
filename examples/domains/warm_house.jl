# Heat in a house: a room behind a wall in the cold of a day, a plate that glows, a pipe with a fan, and a bar between two baths
#
# Shows: prescribed temperatures and heat flows, convection that is fixed and that a signal changes, radiation, sensors, and a bar whose number of cells is chosen for each run.
# Expect: the room follows the day by the gain 1/sqrt(1 + (w T)^2); a hot plate cools by radiation as 1/T^3 grows linearly; each by hand.
module WarmHouse

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Thermal.jl")
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(1.0, abs(b))
last(m, name) = getLastValue(m, name, unit = false)

day = 86400.0
House = Model(outside = PrescribedTemperature, film = Convection | Map(A = 100.0u"m^2", alpha = 20.0u"W/(m^2*K)"), wall = Wall | Map(A = 100.0u"m^2", d = 0.3u"m", lambda = 0.1u"W/(m*K)"), meter = HeatFlowSensor, room = HeatCapacitor | Map(C = 2.0e6u"J/K", T = Var(init = 293.15u"K")), stove = PrescribedHeatFlow, shown = TemperatureSensor,
              equations = :[outside.T = 273.15u"K" + 8.0u"K"*sin(2*pi*time/86400.0u"s"); stove.Q_flow = 700.0u"W"],
              connect = :[(outside.port, film.port_a); (film.port_b, wall.port_a); (wall.port_b, meter.port_a); (meter.port_b, room.port, stove.port, shown.port)])
house = @instantiateModel(House)
simulate!(house, stopTime = 10*day, tolerance = 1e-8, interval = 600.0)
plot(house, [("outside.port.T", "shown.T"), "meter.Q_flow"], heading = "A house for ten days: temperatures outside and inside, heat that comes in")
G = 1/(1/2000 + 0.3/(100*0.1))
gain = 1/sqrt(1 + (2*pi/day*2.0e6/G)^2)
temperatures = getValues(house, "shown.T", unit = false)
late = temperatures[findall(getValues(house, "time", unit = false) .> 9*day)]
println("inside ", round(0.5*(maximum(late) + minimum(late)) - 273.15, digits = 4), " C and ", round(0.5*(maximum(late) - minimum(late)), digits = 4), " K of the 8 K outside; by hand ", round(700/G, digits = 4), " and ", round(8*gain, digits = 4))
@test near(0.5*(maximum(late) + minimum(late)), 273.15 + 700/G, 1e-4) && near(0.5*(maximum(late) - minimum(late)), 8*gain, 1e-3)

# A plate at 1200 K in the empty cold: T^-3 = T0^-3 + 3 eps sigma A t/C.
Plate = Model(plate = HeatCapacitor | Map(C = 500.0u"J/K", T = Var(init = 1200.0u"K")), glow = Radiation | Map(A = 0.1u"m^2", eps = 0.8), space = FixedTemperature | Map(T = 0.0u"K"), connect = :[(plate.port, glow.port_a); (glow.port_b, space.port)])
plate = @instantiateModel(Plate)
simulate!(plate, stopTime = 300.0, tolerance = 1e-9)
T = (1200.0^-3 + 3*0.8*5.670374419e-8*0.1*300/500)^(-1/3)
println("the plate has ", round(last(plate, "plate.T"), digits = 5), " K, by hand ", round(T, digits = 5), " K")
@test near(last(plate, "plate.T"), T, 1e-7)

# A cooler whose fan runs faster the hotter it is: C T' = P - (g0 + g1 (T - Ta))(T - Ta), which ends where the quadratic does.
Cooler = Model(chip = HeatCapacitor | Map(C = 50.0u"J/K"), power = FixedHeatFlow | Map(Q_flow = 60.0u"W"), fan = SignalConvection, air = FixedTemperature, equations = :[fan.Gc = 0.5u"W/K" + 0.02u"W/K^2"*(chip.T - 293.15u"K")], connect = :[(chip.port, power.port, fan.port_a); (fan.port_b, air.port)])
cooler = @instantiateModel(Cooler)
simulate!(cooler, stopTime = 600.0, tolerance = 1e-9)
@test near(last(cooler, "chip.T"), 293.15 + (-0.5 + sqrt(0.25 + 4*0.02*60))/(2*0.02), 1e-6)

# A bar of steel from 100 C to 0 C, 20 cells and then 60: a straight line in the end, and lambda A dT/L of heat.
Bar = Model(hot = FixedTemperature | Map(T = 373.15u"K"), bar = InsulatedRod | Map(T = Var(init = fill(273.15, 20)*u"K")), cold = FixedTemperature | Map(T = 273.15u"K"), connect = :[(hot.port, bar.port_a); (bar.port_b, cold.port)])
bar = @instantiateModel(Bar)
for n in [20, 60]
    simulate!(bar, stopTime = 2.0e5, tolerance = 1e-8, merge = Map(bar = Map(T = Var(init = fill(273.15, n)*u"K"))))
    local T = last(bar, "bar.T")
    println(n, " cells: ", round(-last(bar, "hot.port.Q_flow"), digits = 6), " W of heat, by hand ", 74*0.0004*100)
    @test length(T) == n && near(T[1], 373.15 - 50/n, 1e-6) && near(-last(bar, "hot.port.Q_flow"), 2.96, 1e-5)
end

end
