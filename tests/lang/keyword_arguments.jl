# Defaults may use other parameters; keywords can be required, collected and spread.
f(a, b = 2a; c = a + b, d) = (a, b, c, d)  # expect error E0310
println(f(1; d = 0))               # expect: (1, 2, 3, 0)
println(f(1, 1, c = 9, d = 8))     # expect: (1, 1, 9, 8)
g(args...; kw...) = (length(args), [k for (k, v) in kw])
println(g(1, 2; x = 1, y = 2))     # expect: (2, [:x, :y])
d = 5
println(f(0; d))                   # expect: (0, 0, 0, 5)
options = Dict(:c => 1, :d => 2)
println(f(7; options...))          # expect: (7, 14, 1, 2)
f(1)
