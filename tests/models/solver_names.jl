# Solvers by the names of the Julia world, each with an event that depends on the solution, with a
# bounded step, and those with a fixed step also that way: x = exp(-t) until it is 0.5 at t = ln 2,
# then x = 0.5 + (t - ln 2).
using Modia

Turn = Model(x = Var(init = 1.0), equations = :[
    high = positive(x - 0.5)
    falling = high && pre(falling)
    der(x) = if falling; -x else 1.0 end], falling = Var(start = true))
turn = @instantiateModel(Turn, unitless = true)
reached = 0.5 + (1.5 - log(2))

for solver in [CVODE_BDF(), CVODE_Adams(), IDA(), QBDF(), QBDF(autodiff = false), QNDF(), FBDF(), ARKODE(),
               Tsit5(), DP5(), BS3(), Vern6(), Vern7(), Vern8(), DP8(), RK4(), Heun(), Midpoint(), Euler(),
               Rodas4(), Rodas5(), Rosenbrock23(autodiff = false), KenCarp4(), Kvaerno5(), TRBDF2(), ImplicitEuler(),
               RadauIIA5(), DFBDF(), AutoTsit5(Rosenbrock23()), AutoVern6(Rodas4()), VCABM(), lsoda()]
    simulate!(turn, solver, stopTime = 1.5, tolerance = 1e-7)
    @test isapprox(getLastValue(turn, "x"), reached, rtol = 2e-5)
    simulate!(turn, solver, stopTime = 1.5, tolerance = 1e-7, dtmax = 0.01)
    @test isapprox(getLastValue(turn, "x"), reached, rtol = 2e-5)
end

# Fixed steps: the error is that of the method at this step, also across the event.
for (solver, allowed) in [(RK4(), 1e-7), (Tsit5(), 1e-7), (Heun(), 1e-4), (Euler(), 5e-3),
                          (ImplicitEuler(), 5e-3), (Trapezoid(), 1e-4), (Rodas4(), 1e-7)]
    simulate!(turn, solver, stopTime = 1.5, interval = 0.01, adaptive = false)
    @test abs(getLastValue(turn, "x") - reached) < allowed
end

# Steps that are bounded lose nothing.
slow = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -1e-6*x]), unitless = true)
simulate!(slow, stopTime = 100.0, interval = 1.0, dtmax = 0.5)
@test isapprox(getLastValue(slow, "x"), exp(-1e-4), rtol = 1e-9)

# interp_points: a crossing function that dips below zero between two steps for 0.02 s is found
# when more points are looked at.
Dip = Model(x = Var(init = 0.0), n = Var(start = 0.0), equations = :[
    der(x) = 1.0
    dip = negative(abs(x - 5.05) - 0.01)
    n = if edge(dip); pre(n) + 1 else pre(n) end])
dip = @instantiateModel(Dip, unitless = true)
simulate!(dip, stopTime = 10.0, interval = 0.1, dtmax = 1.0, interp_points = 200)
@test getLastValue(dip, "n") == 1.0
