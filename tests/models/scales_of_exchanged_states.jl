# Models whose states are exchanged on their way, in units from 1e-20 to 1e20: a body led around a circle, and pendulums that swing and turn
# over. Absolute tolerances follow the sizes of the states that take over. Held against closed forms and against units of one.
module ScalesOfExchangedStates

using Modia
using Test

Circle = Model(R = 1.0, x = Var(init = 1.0), y = Var(init = 0.0), vx = Var(init = 0.0), vy = Var(init = 1.0), f = Var(start = 0.0),
    equations = :[der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y; x^2 + y^2 = R^2])
Pendulum = Model(R = 1.0, x = Var(init = 1.0), y = Var(init = 0.0), vx = Var(init = 0.0), vy = Var(init = 0.0), f = Var(start = 0.0),
    equations = :[der(x) = vx; der(y) = vy; der(vx) = -f*x; der(vy) = -f*y - 9.81*R; x^2 + y^2 = R^2])
Vector = Model(R = 1.0, r = Var(init = [1.0, 0.0]), v = Var(init = [0.0, 0.0]), f = Var(start = 0.0), equations = :[
    der(r) = v; der(v) = -f*r + [0.0, -9.81*R]; r'*r = R^2; x = r[1]; y = r[2]])

circle = @instantiateModel(Circle, unitless = true)
for R in [1e-20, 1e-9, 1e-6, 1e-3, 1.0, 1e20], solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas5()]
    simulate!(circle, solver, stopTime = 10.0, tolerance = 1e-8, merge = Map(R = R, x = Var(init = R), vy = Var(init = R)))
    @test abs(getLastValue(circle, "x")/R - cos(10.0)) < 1e-5
    @test abs(getLastValue(circle, "y")/R - sin(10.0)) < 1e-5
end
for (Of, start) in [(Pendulum, R -> Map(R = R, x = Var(init = R))), (Pendulum, R -> Map(R = R, x = Var(init = R), vy = Var(init = 5*R))),
                    (Vector, R -> Map(R = R, r = Var(init = [R, 0.0])))]
    model = @instantiateModel(Of, unitless = true)
    simulate!(model, DP8(), stopTime = 5.0, tolerance = 1e-11, merge = start(1.0))
    (x, y) = (getLastValue(model, "x"), getLastValue(model, "y"))
    for R in [1e-12, 1e-6, 1e-3, 1.0], solver in [CVODE_BDF(), IDA(), Tsit5()]
        simulate!(model, solver, stopTime = 5.0, tolerance = 1e-8, merge = start(R))
        @test abs(getLastValue(model, "x")/R - x) < 2e-5
        @test abs(getLastValue(model, "y")/R - y) < 2e-5
    end
end

end
