# Problems of the test set for initial value problem solvers (Mazzia and Magherini, release 2.4) against its published
# solutions; those of E5 at 1e5 s and of Arenstorf's orbit come from other programs at 1e-12 and from periodicity.
module IvpSet

using Modia
using Test

worst(model, names, reference) =
    maximum(abs(getLastValue(model, names[i])/reference[i] - 1) for i in 1:length(names))

# Robertson's reaction for 1e11 s: eleven orders of magnitude in time, thirteen in the solution.
Robertson = Model(
    y1 = Var(init = 1.0), y2 = Var(init = 0.0), y3 = Var(init = 0.0),
    equations = :[
        der(y1) = -0.04*y1 + 1e4*y2*y3
        der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2
        der(y3) = 3e7*y2^2
    ]
)
robertson = @instantiateModel(Robertson, unitless = true)
for (solver, tolerance, allowed) in [(CVODE_BDF(), 1e-6, 1e-4), (CVODE_BDF(), 1e-8, 2e-5), (IDA(), 1e-8, 2e-5),
                                     (KenCarp4(), 1e-5, 1e-3), (Rodas5(), 1e-5, 1e-3), (TRBDF2(), 1e-4, 1e-2),
                                     (Kvaerno5(), 1e-5, 1e-3)]
    simulate!(robertson, solver, stopTime = 1e11, interval = 1e9, tolerance = tolerance, atol = 1e-10*tolerance)
    @test worst(robertson, ["y1", "y2", "y3"], [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050]) < allowed
end
# With an absolute tolerance as large as the solution, at least its first digit: increments of Jacobians follow the states.
simulate!(robertson, stopTime = 1e11, interval = 1e9, tolerance = 1e-8)
@test worst(robertson, ["y1", "y2"], [0.2083340149701255e-7, 0.8333360770334713e-13]) < 0.1

# High irradiance responses of a plant.
Hires = Model(
    y1 = Var(init = 1.0), y2 = Var(init = 0.0), y3 = Var(init = 0.0), y4 = Var(init = 0.0),
    y5 = Var(init = 0.0), y6 = Var(init = 0.0), y7 = Var(init = 0.0), y8 = Var(init = 0.0057),
    equations = :[
        der(y1) = -1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007
        der(y2) = 1.71*y1 - 8.75*y2
        der(y3) = -10.03*y3 + 0.43*y4 + 0.035*y5
        der(y4) = 8.32*y2 + 1.71*y3 - 1.12*y4
        der(y5) = -1.745*y5 + 0.43*y6 + 0.43*y7
        der(y6) = -280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7
        der(y7) = 280*y6*y8 - 1.81*y7
        der(y8) = -280*y6*y8 + 1.81*y7
    ]
)
hires = @instantiateModel(Hires, unitless = true)
for solver in [CVODE_BDF(), IDA(), KenCarp4(), Rodas5()]
    simulate!(hires, solver, stopTime = 321.8122, tolerance = 1e-7, atol = 1e-11)
    @test worst(hires, ["y$i" for i in 1:8],
                [0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
                 0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2]) < 1e-3
end

# Van der Pol's relaxation oscillation with mu = 1000, in the scaled form.
VanDerPol = Model(x = Var(init = 2.0), v = Var(init = 0.0), equations = :[der(x) = v; 1e-6*der(v) = (1 - x^2)*v - x])
vanDerPol = @instantiateModel(VanDerPol, unitless = true)
for solver in [CVODE_BDF(), IDA(), KenCarp4(), Rodas5()]
    simulate!(vanDerPol, solver, stopTime = 2.0, tolerance = 1e-7)
    @test worst(vanDerPol, ["x", "v"], [0.1706167732170483e1, -0.8928097010247975]) < 1e-3
end

# The Oregonator.
Orego = Model(
    y1 = Var(init = 1.0), y2 = Var(init = 2.0), y3 = Var(init = 3.0), s = 77.27,
    equations = :[
        der(y1) = s*(y2 + y1*(1 - 8.375e-6*y1 - y2))
        der(y2) = (y3 - (1 + y1)*y2)/s
        der(y3) = 0.161*(y1 - y3)
    ]
)
orego = @instantiateModel(Orego, unitless = true)
for solver in [CVODE_BDF(), IDA(), KenCarp4()]
    simulate!(orego, solver, stopTime = 360.0, tolerance = 1e-8, atol = 1e-9)
    @test worst(orego, ["y1", "y2", "y3"], [0.1000814870318523e1, 0.1228178521549917e4, 0.1320554942846706e3]) < 1e-4
end

