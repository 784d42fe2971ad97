# A capacitor is charged by a source that another tool controls: an FMU in a circuit.
#
# Shows: FMU, a program of another tool as a component, with parameters and arrays as inputs and outputs, in model
# exchange and in co-simulation. The FMU is StateSpace of the FMI project's Reference FMUs (version 3.0), x' = A*x + B*u,
# y = C*x + D*u; with these matrices it is a PI controller. It lies beside this file, or its name is the first argument:
#     segue run --allow-fmu --allow-read DIR examples/fmu/charger.jl -- DIR/StateSpace.fmu
# Expect: the voltage of the capacitor goes to 1 V, as with the same controller written in equations.
using Modia
using Test
@usingModiaPlot

include("$(Modia.modelsPath)/Electric.jl")

file = length(ARGS) > 0 ? ARGS[1] : "StateSpace.fmu"
kp, ki = 2.0, 5.0
unit(k) = [k, 0, 0, 0, 0, 0, 0, 0, 0]  # a matrix by rows whose first element is k

Circuit = Model(
    source = UnitlessSignalVoltage,
    R = Resistor | Map(R = 100.0u"Ω"),
    C = Capacitor | Map(C = 1.0u"mF", v = Var(init = 0.0u"V")),
    ground = Ground,
    connect = :[
        (source.p, R.p)
        (R.n, C.p)
        (C.n, source.n, ground.p)
    ]
)

controller(kind; more...) = FMU(file; kind = kind, A = unit(0.0), B = unit(ki), C = unit(1.0), D = unit(kp), more...)

Charger = Model(
    circuit = Circuit,
    pi = controller(:me),
    equations = :[
        pi.u = [1.0 - circuit.C.v/u"V", 0.0, 0.0]
        circuit.source.v = pi.y[1]
    ]
)
charger = @instantiateModel(Charger)
simulate!(charger, stopTime = 1.0, tolerance = 1e-7)

# Co-simulation with an integrator inside of the FMU that takes a step a second: this one is only as good as that.
Sampled = Charger | Map(pi = controller(:cs, step = 1.0))
sampled = @instantiateModel(Sampled)
simulate!(sampled, stopTime = 10.0, tolerance = 1e-7)

# The same in equations.
Twin = Model(
    circuit = Circuit,
    x = Var(init = 0.0),
    e = Var(),
    equations = :[
        e = 1.0 - circuit.C.v/u"V"
        der(x) = ki*e/u"s"
        circuit.source.v = x + kp*e
    ]
) | Map(ki = ki, kp = kp)
twin = @instantiateModel(Twin)
simulate!(twin, stopTime = 1.0, tolerance = 1e-7)

v, own = getLastValue(charger, "circuit.C.v"), getLastValue(twin, "circuit.C.v")
println("model exchange: ", v, ", in equations: ", own)
@test abs(v - own) < 1e-5u"V"
println("sampled: ", getLastValue(sampled, "circuit.C.v"))
plot(charger, [("circuit.C.v",), ("pi.y",)])
