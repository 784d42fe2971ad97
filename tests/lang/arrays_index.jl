# Column-major, from 1; slices copy; logical and lists of indices.
A = [1 2 3; 4 5 6]
println(A[2, 3], A[2, :], A[:, 2], A[1, 2:end], A[end], A[:])   # expect: 6[4, 5, 6][2, 5][2, 3]6[1, 4, 2, 5, 3, 6]
v = [10, 20, 30, 40]
println(v[[1, 3]], v[v .> 15], v[end - 1], v[begin])            # expect: [10, 30][20, 30, 40]3010
v[2:3] = [0, 1]
v[4] += 5
println(v)                                                       # expect: [10, 0, 1, 45]
A[:, 1] .= 9
println(A)                                                       # expect: [9 2 3; 9 5 6]
v[5]                                                             # expect error E0304
