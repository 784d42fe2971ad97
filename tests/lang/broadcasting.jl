v = [1.0, 4.0, 9.0]
println(sqrt.(v))               # expect: [1.0, 2.0, 3.0]
println(v .^ 2)                 # expect: [1.0, 16.0, 81.0]
println(2 .* v .+ 1)            # expect: [3.0, 9.0, 19.0]
f(x, y) = x*y
println(f.(v, 2))               # expect: [2.0, 8.0, 18.0]
println(f.([1, 2], [3, 4]))     # expect: [3, 8]
println([1, 2] .+ [10 20])      # expect: [11 21; 12 22]
println(ismissing.([1, missing])) # expect: Bool[0, 1]
w = zeros(3)
w .= v .- 1
println(w)                      # expect: [0.0, 3.0, 8.0]
println(string.(["a", "b"], 1)) # expect: ["a1", "b1"]
println([1, 2, 3] .== [1, 5, 3]) # expect: Bool[1, 0, 1]
