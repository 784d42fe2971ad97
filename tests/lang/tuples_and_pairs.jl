t = (1, 2.0, "a")
println(t)                      # expect: (1, 2.0, "a")
println(t[2], length(t))        # expect: 2.03
println(("x"))                  # expect: x
println(("x",))                 # expect: ("x",)
nt = (a = 1, b = 2.5)
println(nt)                     # expect: (a = 1, b = 2.5)
println(nt.b, nt[:a])           # expect: 2.51
pair = :k => 3
println(pair.first, pair.second) # expect: k3
f() = (1, 2)
(x, y) = f()
println(x + y)                  # expect: 3
println((1, 2) == (1, 2), (1, 2) < (1, 3)) # expect: truetrue
s = 1
named = (; s, r = 2)
println(named)                  # expect: (s = 1, r = 2)
