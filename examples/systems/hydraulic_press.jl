# A hand-pumped press: a piston that swings pushes oil through a check valve into a cylinder, which presses a ram onto an elastic workpiece; a second check valve lets oil
# follow from the tank, and a relief valve opens at 100 bar.
#
# Shows: two check valves as lines of two pieces that open and shut in turn, oil with a bulk modulus, a ram with a mass, and a gap that closes.
# Expect: the ram comes down stroke by stroke, touches after 10 mm, and the pressure climbs until the relief valve lets go. SciPy, with the same oil and valves as functions:
# 9.549926 mm after 3 s, 29.999831 mm and 9.999911 MPa at the end.
using Modia
using Test
@usingModiaPlot
include("$(Modia.modelsPath)/Fluid.jl")
include("$(Modia.modelsPath)/LinearMotion.jl")

Press = Model(
    tank = FixedPressure, hand = PrescribedFlow, chamber = FluidVolume | Map(V = 2.0e-5u"m^3"),
    suction = CheckValve | Map(G = 2.0e-10u"m^3/(s*Pa)"), delivery = CheckValve | Map(G = 2.0e-10u"m^3/(s*Pa)"),
    relief = ReliefValve | Map(dp_open = 1.0e7u"Pa"),
    cylinder = Cylinder1 | Map(A = 2.0e-3u"m^2", V0 = 1.0e-4u"m^3"),
    ram = TranslationalMass | Map(m = 50.0u"kg"), guide = LinearDamper | Map(d = 2.0e4u"N*s/m"), workpiece = ElastoGap | Map(c = 1.0e6u"N/m", d = 0.0u"N*s/m", s_rel0 = 0.0u"m"), frame = FixedPosition, anvil = PositionSource,
    equations = :[
        hand.q = 2.0e-5u"m^3/s"*sin(2*pi*time/u"s")
        anvil.s = 0.01u"m"
    ],
    connect = :[
        (hand.port, chamber.port, suction.port_b, delivery.port_a)
        (suction.port_a, relief.port_b, tank.port)
        (delivery.port_b, cylinder.port, relief.port_a)
        (cylinder.flange, ram.flange_a, guide.flange_b)
        (guide.flange_a, frame.flange)
        (ram.flange_b, workpiece.flange_a)
        (workpiece.flange_b, anvil.flange)
    ])

press = @instantiateModel(Press)
simulate!(press, stopTime = 20.0, tolerance = 1e-8)
plot(press, ["ram.s", "cylinder.p", ("suction.q", "delivery.q")], heading = "Press: ram, pressure, flow through both valves")

at(name, t) = (k = findlast(getValues(press, "time") .<= t + 1e-9); getValues(press, name)[k])
println("after 3 s: ", at("cylinder.p", 3.0), " Pa, ", at("ram.s", 3.0), " m; at the end: ", getLastValue(press, "cylinder.p"), ", ", getLastValue(press, "ram.s"))
@test abs(at("ram.s", 3.0) - 9.549926e-3) < 1e-8 && abs(getLastValue(press, "ram.s", unit = false) - 29.999831e-3) < 1e-8
@test abs(getLastValue(press, "cylinder.p", unit = false) - 9.999911e6) < 5
