# Rows, columns, blocks, three dimensions.
println([1, 2], [1 2], [1 2; 3 4], [1; 2], [1;;], [])     # expect: [1, 2][1 2][1 2; 3 4][1, 2][1;;]Any[]
println([[1, 2]; 3], [[1 2]; [3 4]], [[1, 2] [3, 4]])     # expect: [1, 2, 3][1 2; 3 4][1 3; 2 4]
println(size([1 2;;; 3 4]), Float64[1, 2], [1, 2.5])      # expect: (1, 2, 2)[1.0, 2.0][1.0, 2.5]
a = 1
println([a -a], [a - a], [a-a 2])                         # expect: [1 -1][0][0 2]
[1 2; 3]                                                  # expect error E0307
