# The cases of the merge operator.
A = Model(a = 1, v = Var(init = 1.0), c = Model(x = 1, y = 2), equations = :[p = 1])
B = A | Map(a = 2, v = Var(start = 3.0), c = Map(x = 5), new = 7, equations = :[q = 2])
println(keys(B))                                    # expect: [:a, :v, :c, :equations, :new]
println(B[:a], B[:v], B[:c][:x], B[:c][:y], B[:equations] == :[p = 1; q = 2])   # expect: 2Var(init = 1.0, start = 3.0)52true
println(A[:a], A[:c][:x])                           # expect: 11
println(keys(A | Map(c = nothing)), haskey(A | Map(zz = nothing), :zz))         # expect: [:a, :v, :equations]false
println(keys((A | Map(c = redeclare | Model(z = 3)))[:c]))   # expect: [:_redeclare, :z]
println((A | Map(v = 4.0))[:v])                     # expect: 4.0
println(haskey(A | Map(w = Var(init = nothing)), :w), (A | Map(v = Var(init = nothing)))[:v])   # expect: falseVar()
# An element is added with what is `nothing` in it.
using Modia3D
E = Model3D(world = Object3D(feature = Scene())) | Map(eye = SensorResult(object = :world, objectOrigin = nothing))
println(haskey(E, :eye))                            # expect: true
