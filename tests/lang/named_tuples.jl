# Named tuples have fields and keys.
t = (a = 1, b = "x")
println(t, t.a, t[:b], keys(t), length(t))   # expect: (a = 1, b = "x")1x[:a, :b]2
println((; t..., c = 3), merge(t, (a = 5,)))   # expect: (a = 1, b = "x", c = 3)(a = 5, b = "x")
a = 7
println((; a))                                # expect: (a = 7,)
t.z                                           # expect error E0308
