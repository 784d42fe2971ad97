# A Var does not replace a scalar; the script is told so.
A = Model(a = 1)
B = A | Map(a = Var(init = 1.0))    # expect warning E0501
println(B[:a])                      # expect: 1
