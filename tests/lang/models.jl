# Constructors and predefined dictionaries.
println(Model(a = 1.0, b = Var(init = 2.0)))
# expect: Model(
# expect:   a = 1.0,
# expect:   b = Var(init = 2.0)
# expect: )
println(Par(value = :(2x)), Var(5.0, min = 0), interval(1, 2), info"text")   # expect: Par(value = :(2x))Var(min = 0, value = 5.0)Var(min = 1, max = 2)Var(info = "text")
println(parameter | 5.5 | Var(min = 0), "t" | parameter, flow)    # expect: Var(parameter = true, value = 5.5, min = 0)Var(parameter = true, value = "t")Var(flow = true)
m = Model(a = 1, b = 2)
println(m[:a], haskey(m, :b), keys(m), m.b, m == Model(b = 2, a = 1))      # expect: 1true[:a, :b]2true
Model(1)    # expect error E0306
