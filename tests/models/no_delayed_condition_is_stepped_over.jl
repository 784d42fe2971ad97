# Conditions on delayed values that are fast beside the steps of the method. Nobody feels them but a counter and an integral. Of these 126
# runs 90 missed changes without a word when delayed values had no bounds between the points of the method; the last model has eight
# periods in a step, which looked like none where the past was kept.
using Modia
using Test

Counter = Model(n = Var(start = 0), E = Var(init = 0.0), equations = :[
    p = z > 0
    n = pre(n) + (if change(p); 1 else 0 end)
    der(E) = if p; 1.0 else 0.0 end])

# States are known to their tolerance, which is a good part of a window at the top of a sine.
function count_all(name, Part, stop, n, E; part = 1e-2)
    m = @instantiateModel(Counter | Part, unitless = true)
    for solver in (CVODE_BDF(), CVODE_Adams(), Tsit5(), DP8(), TRBDF2(), Rodas5()), tolerance in (1e-3, 1e-6, 1e-9)
        simulate!(m, solver, stopTime = stop, tolerance = tolerance)
        if getLastValue(m, "n") != n || abs(getLastValue(m, "E") - E) > part*E
            println(name, ": ", getLastValue(m, "n"), " changes, ", getLastValue(m, "E"), " s with ", solver, ", ", tolerance)
        end
        @test getLastValue(m, "n") == n
        @test abs(getLastValue(m, "E") - E) < part*E
    end
end

ramp = Model(x = Var(init = 0.0), equations = :[der(x) = 1.0; d = delay(x, 0.7)])
# Each number was counted with steps of a millisecond, and is what the closed form says.
count_all("sine", Model(equations = :[z = delay(sin(50*time), 0.2) - 0.9]), 5.0, 77, 0.6879445)
count_all("window", ramp | Model(equations = :[z = 0.01 - abs(d - 1.0)]), 5.0, 2, 0.02)
count_all("parabola", ramp | Model(equations = :[z = 1e-5 - (d - 1.0)^2]), 5.0, 2, 0.00632455532)
count_all("sine of a ramp", ramp | Model(equations = :[z = sin(60*d) - 0.9]), 5.0, 82, 0.616403288)
count_all("product", ramp | Model(equations = :[z = d*sin(40*time) - 1.0]), 5.0, 42, 1.14499511)
count_all("swing", Model(x = Var(init = 0.0), v = Var(init = 1.0), equations = :[der(x) = 2*v; der(v) = -2*x; z = sin(9*delay(x, 0.7)) - 0.99]), 5.0, 18, 0.2138999; part = 0.1)
count_all("eight periods a step", Model(equations = :[z = delay(sin(50*time), 2.0) - 0.9]), 5.0, 48, 0.43298574)
