# States that begin at zero say nothing of their size, and absolute tolerances are for values of one. The same models in
# units down to 1e-20 are as exact as in their own: a body pulled out of rest, one driven with friction that grows with the
# drive, two tanks, a circuit that is switched on
# after a second (some periods and many of them, which a method that sees nothing passes in six steps) or shortly before
# the end, a switch at a level, a filter behind 500 pulses, an oscillator of 430 periods.
using Modia
using Test

Pulled = Model(U = 1.0, x = Var(init = 0.0), v = Var(init = 0.0), equations = :[
    der(x) = v
    der(v) = 10*(0.05*U*time - x) - U*sign(v)])
Driven = Model(U = 1.0, v = Var(init = 0.0), i = Var(init = 0.0), equations = :[
    der(i) = 10*U*time - i - v
    der(v) = i - 0.1*abs(i)*sign(v)])
Tanks = Model(U = 1.0, h1 = Var(init = 0.0), x = Var(init = 0.0), equations = :[
    der(h1) = U - 0.5*sqrt(U*max(h1, 0.0))
    der(x) = 0.5*sqrt(U*max(h1, 0.0)) - x])
Circuit = Model(U = 1.0, w = 3.0, on = 1.0, v = Var(init = 0.0), x = Var(init = 0.0), i = Var(init = 0.0), equations = :[
    u = if time > on; U*sin(w*time) else 0.0*U end
    0.1*der(v) = (u - v) - i
    0.3*der(i) = v - x
    0.2*der(x) = i - x/U*abs(x)])
Switch = Model(U = 1.0, a = Var(init = 0.0), x = Var(init = 0.0), equations = :[
    der(a) = if x > 0.3*U; -a else U - a end
    der(x) = a - 0.2*x])
Pulses = Model(U = 1.0, f = 50.0, v = Var(init = 0.0), x = Var(init = 0.0), z = Var(init = 0.0), equations = :[
    u = if sin(2*pi*f*time) > 0; U else 0.0*U end
    0.01*der(v) = u - v
    0.5*der(x) = v - x
    der(z) = x*v/U])
Oscillator = Model(U = 1.0, w = 300.0, d = 0.0, v = Var(init = 0.0), i = Var(init = 0.0), equations = :[
    u = if time > 1; U else 0.0*U end
    der(v) = i
    der(i) = w^2*(u - v) - 2*d*w*i])

all = [CVODE_BDF(), IDA(), Tsit5(), DP5(), Rodas5(), KenCarp4(), CVODE_Adams()]
function compare(Of, name, units, most; solvers = all)
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
compare(Driven, "v", [1.0, 1e-6, 1e-12, 1e-18, 1e-33], 30)
compare(Tanks, "x", [1.0, 1e-6, 1e-12, 1e-20], 200)
compare(Circuit, "x", [1.0, 1e-6, 1e-12, 1e-20], 100)
compare(Circuit | Map(w = 30.0), "v", [1.0, 1e-12], 100)
compare(Circuit | Map(w = 300.0), "v", [1.0, 1e-12], 100)
compare(Circuit | Map(w = 300.0, on = 9.9), "v", [1.0, 1e-12], 100)
compare(Switch, "x", [1.0, 1e-6, 1e-12, 1e-20], 100)
compare(Pulses, "z", [1e-12], 100, solvers = [CVODE_BDF(), IDA(), Tsit5(), Rodas5()])
# In units of one BDF is 1150 tolerances off after 430 periods that nothing damps.
compare(Oscillator, "v", [1e-12], 1500, solvers = [CVODE_BDF(), IDA(), Tsit5(), DP5(), Rodas5()])
compare(Oscillator | Map(w = 100.0, d = 0.1), "v", [1e-9, 1e-12], 100, solvers = [CVODE_BDF(), IDA(), Tsit5(), DP5(), Rodas5()])
