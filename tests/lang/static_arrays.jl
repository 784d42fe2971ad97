# Static arrays compute like others and keep their kind.
using StaticArrays
a = SVector(1.0, 2.0, 3.0)
b = SVector{3,Float64}([1, 1, 1])
println(a + b, 2a, a[2], typeof(a + b))     # expect: [2.0, 3.0, 4.0][2.0, 4.0, 6.0]2.0SVector{3, Float64}
println(SMatrix{2,2}([1 2; 3 4]) * [1, 1], @SVector([1, 2]), a == [1, 2, 3])   # expect: [3, 7][1, 2]true
SVector{2}(1, 2, 3)                         # expect error E0307
