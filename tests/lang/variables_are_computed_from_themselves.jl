# x = f(x): the right side sees the old value, also where x is the last variable of its scope.
f(a = 3.0, b = 1.0; k = 2.0) = a + b + k
twice(a) = 2a
for i in 1:1
    x = 4.0
    x = sqrt(x)
    println(x)                          # expect: 2.0
    x = max(x, x + 1)
    println(x)                          # expect: 3.0
    x = f(x, twice(x); k = x)
    println(x)                          # expect: 12.0
    x = twice.([x, x])
    println(x)                          # expect: [24.0, 24.0]
    x = f(x...)
    println(x)                          # expect: 50.0
    x = x |> twice |> twice
    println(x)                          # expect: 200.0
    x = @show x                         # expect: x = 200.0
    x = (@assert x > 100; x + 1)
    println(x)                          # expect: 201.0
    x = @assert x > 100
    println(x)                          # expect: nothing
end
function alone(x)
    x = string(x, length(x))
    x
end
println(alone("ab"))                    # expect: ab2
let y = [1.0, 2.0]
    y = reshape(y, size(y, 1), :)
    println(size(y))                    # expect: (2, 1)
end
println((z -> (z = f(z, z); z))(1))     # expect: 4.0
println([(k = twice(k); k) for k in 1:3])   # expect: [2, 4, 6]
# What fails leaves the variable as it was.
function kept()
    x = "abc"
    try
        x = sqrt(x)
    catch
    end
    x
end
println(kept())                         # expect: abc
