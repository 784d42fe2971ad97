# Nested values are equal or not down to a thousand levels; deeper ones, and such that contain themselves, are an error
# and not silently different.
nest(n) = n == 0 ? Any[1] : Any[nest(n - 1)]
println(nest(300) == nest(300), " ", nest(300) == nest(301), " ", isequal(nest(900), nest(900)))
# expect: true false true
function deep(n)
    a = Any[1]
    for i in 1:n
        a = Any[a]
    end
    a
end
function refused(f)
    try
        f()
    catch e
        return e isa StackOverflowError
    end
    false
end
a = deep(100000); b = deep(100000)
c = Any[1]; push!(c, c)
println(refused(() -> a == b), refused(() -> isequal(a, b)), refused(() -> a in [b]), refused(() -> c == c))
# expect: truetruetruetrue
a == b  # expect error E0004
