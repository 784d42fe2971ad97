using Modia
Ball = Model(e = 0.7, h = Var(init = 1.0), v = Var(init = 0.0),
    equations = :[
        hit = positive(-h)
        der(h) = v
        der(v) = if hit; 0.0 else -9.81 end
        y = if h > 0.5; sin(3*time) else pre(v) end
    ])
ball = @instantiateModel(Ball, unitless = true)
simulate!(ball, Tsit5(), stopTime = 0.5, log = true, logEvents = true)
