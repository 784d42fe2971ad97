# Int with Int stays Int but for '/'; mixed arithmetic promotes; Bool counts as 0 and 1.
println(7 + 2)        # expect: 9
println(7/2)          # expect: 3.5
println(6/2)          # expect: 3.0
println(2*3.0)        # expect: 6.0
println(2^10)         # expect: 1024
println(2^-1)         # expect: 0.5
println(2.0^3)        # expect: 8.0
println(7 % 3)        # expect: 1
println(-7 % 3)       # expect: -1
println(div(7, 2))    # expect: 3
println(mod(-7, 3))   # expect: 2
println(rem(-7, 3))   # expect: -1
println(true + true)  # expect: 2
println(true*2.5)     # expect: 2.5
println(5 == 5.0)     # expect: true
println(NaN == NaN)   # expect: false
println(isequal(NaN, NaN)) # expect: true
println(abs(-3), " ", abs(-3.5)) # expect: 3 3.5
println(min(2, 3), " ", max(2.0, 3)) # expect: 2 3.0
println(round(2.5), " ", floor(2.7), " ", ceil(2.1)) # expect: 2.0 2.0 3.0
println(sqrt(16))     # expect: 4.0
println(sign(-2.0))   # expect: -1.0
println([1.0, 2f0])          # expect: [1.0, 2.0]
println([1f0 2; true 4])     # expect: Float32[1.0 2.0; 1.0 4.0]
println(typeof([1, 2f0]))    # expect: Vector{Float32}
