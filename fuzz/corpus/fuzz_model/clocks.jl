using Modia
Loop = Model(m = 1.0, k = 0.3, x = Var(init = 0.0), v = Var(init = 5.0), S = Var(start = 1.0), u = Var(start = 0.0),
    equations = :[
        der(x) = v
        m*der(v) = f - k*x
        c = Clock(0.1)
        vd = sample(v, c)
        S = previous(S, c) + 10.0 - vd
        u = 5.0*S
        f = hold(u, c)
        late = delay(x, 0.2)
    ])
loop = @instantiateModel(Loop, unitless = true)
simulate!(loop, stopTime = 0.5, merge = Map(k = 0.5))
println(loop)
