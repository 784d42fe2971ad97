# A mass under sampled PI control against the exact recursion from tick to tick, at three tolerances:
# the error goes down, whatever the method.
using Modia

m = 1.0; d = 0.5; T = 0.1; K = 5.0; Ti = 2.0; vref = 10.0

Controlled = Model(
    m = m, d = d, K = K, Ti = Ti, vref = vref,
    x = Var(init = 0.0), v = Var(init = 1.0), S = Var(start = 0.0), u = Var(start = 0.0),
    equations = :[
        der(x) = v
        m*der(v) = f - d*v
        c = Clock(0.1)
        e = vref - sample(v, c)
        S = previous(S, c) + e
        u = K*(e + S*0.1/Ti)
        f = hold(u, c)
    ]
)
controlled = @instantiateModel(Controlled, unitless = true)

# Between two ticks the force is constant: v goes to f/d exponentially.
function exact(n)
    x, v, S = 0.0, 1.0, 0.0
    decay = exp(-d/m*T)
    for k in 1:n
        e = vref - v
        S = S + e
        f = K*(e + S*T/Ti)
        x = x + f/d*T + (v - f/d)*m/d*(1 - decay)
        v = f/d + (v - f/d)*decay
    end
    return [x, v]
end

# Runge-Kutta methods are far better than asked for, since ticks shorten their steps.
for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas4(), CVODE_Adams()]
    errors = Float64[]
    for tolerance in [1e-4, 1e-6, 1e-8]
        simulate!(controlled, solver, stopTime = 1.2, tolerance = tolerance)
        x = [getLastValue(controlled, "x"), getLastValue(controlled, "v")]
        push!(errors, maximum(abs.(x - exact(12))))
        @test errors[end] < 1e3*tolerance
    end
    println("errors at 1e-4, 1e-6, 1e-8: ", errors)
    @test errors[2] < errors[1]/5 || errors[2] < 1e-8
    @test errors[3] < errors[2]/5
end
