# Scenario A15: a force that is switched off while the position is positive.
using Modia
using Test

Switched = Model(
    fmax = 1.5, m = 1.0, k = 1.0, d = 0.1,
    s = Var(init = 2.0), v = Var(init = 0.0),
    equations = :[
        sPos = positive(s)
        f = if sPos; 0.0 else fmax end
        v = der(s)
        m*der(v) + d*v + k*s = f
    ]
)
switched = @instantiateModel(Switched)
simulate!(switched, Tsit5(), stopTime = 10, requiredFinalStates = [1.1756992201144405, -0.5351307571761175])

# Names and order of the states are those of the published program.
@test get_xNames(switched) == ["s", "v"]
