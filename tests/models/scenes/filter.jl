# A voltage source charges a capacitor through a resistor (scenarios A9, A10).
using Modia
include("$(Modia.modelsPath)/Electric.jl")

Filter = Model(
    R = Resistor | Map(R = 0.5u"Ω"),
    C = Capacitor | Map(C = 2.0u"F", v = Var(init = 0.1u"V")),
    V = ConstantVoltage | Map(V = 10.0u"V"),
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, C.p)
        (C.n, V.n, ground.p)
    ]
)
