# Commas make vectors, blanks rows, semicolons and lines columns.
println([1, 2, 3])            # expect: [1, 2, 3]
println([1, 2.5])             # expect: [1.0, 2.5]
println([1 2; 3 4])           # expect: [1 2; 3 4]
println(size([1 2 3]))        # expect: (1, 3)
println(size([1; 2; 3]))      # expect: (3,)
println(size([1 2;]))         # expect: (1, 2)
println(size([1; 2;;]))       # expect: (2, 1)
println(length([]))           # expect: 0
v = [
    1.0
    2.0
]
println(v)                    # expect: [1.0, 2.0]
M = [1.0 2.0
     3.0 4.0]
println(M)                    # expect: [1.0 2.0; 3.0 4.0]
println(length([-2 -3]))      # expect: 2
a = 5; b = 3
println([a-b b])              # expect: [2 3]
println([a - b  b])           # expect: [2 3]
println([a -b])               # expect: [5 -3]
println([v; 3.0])             # expect: [1.0, 2.0, 3.0]
println([v v])                # expect: [1.0 1.0; 2.0 2.0]
println([i^2 for i in 1:4])   # expect: [1, 4, 9, 16]
println([i for i in 1:6 if i % 2 == 0]) # expect: [2, 4, 6]
println([i*j for i in 1:2, j in 1:3])   # expect: [1 2 3; 2 4 6]
println([
    1,   # a comment between elements
    2,
])                            # expect: [1, 2]
println(Float64[1, 2])        # expect: [1.0, 2.0]
println(["a", "b"])           # expect: ["a", "b"]
println(zeros(0))             # expect: Float64[]
println([true, false])        # expect: Bool[1, 0]
