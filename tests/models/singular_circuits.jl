# Circuits and drive trains whose equations are redundant or leave something open: without ground,
# elements in series and in parallel, loops of capacitors, cut sets of inductors. Aliases, redundant
# equations and dependent states are removed exactly; each result is held to a closed form.
using Modia
using Test

include("$(Modia.modelsPath)/AllModels.jl")

close(x, y; tolerance = 1e-5) = isapprox(ustrip(x), y, rtol = tolerance, atol = tolerance)

# An RC circuit without a ground: the potential is chosen, everything else is as usual.
Floating = Model(
    V = ConstantVoltage | Map(V = 10.0u"V"),
    R = Resistor | Map(R = 0.5u"Ω"),
    C = Capacitor | Map(C = 2.0u"F"),
    connect = :[
        (V.p, R.p)
        (R.n, C.p)
        (C.n, V.n)
    ]
)
floating = @instantiateModel(Floating)
simulate!(floating, stopTime = 1.5, tolerance = 1e-8)
@test close(getLastValue(floating, "C.v"), 10*(1 - exp(-1.5)))
@test get_xNames(floating) == ["C.v"]
# Two grounds say the same twice.
Twice = Floating | Model(g1 = Ground, g2 = Ground,
                         connect = :[
                             (V.p, R.p)
                             (R.n, C.p)
                             (C.n, V.n, g1.p, g2.p)
                         ])
twice = @instantiateModel(Twice)
simulate!(twice, stopTime = 1.5, tolerance = 1e-8)
@test close(getLastValue(twice, "C.v"), 10*(1 - exp(-1.5)))
@test close(getLastValue(twice, "g1.p.i"), 0.0) && close(getLastValue(twice, "g2.p.i"), 0.0)

# Two capacitors in parallel have one voltage and one state; two resistors in series one current.
Parallel = Model(
    V = ConstantVoltage | Map(V = 10.0u"V"),
    R1 = Resistor | Map(R = 0.2u"Ω"),
    R2 = Resistor | Map(R = 0.3u"Ω"),
    C1 = Capacitor | Map(C = 1.5u"F"),
    C2 = Capacitor | Map(C = 0.5u"F", v = Var(init = nothing)),
    ground = Ground,
    connect = :[
        (V.p, R1.p)
        (R1.n, R2.p)
        (R2.n, C1.p, C2.p)
        (C1.n, C2.n, V.n, ground.p)
    ]
)
parallel = @instantiateModel(Parallel)
simulate!(parallel, stopTime = 1.5, tolerance = 1e-8)
v = 10*(1 - exp(-1.5))
@test get_xNames(parallel) == ["C1.v"]
@test close(getLastValue(parallel, "C2.v"), v)
@test close(getLastValue(parallel, "R1.i"), (10 - v)/0.5)
@test close(getLastValue(parallel, "C2.i"), 0.25*(10 - v)/0.5)

# Inductors in series share a current (a cut set), also with a resistor on either side.
Series = Model(
    V = ConstantVoltage | Map(V = 3.0u"V"),
    L1 = Inductor | Map(L = 0.4u"H"),
    R1 = Resistor | Map(R = 1.0u"Ω"),
    R2 = Resistor | Map(R = 2.0u"Ω"),
    L2 = Inductor | Map(L = 0.2u"H", i = Var(init = nothing)),
    connect = :[
        (V.p, L1.p)
        (L1.n, R1.p)
        (R1.n, R2.p)
        (R2.n, L2.p)
        (L2.n, V.n)
    ]
)
series = @instantiateModel(Series)
simulate!(series, stopTime = 0.3, tolerance = 1e-8)
i = 1 - exp(-0.3*3/0.6)
@test get_xNames(series) == ["L1.i"]
@test close(getLastValue(series, "L2.i"), i)
@test close(getLastValue(series, "L1.v"), 0.4*(3 - 3*i)/0.6)
@test close(getLastValue(series, "V.i"), -i)

# A loop of three capacitors has two states; the third voltage follows. Charge of C3 comes from both.
Loop = Model(
    V = ConstantVoltage | Map(V = 6.0u"V"),
    R = Resistor | Map(R = 1.0u"Ω"),
    C1 = Capacitor | Map(C = 1.0u"F"),
    C2 = Capacitor | Map(C = 2.0u"F"),
    C3 = Capacitor | Map(C = 2.0u"F", v = Var(init = nothing)),
    connect = :[
        (V.p, R.p)
        (R.n, C1.p, C2.p)
        (C2.n, C3.p)
        (C3.n, C1.n, V.n)
    ]
)
loop = @instantiateModel(Loop)
simulate!(loop, stopTime = 1.0, tolerance = 1e-8)
# C2 and C3 in series are 1 F, so 2 F in all.
v = 6*(1 - exp(-0.5))
@test length(get_xNames(loop)) == 2
@test close(getLastValue(loop, "C1.v"), v)
@test close(getLastValue(loop, "C2.v"), v/2)
@test close(getLastValue(loop, "C3.v"), v/2)

# Drive trains: inertias and gears tied rigidly, in a row and around.
Train = Model(
    torque = Torque,
    I1 = Inertia | Map(J = 0.1u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)),
    I2 = Inertia | Map(J = 0.3u"kg*m^2", phi = Var(init = nothing), w = Var(init = nothing)),
    I3 = Inertia | Map(J = 2.0u"kg*m^2"),
    G1 = IdealGear | Map(ratio = 2.0),
    G2 = IdealGear | Map(ratio = 5.0),
    connect = :[
        (torque.flange, I1.flange_a)
        (I1.flange_b, G1.flange_a)
        (G1.flange_b, I2.flange_a)
        (I2.flange_b, G2.flange_a)
        (G2.flange_b, I3.flange_a)
    ],
    equations = :[torque.tau = 1.5u"N*m"]
)
train = @instantiateModel(Train)
simulate!(train, stopTime = 2.0, tolerance = 1e-8)
J = 2.0 + 25*0.3 + 100*0.1 # seen from the last shaft
w = 10*1.5/J*2.0
@test Set(get_xNames(train)) == Set(["I3.w", "I3.phi"])
@test close(getLastValue(train, "I3.w"), w)
@test close(getLastValue(train, "I1.w"), 10*w)
@test close(getLastValue(train, "I2.phi"), 5*w)
