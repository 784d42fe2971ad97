# Expr(head, arguments...) builds what a quote would; head and args take it apart again.
println(Expr(:call, :+, 1, :x, 3))                                       # expect: 1 + x + 3
println(eval(Expr(:call, :+, 1, 2)), eval(Expr(:call, :max, 3, 2)))      # expect: 33
println(eval(Expr(:vect, 1, 2)), eval(Expr(:tuple, 1, 2)))               # expect: [1, 2](1, 2)
println(eval(Expr(:hcat, 1, 2)), eval(Expr(:vcat, Expr(:row, 1, 2), Expr(:row, 3, 4))))  # expect: [1 2][1 2; 3 4]
println(eval(Expr(:if, true, 1, 2)), eval(Expr(:block, 1, 2)))           # expect: 12
eval(Expr(:(=), :zz, 7))
println(zz, eval(Expr(:&&, true, false)), eval(Expr(:||, false, true)))  # expect: 7falsetrue
println(eval(Expr(:ref, :[4, 5, 6], 2)), collect(eval(Expr(:call, :(:), 1, 3))))  # expect: 5[1, 2, 3]
println(eval(Expr(:comparison, 1, :<, 2, :<, 3)), eval(Expr(:call, :sum, [1.5, 2.0])))   # expect: true3.5
ex = :(a*b + c)
println(ex.head, ex.args, Expr(ex.head, ex.args...) == ex)               # expect: callAny[:+, :(a * b), :c]true
println(:(1:n).head, :(1:n).args, :(v[2]).head, :(x && y).head)          # expect: callAny[:(:), 1, :n]ref&&
Expr(:nonsense, 1)                                                       # expect error E0306
