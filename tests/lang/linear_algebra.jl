# Products, solutions, norms.
A = [2.0 0.0; 0.0 4.0]
b = [2.0, 4.0]
println(A * b, A \ b, inv(A), A^2)                  # expect: [4.0, 16.0][1.0, 1.0][0.5 0.0; 0.0 0.25][4.0 0.0; 0.0 16.0]
println([1, 2]' * [3, 4], [1, 2] * [3, 4]', A')     # expect: 11[3 4; 6 8][2.0 0.0; 0.0 4.0]
println(norm([3, 4]), dot([1, 2], [3, 4]), cross([1, 0, 0], [0, 1, 0]), det(A), tr(A))   # expect: 5.011[0, 0, 1]8.06.0
y = zeros(2)
mul!(y, A, b)
mul!(y, A, b, 2.0, 1.0)
println(y, Diagonal([1, 2]))                        # expect: [12.0, 48.0][1 0; 0 2]
[1.0 2.0; 2.0 4.0] \ b                              # expect error E0315