# E5, a pyrolysis with concentrations down to 1e-13: nominal values say so.
E5 = Model(
    y1 = Var(init = 1.76e-3, nominal = 1e-3), y2 = Var(init = 0.0, nominal = 1e-10),
    y3 = Var(init = 0.0, nominal = 1e-10), y4 = Var(init = 0.0, nominal = 1e-12), A = 7.89e-10, B = 1.1e7, C = 1.13e3,
    equations = :[
        der(y1) = -A*y1 - B*y1*y3
        der(y2) = A*y1 - 1e6*C*y2*y3
        der(y3) = A*y1 - B*y1*y3 - 1e6*C*y2*y3 + C*y4
        der(y4) = B*y1*y3 - C*y4
    ]
)
e5 = @instantiateModel(E5, unitless = true)
for solver in [CVODE_BDF(), IDA()]
    simulate!(e5, solver, stopTime = 1e5, tolerance = 1e-7)
    @test worst(e5, ["y1", "y2", "y3", "y4"],
                [7.481320826486733e-06, 2.373478158089299e-12, 2.212358668316407e-12, 1.6111948720307723e-13]) < 1e-2
end

# The orbit of Arenstorf comes back to where it began, if it is computed well.
Arenstorf = Model(
    x = Var(init = 0.994), y = Var(init = 0.0), vx = Var(init = 0.0), vy = Var(init = -2.00158510637908252),
    m = 0.012277471, n = 1 - 0.012277471,
    equations = :[
        d1 = sqrt((x + m)^2 + y^2)
        d2 = sqrt((x - n)^2 + y^2)
        der(x) = vx
        der(y) = vy
        der(vx) = x + 2*vy - n*(x + m)/d1^3 - m*(x - n)/d2^3
        der(vy) = y - 2*vx - n*y/d1^3 - m*y/d2^3
    ]
)
arenstorf = @instantiateModel(Arenstorf, unitless = true)
for solver in [Tsit5(), DP5(), Vern6(), Vern7(), Vern8(), DP8(), dop853(), Vern9(), Feagin10(), TanYam7(), TsitPap8(), CVODE_Adams()]
    simulate!(arenstorf, solver, stopTime = 17.0652165601579626, tolerance = 1e-11)
    @test abs(getLastValue(arenstorf, "x") - 0.994) < 1e-3 && abs(getLastValue(arenstorf, "y")) < 1e-3
end

# A pure quadrature: an estimate that only sees how the slope depends on the solution lets this run away.
Quadrature = Model(x = Var(init = 0.0), equations = :[der(x) = cos(20*time)])
quadrature = @instantiateModel(Quadrature, unitless = true)
for solver in [Vern7(), Vern8(), Vern9(), DP8(), dop853(), TanYam7(), TsitPap8(), Feagin10(), Tsit5(), KenCarp4()]
    simulate!(quadrature, solver, stopTime = 10.0, tolerance = 1e-8)
    @test abs(getLastValue(quadrature, "x") - sin(200.0)/20) < 1e-7
end

# The transistor amplifier, with the voltages of its capacitors as states; the potentials between them follow from
# nonlinear equations.
g(x) = 1e-6*(exp(x/0.026) - 1.0)
Amplifier = Model(
    u1 = Var(init = 3.0), y3 = Var(init = 3.0), u2 = Var(init = -3.0), y6 = Var(init = 3.0), u3 = Var(init = -6.0),
    y1 = Var(start = 0.0), y2 = Var(start = 3.0), y4 = Var(start = 6.0), y5 = Var(start = 3.0), y7 = Var(start = 6.0),
    equations = :[
        ue = 0.1*sin(200*pi*time)
        u1 = y2 - y1
        u2 = y5 - y4
        u3 = y8 - y7
        1e-6*der(u1) = (y1 - ue)/1000
        -1e-6*der(u1) = -6.0/9000 + y2*2/9000 + 0.01*g(y2 - y3)
        2e-6*der(y3) = g(y2 - y3) - y3/9000
        3e-6*der(u2) = (y4 - 6.0)/9000 + 0.99*g(y2 - y3)
        -3e-6*der(u2) = -6.0/9000 + y5*2/9000 + 0.01*g(y5 - y6)
        4e-6*der(y6) = g(y5 - y6) - y6/9000
        5e-6*der(u3) = (y7 - 6.0)/9000 + 0.99*g(y5 - y6)
        -5e-6*der(u3) = y8/9000
    ]
)
amplifier = @instantiateModel(Amplifier, unitless = true)
for solver in [CVODE_BDF(), IDA(), KenCarp4()]
    simulate!(amplifier, solver, stopTime = 0.2, tolerance = 1e-8)
    @test worst(amplifier, ["y$i" for i in 1:8],
                [-0.5562145012262709e-2, 0.3006522471903042e1, 0.2849958788608128e1, 0.2926422536206241e1,
                 0.2704617865010554e1, 0.2761837778393145e1, 0.4770927631616772e1, 0.1236995868091548e1]) < 1e-4
end

end
