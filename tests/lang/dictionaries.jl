# Insertion order, any key, defaults.
d = OrderedDict{Symbol,Any}(:b => 1, :a => "x")
d[:c] = [1]
println(keys(d), values(d), haskey(d, :a), get(d, :z, 0), length(d))   # expect: [:b, :a, :c]Any[1, "x", [1]]true03
delete!(d, :b)
println(d, pop!(d, :a), d)                         # expect: OrderedDict(:c => [1])xOrderedDict(:c => [1])
e = Dict(1 => "one", "k" => 2, (1, 2) => 3)
println(e[1], e["k"], e[(1, 2)], e[1.0])           # expect: one23one
println(merge(Dict(:a => 1), Dict(:a => 2, :b => 3)) == Dict(:b => 3, :a => 2))   # expect: true
println(get!(d, :n, 5), d[:n])                     # expect: 55
d[:cc]                                             # expect error E0305
