# One or more iterations, filters, nested ones, lazily in reductions.
println([i^2 for i in 1:4])                      # expect: [1, 4, 9, 16]
println([10i + j for i in 1:2, j in 1:3])        # expect: [11 12 13; 21 22 23]
println([i for i in 1:10 if i % 3 == 0])         # expect: [3, 6, 9]
println([(i, j) for i in 1:2 for j in 1:i])      # expect: [(1, 1), (2, 1), (2, 2)]
println(sum(i^2 for i in 1:10), maximum(abs(x) for x in [-3, 2]))   # expect: 3853
println(Dict(k => length(k) for k in ["a", "bb"]))    # expect: OrderedDict("a" => 1, "bb" => 2)
i = 7
println([i for i in 1:2], i)                     # expect: [1, 2]7
# An empty one has the type that its items would have had.
println([i for i in 1:0], [i/2 for i in 1:0], [0.5*i for i in 1:0], [i > 1 for i in 1:0])  # expect: Int64[]Float64[]Float64[]Bool[]
