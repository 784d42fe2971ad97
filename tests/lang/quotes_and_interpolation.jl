e = :(a + b*c)
println(e)                   # expect: a + b * c
L = 2.5
println(:(x - $L))           # expect: x - 2.5
println(:x)                  # expect: x
println(:(x) == :x)          # expect: true
println(:true)               # expect: true
println(typeof(:a))          # expect: Symbol
eqs = :[der(x) = -x
        y = 2*x]
println(:(a.b.c))            # expect: a.b.c
println(:(f(x, k = 1)))      # expect: f(x, k = 1)
println(:(a[1]))             # expect: a[1]
println(:a == :a, :a == :b)  # expect: truefalse
println(Symbol("k", 3))      # expect: k3
