A = [1.0 2.0; 3.0 4.0]
v = [5.0, 6.0]
println(A[2, 1], " ", A[3])     # expect: 3.0 2.0
println(A[:, 2])                # expect: [2.0, 4.0]
println(A[1, :])                # expect: [1.0, 2.0]
println(v[end], " ", v[end - 1]) # expect: 6.0 5.0
println([1, 2, 3, 4][2:3])      # expect: [2, 3]
println((1:10)[3])              # expect: 3
v[2] = 7
println(v)                      # expect: [5.0, 7.0]
println(A*v)                    # expect: [19.0, 43.0]
println(A*A)                    # expect: [7.0 10.0; 15.0 22.0]
println(A')                     # expect: [1.0 3.0; 2.0 4.0]
println([2.0 0.0; 0.0 4.0]\[2.0, 8.0]) # expect: [1.0, 2.0]
println(v'*v)                   # expect: 74.0
println(2*v, v/2)               # expect: [10.0, 14.0][2.5, 3.5]
println(v .* v)                 # expect: [25.0, 49.0]
println(v .+ 1)                 # expect: [6.0, 8.0]
println(v .> 6)                 # expect: Bool[0, 1]
println(sqrt.([4.0, 9.0]))      # expect: [2.0, 3.0]
println(zeros(2), ones(2), fill(3, 2)) # expect: [0.0, 0.0][1.0, 1.0][3, 3]
println(size(zeros(2, 3)), size(zeros(2, 3), 2)) # expect: (2, 3)3
println(sum([1, 2, 3]), " ", prod([1, 2, 4]), " ", maximum([3, 9, 2])) # expect: 6 8 9
println(vcat([1, 2], [3]))      # expect: [1, 2, 3]
println(append!([1], [2, 3]))   # expect: [1, 2, 3]
println(push!([1], 2))          # expect: [1, 2]
println(collect(1:2:7))         # expect: [1, 3, 5, 7]
println(sort([3, 1, 2]))        # expect: [1, 2, 3]
println(reverse([1, 2, 3]))     # expect: [3, 2, 1]
w = copy(v); w[1] = 0.0
println(v[1])                   # expect: 5.0
println(union([1, 2], [2, 3]))  # expect: [1, 2, 3]
for (i, x) in enumerate(["a", "b"])
    println(i, x)
end
# expect: 1a
# expect: 2b
for (x, y) in zip([1, 2], [3, 4])
    print(x*y, " ")
end
println()                       # expect: 3 8
