# Every component of HeatTransfer.jl against its closed form. The rods are held to the eigenvectors of
# their own cells, and, with many of them, to the Fourier series of the rod in analytic_rod.jl.
using Modia
using Test

include("$(Modia.modelsPath)/HeatTransfer.jl")

close(a, b) = isapprox(ustrip(a), b, rtol = 1e-6)
final(m, name) = getLastValue(m, name)

# FixedTemperature, ThermalConductor, HeatCapacitor: a lag. Heat into a component is positive.
Lag = Model(
    source = FixedTemperature | Map(T = 400.0u"K"),
    G = ThermalConductor | Map(G = 5.0u"W/K"),
    C = HeatCapacitor | Map(C = 20.0u"J/K", T = Var(init = 300.0u"K")),
    connect = :[
        (source.port, G.port_a)
        (G.port_b, C.port)
    ]
)
lag = @instantiateModel(Lag)
simulate!(lag, stopTime = 6.0, tolerance = 1e-9)
T = 400 - 100*exp(-6.0*5.0/20.0)
@test close(final(lag, "C.T"), T)
@test close(final(lag, "G.port_a.Q_flow"), 5.0*(400 - T))
@test close(final(lag, "C.port.Q_flow"), 5.0*(400 - T))
@test close(final(lag, "source.port.Q_flow"), -5.0*(400 - T))

# FixedHeatFlow into a capacity rises without end; into a conductor it raises the temperature at once.
Heater = Model(
    heater = FixedHeatFlow | Map(Q_flow = 50.0u"W"),
    C = HeatCapacitor | Map(C = 20.0u"J/K", T = Var(init = 300.0u"K")),
    heater2 = FixedHeatFlow | Map(Q_flow = 50.0u"W"),
    G = ThermalConductor | Map(G = 5.0u"W/K"),
    cold = FixedTemperature | Map(T = 290.0u"K"),
    connect = :[
        (heater.port, C.port)
        (heater2.port, G.port_a)
        (G.port_b, cold.port)
    ]
)
heater = @instantiateModel(Heater)
simulate!(heater, stopTime = 4.0)
@test close(final(heater, "C.T"), 310.0)
@test close(final(heater, "G.port_a.T"), 300.0)

# Two cells between a hot and an insulated end: both rods, against the solution by eigenvalues.
rod_values(cells) = Model(
    hot = FixedTemperature | Map(T = 393.15u"K"),
    closed = FixedHeatFlow,
    rod = cells,
    connect = :[
        (hot.port, rod.port_a)
        (rod.port_b, closed.port)
    ]
)
visible = @instantiateModel(rod_values(InsulatedRod | Map(T = Var(init = [293.15, 293.15]u"K"))))
hidden = @instantiateModel(rod_values(InsulatedRod2 | Map(nT = 2)))
k = 74.0/(450.0*7500.0*0.5^2)
# d = T - 393.15: d' = k*[-3 1; 1 -1]*d, with eigenvalues -2 +- sqrt(2). An insulated end loses nothing.
l1, l2 = -2 + sqrt(2.0), -2 - sqrt(2.0)
t = 5000.0
# d = c1*[1, 1 + sqrt(2)]*e^(l1*k*t) + c2*[1, 1 - sqrt(2)]*e^(l2*k*t), d(0) = -100*[1, 1]
c2 = -100*sqrt(2.0)/(2*sqrt(2.0))
c1 = -100 - c2
exact = [393.15 + c1*exp(l1*k*t) + c2*exp(l2*k*t),
         393.15 + c1*(1 + sqrt(2.0))*exp(l1*k*t) + c2*(1 - sqrt(2.0))*exp(l2*k*t)]
for rod in [visible, hidden]
    simulate!(rod, stopTime = t, tolerance = 1e-9)
    @test isapprox(ustrip.(final(rod, "rod.T")), exact, rtol = 1e-7)
    @test close(final(rod, "rod.port_a.Q_flow"), 74.0*0.0004*(393.15 - exact[1])/0.25)
end
