# Scenario A16: sampled P and PI control of a mass; the default mode advances `previous` at the first
# tick, as it should.
using Modia
using Test

MassWithSpringDamper = Model(
    m = 1.0, k = 0.0, d = 0.1,
    x = Var(init = 0.0), v = Var(init = 5.0),
    equations = :[
        der(x) = v
        m*der(v) = f - k*x - d*v
    ]
)
PControl = MassWithSpringDamper | Model(
    K = 5.0, vref = 100.0, f = Var(start = 0.0), u = Var(start = 0.0),
    equations = :[
        c = Clock(0.1)
        vd = sample(v, c)
        u = K*(vref - vd)
        f = hold(u, c)
    ]
)
p = @instantiateModel(PControl, unitless = true)
simulate!(p, Tsit5(), stopTime = 1.5, requiredFinalStates = [133.3845202465569, 98.03694943140056])

PIControl = MassWithSpringDamper | Model(
    K = 5.0, Ti = 2.0, vref = 100.0,
    S = Var(start = 10.0), u = Var(start = 0.0),
    equations = :[
        c = Clock(0.1)
        vd = sample(v, c)
        e = vref - vd
        S = previous(S, c) + e
        u = K*(e + S/Ti)
        f = hold(u, c)
    ]
)
pi_control = @instantiateModel(PIControl, unitless = true)
simulate!(pi_control, Tsit5(), stopTime = 1.5,
          requiredFinalStates = [155.24584446787892, 100.18551326202883])

# Names and order of the states are those of the published program.
@test get_xNames(p) == ["x", "v"]
@test get_xNames(pi_control) == ["x", "v"]
