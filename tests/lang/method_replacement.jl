# A definition with the same parameter types replaces the method, another arity adds one.
f(x) = "old"
f(x, y) = "two"
f(x) = "new"
println(f(1), " ", f(1, 2))   # expect: new two
