# Dotted operators and calls extend singleton dimensions.
println([1, 2] .+ [10 20], [1, 2, 3] .^ 2, sqrt.([4, 9]))   # expect: [11 21; 12 22][1, 4, 9][2.0, 3.0]
println(max.([1, 5], 3), [1, 2] .== [1, 3], 2 .* [1.5, 2])  # expect: [3, 5]Bool[1, 0][3.0, 4.0]
f(x, y) = 10x + y
println(f.([1, 2], 3), f.(1, (2, 3)))                       # expect: [13, 23](12, 13)
x = [1.0, 2.0]
x .= x .* 2 .+ 1
x .-= 1
println(x)                                                  # expect: [2.0, 4.0]
[1, 2] .+ [1, 2, 3]                                         # expect error E0307
