# Scenario E8: billiards with sixteen balls.
include("scenes/billiard.jl")
using Test

Sixteen = Table(mprTolerance = 1.0e-18) | Model(ball0 = cue, ball1 = first)
n = 1
for k in 1:4
    for j in 0:k
        global n += 1
        Sixteen[Symbol("ball$n")] = resting(LX/6 + k*(sqrt(3)/2*D + 1e-4), (k/2 - j)*(D + 1e-4))
    end
end
sixteen = @instantiateModel(Sixteen, unitless = true)
simulate!(sixteen, stopTime = 1.5, tolerance = 1e-7, interval = 0.01)
last(name) = getLastValue(sixteen, name)
@test maximum(abs.(last("ball0.translation") - [0.933203, -0.181904, 0.029998])) < 2e-5
@test maximum(abs.(last("ball1.translation")[1:2] - [0.325210, 0.027740])) < 2e-5
