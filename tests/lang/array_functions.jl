# The usual functions over arrays.
v = [3, 1, 2]
println(sort(v), sortperm(v), sort(v, rev = true), reverse(v), cumsum(v))   # expect: [1, 2, 3][2, 3, 1][3, 2, 1][2, 1, 3][3, 4, 6]
push!(v, 9)
append!(v, [7, 8])
println(pop!(v), popfirst!(v), v)                      # expect: 83[1, 2, 9, 7]
insert!(v, 1, 5)
deleteat!(v, 2)
println(v, length(v), sum(v), prod(v), maximum(v), extrema(v))   # expect: [5, 2, 9, 7]4236309(2, 9)
println(map(x -> 2x, v), filter(isodd, v), reduce(max, v), any(v .> 8), all(>(1), v), count(iseven, v))   # expect: [10, 4, 18, 14][5, 9, 7]9truetrue1
println(zeros(2), ones(1, 2), fill(7, 2), collect(1:3), range(0, 1, length = 3), union([1, 2], [2, 3]), unique([1, 1]))   # expect: [0.0, 0.0][1.0 1.0][7, 7][1, 2, 3]0.0:0.5:1.0[1, 2, 3][1]
println(findfirst(==(9), v), findall(x -> x > 6, v), argmax(v), in(9, v), vcat(v, 1), reshape(1:4, 2, 2))   # expect: 3[3, 4]3true[5, 2, 9, 7, 1][1 3; 2 4]
