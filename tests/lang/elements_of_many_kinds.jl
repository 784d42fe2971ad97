# Arrays whose elements do not tell one type say so, as in the reference.
println([1, "a", :b])             # expect: Any[1, "a", :b]
println(Any[missing, 1.0])        # expect: Any[missing, 1.0]
println([["a"], ["b", "c"]])      # expect: [["a"], ["b", "c"]]
println([sin, cos])               # expect: [sin, cos]
println(Float32[1, 2.5])          # expect: Float32[1.0, 2.5]
@show (1, "a")                    # expect: (1, "a") = (1, "a")
@show [1e-5, 2]                   # expect: [1.0e-5, 2] = [1.0e-5, 2.0]
# An array in itself, and one nested deeper than anybody reads.
a = [1, "b"]
a[1] = a
println(typeof(a))                # expect: Vector{Any}
deep = [1, "a"]
for i in 1:100000
    global deep = [deep]
end
println(typeof(deep) isa DataType) # expect: true
