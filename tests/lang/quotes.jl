# Quoted expressions are trees; $ puts values in; eval runs them.
e = :(a + b * 2)
println(e, " ", typeof(e), " ", e == :(a + b*2))     # expect: a + b * 2 Expr true
L = 3.0
println(:[0.0, $L, x], " ", :($L + y), " ", :($(1 + 1)))   # expect: [0.0, 3.0, x] 3.0 + y 2
a = 1
b = 2
println(eval(e), eval(:a), :x, typeof(:x))           # expect: 51xSymbol
