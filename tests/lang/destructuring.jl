# Tuples, nested tuples and the rest.
a, b = 1, 2
a, b = b, a
println(a, b)            # expect: 21
(p, q), r = (1, 2), 3
println(p + q + r)       # expect: 6
first, others... = [1, 2, 3]
println(first, others)   # expect: 1[2, 3]
x, y = (1,)              # expect error E0304
