using Modia
include("$(Modia.modelsPath)/Electric.jl")
Circuit = Model(
    R = Resistor | Map(R = 0.5u"Ω"), C = Capacitor | Map(C = 2.0u"F", v = Var(init = 0.1u"V")),
    L = Inductor | Map(L = 0.1u"H"), V = ConstantVoltage | Map(V = 10.0u"V"), ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, L.p)
        (L.n, C.p)
        (C.n, V.n, ground.p)
    ])
c = @instantiateModel(Circuit)
simulate!(c, CVODE_BDF(), stopTime = 1.0u"s", tolerance = 1e-6)
@test length(getValues(c, "C.v")) > 2
