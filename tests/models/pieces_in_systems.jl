# Functions in pieces inside of algebraic loops: a system is linear only as long as its conditions are frozen. Those of functions are events
# there also where no derivative needs the unknowns, and those of noEvent make it nonlinear. Was refused (E0716) as soon as a piece ended.
module PiecesInSystems

using Modia
using Test

piece(y) = if y > 0.5; 0.2*(y - 0.5) else 0.0 end
function pieces(y)
    r = 0.0
    for i in 1:4
        r = r + (if y > 0.5*i; 0.2*(y - 0.5*i) else 0.0 end)
    end
    return r
end
loop(equations; more = :[der(z) = 0.0]) = Model(x = Var(init = 0.0), y = Var(start = 0.1), z = Var(init = 0.0), equations = :[der(x) = 1.0]) |
    Model(equations = equations) | Model(equations = more)
one = (x, y) -> y - 0.9*(piece(y) + x)
four = (x, y) -> y - 0.9*(pieces(y) + x)
cases = [(:[y = 0.9*(piece(y) + x)], one), (:[y = 0.9*(g + x); g = piece(y)], one), (:[y = 0.9*(noEvent(piece(y)) + x)], one),
         (:[y = 0.9*(noEvent(if y > 0.5; 0.2*(y - 0.5) else 0.0 end) + x)], one), (:[y = 0.9*(pieces(y) + x)], four),
         (:[y = 0.9*(sum([if y > 0.5*i; 0.2*(y - 0.5*i) else 0.0 end for i in 1:4]) + x)], four)]
for (equations, off) in cases, more in [:[der(z) = 0.0], :[der(z) = y]], solver in [CVODE_BDF(), Tsit5(), IDA()], interval in [0.02, 1.5]
    model = @instantiateModel(loop(equations, more = more), unitless = true)
    simulate!(model, solver, stopTime = 3.0, interval = interval)
    x, y = getValues(model, "x"), getValues(model, "y")
    @test maximum(abs(off(x[k], y[k])) for k in 1:length(x)) < 1e-9
    @test getLastValue(model, "y") > 3.18
end

end
