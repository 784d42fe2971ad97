# Water: two tanks that level out, one that runs empty through a hole, a main that starts to flow, and a pump that fills an accumulator
#
# Shows: tanks, laminar and rough pipes, an orifice, a gas accumulator behind a displacement pump, and a part of one's own with the connector of the library.
# Expect: exponential, parabola (Torricelli), the balance of Haaland's formula, and an adiabatic pressure, each by hand.
module WaterWorks

using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Fluid.jl")
near(a, b, eps = 1e-6) = abs(a - b) <= eps*max(abs(b), 1e-30)
last(m, name) = getLastValue(m, name, unit = false)

# Levels approach each other with the time constant A/2 * 128 mu L/(pi D^4 rho g).
Level = Model(a = Tank | Map(A = 0.02u"m^2", h = Var(init = 0.8u"m")), pipe = LaminarPipe | Map(L = 2.0u"m", D = 0.004u"m"), b = Tank | Map(A = 0.02u"m^2", h = Var(init = 0.2u"m")), connect = :[(a.port, pipe.port_a); (pipe.port_b, b.port)])
level = @instantiateModel(Level)
simulate!(level, stopTime = 3600.0, tolerance = 1e-9)
plot(level, [("a.h", "b.h"), "pipe.q"], heading = "Two tanks level out")
T = 0.01*128*1e-3*2.0/(pi*0.004^4*1000*9.81)
println("after an hour ", round(last(level, "a.h"), digits = 6), " m, by hand ", round(0.5 + 0.3*exp(-3600/T), digits = 6), " m (time constant ", round(T), " s)")
@test near(last(level, "a.h"), 0.5 + 0.3*exp(-3600/T), 1e-7)

# A float valve of one's own lets in what is missing to 1 m, 1 l/s at most.
Float = Model(port = FluidPort, full = 1.0e4u"Pa", most = 1.0e-3u"m^3/s", equations = :[port.q = -most*(if port.p < full; 1 - port.p/full else 0.0 end)])
Drain = Model(tank = Tank | Map(A = 0.5u"m^2", h = Var(init = 1.0u"m")), hole = Orifice | Map(A = 2.0e-4u"m^2", Re_t = 1.0e-3), out = FixedPressure, connect = :[(tank.port, hole.port_a); (hole.port_b, out.port)])
drain = @instantiateModel(Drain)
simulate!(drain, stopTime = 600.0, tolerance = 1e-9)
h = (1 - 0.62*2.0e-4/0.5*sqrt(9.81/2)*600)^2
println("after 10 min ", round(last(drain, "tank.h"), digits = 6), " m, Torricelli ", round(h, digits = 6), " m")
@test near(last(drain, "tank.h"), h, 1e-5)
fed = @instantiateModel(Drain | Model(float = Float, connect = :[(tank.port, hole.port_a, float.port); (hole.port_b, out.port)]))
simulate!(fed, stopTime = 20000.0, tolerance = 1e-8)
rest = last(fed, "tank.h")
@test near(0.62*2.0e-4*sqrt(2*9.81*rest), 1.0e-3*(1 - 9810*rest/1.0e4), 1e-5)

# A main of 100 m and 80 mm under 5 m of water: where its losses are the pressure, by Haaland's formula and bisection.
Main = Model(top = FixedPressure | Map(p = 49050.0u"Pa"), pipe = RoughPipe | Map(L = 100.0u"m", D = 0.08u"m", k = 5.0e-4, zeta = 1.5), out = FixedPressure, connect = :[(top.port, pipe.port_a); (pipe.port_b, out.port)])
main = @instantiateModel(Main)
simulate!(main, stopTime = 100.0, tolerance = 1e-8)
function steady()
    lo, hi = 1e-6, 1.0
    for k in 1:80
        q = 0.5*(lo + hi)
        v = 4*q/(pi*0.08^2)
        f = 1/(1.8*log10((5e-4/3.7)^1.11 + 6.9/(1000*v*0.08/1e-3)))^2
        if (f*100/0.08 + 1.5)*500*v^2 < 49050; lo = q else hi = q end
    end
    return lo
end
println("the main carries ", round(1000*last(main, "pipe.q"), digits = 5), " l/s, by hand ", round(1000*steady(), digits = 5), " l/s")
@test near(last(main, "pipe.q"), steady(), 1e-5)
# It starts with dp A/(rho L): an instant after the beginning there are no losses yet.
simulate!(main, stopTime = 0.01, tolerance = 1e-9)
@test near(last(main, "pipe.q"), 49050*pi*0.08^2/4/(1000*100)*0.01, 1e-2)

# A pump of 5 cm^3 per turn at 1500 rpm for 6 s into a gas bubble: p = (p0 + pa)(V0/(V0 - V))^1.4 - pa.
Charge = Model(oil = FixedPressure, pump = DisplacementPump | Map(V = 5.0e-6u"m^3"), bladder = Accumulator | Map(V0 = 0.002u"m^3", p0 = 2.0e6u"Pa"), equations = :[pump.w = 50*pi*u"rad/s"], connect = :[(oil.port, pump.port_a); (pump.port_b, bladder.port)])
charge = @instantiateModel(Charge)
simulate!(charge, stopTime = 6.0, tolerance = 1e-9)
p = 2.1e6*(0.002/(0.002 - 25*5e-6*6))^1.4 - 1e5
println("pressure ", round(last(charge, "bladder.port.p")/1e5, digits = 4), " bar, by hand ", round(p/1e5, digits = 4), " bar; torque ", round(last(charge, "pump.tau"), digits = 4), " N m")
@test near(last(charge, "bladder.port.p"), p, 1e-7) && near(last(charge, "pump.tau"), 5e-6/(2*pi)*p, 1e-7)

end
