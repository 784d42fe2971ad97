# A start value belongs to the quantity: it is the guess of a nonlinear equation also when the
# variable that carries it is eliminated as an alias, with its sign turned if the alias is negated.
module Guesses

using Modia
using Test

Root = Model(
    x = Var(init = 1.0),
    mirror = Var(start = 2.0),
    equations = :[
        der(x) = -x
        z^2 = x + 3.0
        z = mirror
    ]
)
root = @instantiateModel(Root, unitless = true)
simulate!(root, stopTime = 1.0)
@test isapprox(getLastValue(root, "z"), sqrt(exp(-1) + 3), atol = 1e-6)

# The same guess, seen in a mirror: the other root.
Turned = Model(
    x = Var(init = 1.0),
    mirror = Var(start = 2.0),
    equations = :[
        der(x) = -x
        z^2 = x + 3.0
        z + mirror = 0
    ]
)
turned = @instantiateModel(Turned, unitless = true)
simulate!(turned, stopTime = 1.0)
@test isapprox(getLastValue(turned, "z"), -sqrt(exp(-1) + 3), atol = 1e-6)

# A guess given to the run counts as well.
simulate!(turned, stopTime = 1.0, merge = Map(mirror = -2.0))
@test isapprox(getLastValue(turned, "z"), sqrt(exp(-1) + 3), atol = 1e-6)

end
