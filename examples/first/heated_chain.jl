# A chain of heat capacities, built by loops of the language.
#
# Shows: an array of components from a comprehension, connections that are spliced into a list with
# $(...), and the names of elements: `cap[2].T` and `cap_2.T` are the same.
# Expect: temperatures that begin as half a cosine keep that form and decay by exp(-rate*t) toward 300 K.
module HeatedChain

using Modia, Test
@usingModiaPlot

include("$(Modia.modelsPath)/HeatTransfer.jl")

n = 5
C, G = 10.0, 2.0
form = [cos(pi*(i - 0.5)/n) for i in 1:n]
rate = 2*G/C*(1 - cos(pi/n))

Chain = Model(
    cap = [HeatCapacitor | Map(C = C*u"J/K", T = Var(init = (300.0 + 20.0*form[i])*u"K")) for i in 1:n],
    rod = [ThermalConductor | Map(G = G*u"W/K") for i in 1:n-1],
    connect = :[
        $([:(cap[$i].port, rod[$i].port_a) for i in 1:n-1]...)
        $([:(rod[$i].port_b, cap[$(i + 1)].port) for i in 1:n-1]...)
    ]
)

chain = @instantiateModel(Chain)
simulate!(chain, stopTime = 20.0, tolerance = 1e-8,
          requiredFinalStates = 300.0 .+ 20.0*form*exp(-rate*20.0))
plot(chain, ("cap[1].T", "cap[3].T", "cap_5.T"), heading = "A chain of $n heat capacities")

@test getLastValue(chain, "cap[2].T") == getLastValue(chain, "cap_2.T")

end
