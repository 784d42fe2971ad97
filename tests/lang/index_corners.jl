# `end` belongs to the innermost thing that is indexed, also inside an array of indices.
a = [10, 20, 30]
println(a[[1, end]])              # expect: [10, 30]
println(a[[end; 1]])              # expect: [30, 10]
b = [1, 3]
println(a[[b[end], end - 1]])     # expect: [30, 20]
M = [1 2 3; 4 5 6]
println(M[end, [1, end]])         # expect: [4, 6]
# Without an index an array must have exactly one element.
println([5][])                    # expect: 5
for x in ([], [1, 2])
    try
        x[]
        println("?")
    catch e
        println(typeof(e))
    end
end
# expect: BoundsError
# expect: BoundsError
