f(x) = x + 1
f(x, y) = x*y
f(x::String) = "text $x"
println(f(2), " ", f(2, 3), " ", f("a"))  # expect: 3 6 text a
function g(a, b = 2; c, d = c + 1)
    s = a + b
    return s, c, d
end
println(g(1, c = 10))        # expect: (3, 10, 11)
println(g(1, 5; c = 1, d = 0)) # expect: (6, 1, 0)
h(args...; kwargs...) = (length(args), length(kwargs))
println(h(1, 2, 3, k = 1))   # expect: (3, 1)
println(f([2, 3]...))        # expect: 6
fact(n) = n <= 1 ? 1 : n*fact(n - 1)
println(fact(10))            # expect: 3628800
function last_value(x)
    if x > 0
        "positive"
    else
        "not positive"
    end
end
println(last_value(1), ", ", last_value(-1)) # expect: positive, not positive
k(::Val{true}) = "yes"
k(::Val{false}) = "no"
println(k(Val(true)), k(Val(false)))         # expect: yesno
f(x) = x + 100               # the same signature replaces the method
println(f(1))                # expect: 101
c = 5
q(; c) = c
println(q(; c))              # expect: 5
apply(fn, x) = fn(x)
println(apply(sin, 0.0))     # expect: 0.0
t(x::Int) = "int"
t(x::Float64) = "float"
t(x) = "other"
println(t(1), t(1.0), t(:a)) # expect: intfloatother
typed(x)::Float64 = x
println(typed(2))            # expect: 2.0
