# A do block is a function given as first argument.
r = map([1, 2, 3]) do x
    y = x + 1
    y^2
end
println(r)     # expect: [4, 9, 16]
twice(f, x; n = 2) = n == 0 ? x : twice(f, f(x); n = n - 1)
println(twice(5; n = 3) do v
    2v
end)           # expect: 40
