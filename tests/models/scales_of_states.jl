# The same model in other units comes out the same: states that are small as a whole, or begin small and grow, although nobody says how large
# they are and the absolute tolerance is meant for values of one. Each model ends with numbers in its own unit U, which are compared with
# those of a run at 1e-11 with U = 1; in units from 1e-20 to 1e20, with implicit and explicit methods, at three tolerances.
module ScalesOfStates

using Modia
using Test

# Both begin with something; one of them, and the last one nothing, begin with zero.
Cycle = Model(U = 1.0, x = Var(init = 1.5), y = Var(init = 0.7), equations = :[
    der(x) = x*(1 - y/U)
    der(y) = 0.8*y*(x/U - 1)])
Relaxing = Model(U = 1.0, x = Var(init = 1.482), y = Var(init = -0.3), equations = :[
    der(x) = y
    der(y) = 20*(1 - (x/U)^2)*y - x])
Cubic = Model(U = 1.0, x = Var(init = 1.0), y = Var(init = 1.0), equations = :[
    der(x) = -x^3/U^2
    der(y) = -y + x])
Rabbits = Model(U = 1.0, x = Var(init = 1e-5), y = Var(init = 1e-3), equations = :[
    der(x) = 3*x*(1 - x/U - 0.2*y/U)
    der(y) = 0.6*y*(1 - y/U - 0.4*x/U)])
Swing = Model(U = 1.0, x = Var(init = 1.0), y = Var(init = 0.0), equations = :[
    der(x) = y
    der(y) = -4*x - 0.1*y - (x/U)^2*x])
Chain = Model(U = 1.0, a = Var(init = 1.0), x = Var(init = 0.0), y = Var(init = 0.0), equations = :[
    der(a) = -0.5*a
    der(x) = 0.5*a - 30*x
    der(y) = 30*x - 0.2*y*y/U])
cases = [("cycle", Cycle, 1.5, 0.7), ("relaxing", Relaxing, 1.482, -0.3), ("cubic", Cubic, 1.0, 1.0), ("rabbits", Rabbits, 1e-5, 1e-3),
         ("swing", Swing, 1.0, 0.0), ("chain", Chain, 0.0, 0.0)]
const STOP = 9.0
finals(m, U) = [getLastValue(m, "x")/U, getLastValue(m, "y")/U]
start(name, U, x, y) = name == "chain" ? Map(U = U, a = Var(init = U)) : Map(U = U, x = Var(init = x*U), y = Var(init = y*U))

for (name, declared, x, y) in cases
    model = @instantiateModel(declared, unitless = true)
    simulate!(model, Tsit5(), stopTime = STOP, tolerance = 1e-11, atol = 1e-15)
    right = finals(model, 1.0)
    for solver in [CVODE_BDF(), IDA(), CVODE_Adams(), Tsit5(), Rodas5()]
        for U in [1e-20, 1e-9, 1e-5, 3e-3, 1.0, 1e6, 1e20]
            for tolerance in [1e-4, 1e-6, 1e-8]
                U != 1e-9 && tolerance != 1e-6 && continue
                simulate!(model, solver, stopTime = STOP, tolerance = tolerance, merge = start(name, U, x, y))
                off = maximum(abs.(finals(model, U) - right) ./ max.(abs.(right), 1e-2*maximum(abs.(right))))/tolerance
                # Where states begin at zero, tests of what they do end at 1e-6 of them, and what follows may make more of it.
                bound = max(1000.0, 3e-5/tolerance)
                if !(off < bound)
                    println("$name, U = $U, $solver, $tolerance: off by $off tolerances")
                end
                @test off < bound
            end
        end
    end
end
end
