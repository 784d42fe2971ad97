# Merging keeps order, replaces values, merges dictionaries, and nothing deletes.
using Modia
A = Model(p = 1.0, q = Model(r = 2.0, s = 3.0), x = Var(init = 0.5))
B = A | Map(p = 5.0, q = Map(r = 7.0), z = 9.0)
println(B[:p], " ", B[:q][:r], " ", B[:q][:s], " ", B[:z]) # expect: 5.0 7.0 3.0 9.0
println(A[:p], " ", A[:q][:r])     # expect: 1.0 2.0
C = B | Map(z = nothing)
println(haskey(C, :z), haskey(B, :z)) # expect: falsetrue
D = A | Map(x = Var(init = 2.0, min = 0.0))
println(D[:x][:init], " ", D[:x][:min]) # expect: 2.0 0.0
E = A | Map(x = Map(init = 4.0))
println(E[:x][:init])              # expect: 4.0
println(A == Model(p = 1.0, q = Model(r = 2.0, s = 3.0), x = Var(init = 0.5))) # expect: true
println(A == B)                    # expect: false
println(get(A, :nothere, -1))      # expect: -1
println([k for k in keys(Map(b = 1, a = 2, c = 3)) if k != :_class]) # expect: [:b, :a, :c]
