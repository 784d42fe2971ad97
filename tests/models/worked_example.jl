# Two tanks joined by a valve: connectors, a binding, a local equation, units, merged start values.
using Modia
using Test

Tank = Model(
    A = 2.0u"m^2",
    port = Model(p = potential, q = flow),
    h = Var(init = 1.0u"m"),
    equations = :[ A*der(h) = port.q
                   port.p = 9810.0u"N/m^3"*h ])
Valve = Model(
    k = 1e-4u"m^5/(N*s)",
    a = Model(p = potential, q = flow),
    b = Model(p = potential, q = flow),
    equations = :[ 0 = a.q + b.q
                   a.q = k*(a.p - b.p) ])
Plant = Model(
    t1 = Tank | Map(h = Var(init = 3.0u"m")),
    t2 = Tank,
    v  = Valve | Map(k = :kv),
    kv = 2e-4u"m^5/(N*s)",
    total = Var(:(t1.h + t2.h)),
    connect = :[ (t1.port, v.a)
                 (v.b, t2.port) ])
plant = @instantiateModel(Plant)
simulate!(plant, stopTime = 1.0, merge = Map(t2 = Map(h = 0.5u"m")),
          requiredFinalStates = [1.75 + 1.25*exp(-1.962), 1.75 - 1.25*exp(-1.962)], requiredFinalStates_rtol = 1e-5)
@test get_xNames(plant) == ["t1.h", "t2.h"]
@test getLastValue(plant, "total") ≈ 3.5u"m"
@test getLastValue(plant, "t1.port.q") == -getLastValue(plant, "v.a.q")
plot(plant, [("t1.h", "t2.h"), "v.a.q"])
