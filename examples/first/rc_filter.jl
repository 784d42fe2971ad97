# A voltage source charges a capacitor through a resistor.
#
# Shows: components of the electric library, modifications with Map, connections, and a second run
# with other values but without a new translation.
# Expect: C.v rises to 10 V with the time constant R*C, 1 s in the first run and 10 s in the second.
module RCFilter

using Modia
@usingModiaPlot

include("$(Modia.modelsPath)/Electric.jl")

Filter = Model(
    R = Resistor  | Map(R = 0.5u"Ω"),
    C = Capacitor | Map(C = 2.0u"F", v = Var(init = 0.1u"V")),
    V = ConstantVoltage | Map(V = 10.0u"V"),
    ground = Ground,
    connect = :[
        (V.p, R.p)
        (R.n, C.p)
        (C.n, V.n, ground.p)
    ]
)

filter = @instantiateModel(Filter)

simulate!(filter, stopTime = 10.0, requiredFinalStates = [10.0 - 9.9*exp(-10.0)])
plot(filter, [("C.v", "R.v"), "R.i"], figure = 1)

simulate!(filter, stopTime = 10.0, merge = Map(R = Map(R = 5.0u"Ω"), C = Map(v = 3.0u"V")),
          requiredFinalStates = [10.0 - 7.0*exp(-1.0)])
plot(filter, [("C.v", "R.v"), "R.i"], figure = 2, heading = "R = 5 Ω")

end
