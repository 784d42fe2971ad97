# Scenario A6: which variables become states, and in which order.
using Modia
using Test

names(m) = get_xNames(m)

Lag = Model(T = 0.2, u = Var(input = true, start = 1.0), x = Var(init = 0.0),
            equations = :[der(x) = (u - x)/T])
@test names(@instantiateModel(Lag)) == ["x"]

TwoInertias = Model(
    J1 = 1.0, J2 = 1.0,
    J1_phi = Var(init = 0.0), J1_w = Var(init = 0.0),
    J2_phi = Var(start = 0.0), J2_w = Var(start = 0.0),
    equations = :[
        J1_w = der(J1_phi)
        J1*der(J1_w) = tau1
        J2_w = der(J2_phi)
        J2*der(J2_w) = tau2
        J2_phi = J1_phi
        0 = tau1 + tau2
    ]
)
@test names(@instantiateModel(TwoInertias)) == ["J1_w", "J1_phi"]

FreeMass = Model(
    m = 1.0,
    f = [0.0, 0.0, -9.81],
    r = Var(init = zeros(3)),
    v = Var(init = [1.0, 0.0, 0.0]),
    equations = :[
        m*der(v) = f
        v = der(r)
    ]
)
freeMass = @instantiateModel(FreeMass)
@test names(freeMass) == ["v[1]", "v[2]", "v[3]", "r[1]", "r[2]", "r[3]"]
simulate!(freeMass, stopTime = 2, requiredFinalStates = [1.0, 0.0, -19.62, 2.0, 0.0, -19.62])

MultiIndex = Model(
    x2 = Var(init = 0.0), x2d = Var(init = 0.0),
    equations = :[
        u1 = sin(1*time)
        u2 = sin(2*time)
        u3 = sin(3*time)
        u4 = sin(4*time)
        u5 = sin(5*time)
        u6 = sin(6*time)
        u7 = sin(7*time)
        0 = u1 + x1 - x2
        0 = u2 + x1 + x2 - x3 + der(x6)
        0 = u3 + x1 + der(x3) - x4
        x1d = der(x1)
        x2d = der(x2)
        x3d = der(x3)
        x6d = der(x6)
        x6dd = der(x6d)
        0 = u4 + 2*der(x1d) + der(x2d) + der(x3d) + der(x4) + der(x6dd)
        0 = u5 + 3*der(x1d) + 2*der(x2d) + x5
        0 = u6 + 2*x6 + x7
        0 = u7 + 3*x6 + 4*x7
    ]
)
multiIndex = @instantiateModel(MultiIndex, unitless = true)
@test names(multiIndex) == ["x2", "x2d"]
simulate!(multiIndex, stopTime = 0.1)

# A linear block beside an ordinary differential equation, and one that holds its derivative.
Beside = Model(x6 = Var(init = 1.0), x5 = Var(start = 0.0),
               equations = :[
                   0 = 2*x3 + x4 - x5 + 1
                   0 = x3 - 3*x4 + 2*x5 - 2
                   0 = x3 + x4 + x5 - 6
                   der(x6) = -x5*x6
               ])
beside = @instantiateModel(Beside, unitless = true)
@test names(beside) == ["x6"]
# Held to the equations themselves.
simulate!(beside, stopTime = 0.1, tolerance = 1e-9)
x3, x4, x5 = getLastValue(beside, "x3"), getLastValue(beside, "x4"), getLastValue(beside, "x5")
@test abs(2*x3 + x4 - x5 + 1) + abs(x3 - 3*x4 + 2*x5 - 2) + abs(x3 + x4 + x5 - 6) < 1e-12
@test isapprox(getLastValue(beside, "x6"), exp(-0.1*x5), rtol = 1e-6)

Inside = Model(x6 = Var(init = 1.0), x5 = Var(start = 0.0),
               equations = :[
                   0 = 2*x3 + x4 - x5 + 5*der(x6)
                   0 = x3 - 3*x4 + 2*x5 - 2*x6
                   0 = x3 + x4 + x5 + 3*der(x6) - 6
                   der(x6) = -x5*x6
               ])
inside = @instantiateModel(Inside, unitless = true)
@test names(inside) == ["x6"]

# An inertia with an absolute damper: the init value of the damper's angle must fit, or is reported.
Damped = Model(J = 1.0, d = 0.5, phi = Var(init = 0.0), w = Var(init = 2.0), damper_phi = Var(init = 0.0),
               equations = :[
                   w = der(phi)
                   J*der(w) = -d*damper_w
                   damper_phi = phi
                   damper_w = der(damper_phi)
               ])
damped = @instantiateModel(Damped, unitless = true)
simulate!(damped, stopTime = 4.0, tolerance = 1e-8)
@test isapprox(getLastValue(damped, "w"), 2*exp(-2.0), rtol = 1e-5)
