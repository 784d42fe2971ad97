# A signal block and what merging does to it (thesis, sections 3.1.1 and 3.1.3).
#
# Shows: parameters with attributes, the two ways to declare them, merging, @showModel.
# Expect: three models printed; the time constant is 0.2 s, 0.5 s and 0.5 s.
module LowPass

using Modia

T1 = Var(parameter = true, value = 0.2, min = 0)
T2 = Par(value = 0.2, min = 0)
@show T1 T2

LowPassFilter = Model(
    T = 0.2u"s",
    u = Var(input = true),
    y = Var(output = true),
    x = Var(init = 0.0),
    equations = :[
        T*der(x) + x = u
        y = x
    ]
)
@showModel LowPassFilter

# A changed value, a start value by name, and an input that is known at the top level.
Slow = LowPassFilter | Map(T = 0.5u"s", x = Map(init = 0.1), u = Var(start = 1.0))
@showModel Slow

# The equations of both operands are kept, one list after the other.
WithError = Slow | Model(equations = :[e = u - y])
@showModel WithError

slow = @instantiateModel(WithError)
simulate!(slow, stopTime = 2.0, requiredFinalStates = [1.0 - 0.9*exp(-4.0)])

end
