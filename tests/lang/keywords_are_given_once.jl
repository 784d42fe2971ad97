# A keyword stands once in a call; what a splat brings may be replaced.
f(; a = 0, b = 0) = (a, b)
both = (a = 1, b = 2)
println(f(; both..., a = 3))          # expect: (3, 2)
println(f(a = 1, a = 2))              # expect error E0203
