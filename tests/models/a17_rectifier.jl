# Scenario A17: rectifiers with ideal diodes: conditions inside linear systems.
using Modia
using Test

include("$(Modia.modelsPath)/Electric.jl")

SineVoltage = OnePort | Model(V = 1.0, f = 1.0, equations = :[v = V*sin(2*3.14*f*time)])
IdealDiode = OnePort | Model(
    Ron = 1e-5, Goff = 1e-5, s = Var(start = 0.0),
    equations = :[
        closed = positive(s)
        v = s*(if closed; Ron else 1.0 end)
        i = s*(if closed; 1.0 else Goff end)
    ]
)

HalfWave = Model(
    V = SineVoltage | Map(V = 5.0, f = 1.5),
    R = Resistor | Map(R = 1.0),
    D = IdealDiode,
    Rload = Resistor | Map(R = 10.0),
    C = Capacitor | Map(C = 0.1, v = Var(init = 0.0)),
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, D.p)
        (D.n, C.p, Rload.p)
        (V.n, C.n, Rload.n, ground.p)
    ]
)
halfWave = @instantiateModel(HalfWave, unitless = true)
simulate!(halfWave, Tsit5(), stopTime = 3, tolerance = 1e-6, requiredFinalStates = [3.509663836166844])

Bridge = Model(
    V = SineVoltage | Map(V = 220.0, f = 50.0),
    R = Resistor | Map(R = 20.0),
    D1 = IdealDiode, D2 = IdealDiode, D3 = IdealDiode, D4 = IdealDiode,
    Rload = Resistor | Map(R = 500.0),
    C = Capacitor | Map(C = 1e-4, v = Var(init = 0.0)),
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, D1.p, D2.n)
        (V.n, D3.p, D4.n)
        (D1.n, D3.n, C.p, Rload.p)
        (D2.p, D4.p, C.n, Rload.n, ground.p)
    ]
)
bridge = @instantiateModel(Bridge, unitless = true)
simulate!(bridge, Tsit5(), stopTime = 0.1, tolerance = 1e-8, requiredFinalStates = [183.9899542497182])
simulate!(bridge, stopTime = 0.1, tolerance = 1e-6, requiredFinalStates = [183.9899542497182])

# Names and order of the states are those of the published program.
@test get_xNames(halfWave) == ["C.v"]
@test get_xNames(bridge) == ["C.v"]
