# States that begin at zero say nothing of their size, and absolute tolerances are for values of one. The same models in
# units down to 1e-20 are as exact as in their own: a body pulled out of rest, two tanks, a circuit that is switched on
# after a second (some periods and many of them, which a method that sees nothing passes in six steps), a switch at a level.
using Modia
using Test

Pulled = Model(U = 1.0, x = Var(init = 0.0), v = Var(init = 0.0), equations = :[
    der(x) = v
    der(v) = 10*(0.05*U*time - x) - U*sign(v)])
Tanks = Model(U = 1.0, h1 = Var(init = 0.0), x = Var(init = 0.0), equations = :[
    der(h1) = U - 0.5*sqrt(U*max(h1, 0.0))
    der(x) = 0.5*sqrt(U*max(h1, 0.0)) - x])
Circuit = Model(U = 1.0, w = 3.0, v = Var(init = 0.0), x = Var(init = 0.0), i = Var(init = 0.0), equations = :[
    u = if time > 1; U*sin(w*time) else 0.0*U end
    0.1*der(v) = (u - v) - i
    0.3*der(i) = v - x
    0.2*der(x) = i - x/U*abs(x)])
Switch = Model(U = 1.0, a = Var(init = 0.0), x = Var(init = 0.0), equations = :[
    der(a) = if x > 0.3*U; -a else U - a end
    der(x) = a - 0.2*x])

solvers = [CVODE_BDF(), IDA(), Tsit5(), DP5(), Rodas5(), KenCarp4(), CVODE_Adams()]
function compare(Of, name, units, most; solvers = solvers)
    model = @instantiateModel(Of, unitless = true)
    simulate!(model, Tsit5(), stopTime = 10.0, tolerance = 1e-11)
    right = getLastValue(model, name)
    size = maximum(abs.(getValues(model, name)))
    for U in units, solver in solvers
        simulate!(model, solver, stopTime = 10.0, tolerance = 1e-6, merge = Map(U = U))
        off = abs(getLastValue(model, name)/U - right)/size
        off < most*1e-6 || println(name, " in ", U, ", ", solver, ": off by ", off)
        @test off < most*1e-6
    end
end
compare(Pulled, "x", [1.0, 1e-6, 1e-12, 1e-20], 30)
compare(Tanks, "x", [1.0, 1e-6, 1e-12, 1e-20], 200)
compare(Circuit, "x", [1.0, 1e-6, 1e-12, 1e-20], 100)
compare(Circuit | Map(w = 30.0), "v", [1.0, 1e-12], 100)
# Not DP5, which ends with E0723 here, nor CVODE_Adams, which is off, in this unit: docs/theory/accuracy.md says so.
compare(Circuit | Map(w = 300.0), "v", [1.0, 1e-12], 100, solvers = [CVODE_BDF(), IDA(), Tsit5(), Rodas5(), KenCarp4()])
compare(Switch, "x", [1.0, 1e-6, 1e-12, 1e-20], 100)
