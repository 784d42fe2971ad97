# Rounding by a mode, whole turns, and elementwise && and ||. Turns of large angles from 60 digits of pi.
println(round(2.5), round(2.5, RoundUp), round(-2.5, RoundUp), round(2.5, RoundDown), round(-2.7, RoundToZero), round(-2.1, RoundFromZero))   # expect: 2.03.0-2.02.0-2.0-3.0
println(round(2.5, RoundNearestTiesAway), round(-2.5, RoundNearestTiesAway), round(-2.5, RoundNearestTiesUp), round(0.49999999999999994, RoundNearestTiesUp))   # expect: 3.0-3.0-2.00.0
println(round(Int, 2.1, RoundUp), round(2.345, RoundDown, digits = 2), round(7, RoundUp), RoundUp)   # expect: 32.347RoundUp
println(rem2pi(7.0, RoundNearest), " ", rem2pi(4.0, RoundNearest), " ", rem2pi(-7.0, RoundNearest))   # expect: 0.7168146928204135 -2.2831853071795867 -0.7168146928204135
println(rem2pi(7.0, RoundUp), " ", rem2pi(7.0, RoundDown), " ", rem2pi(-7.0, RoundToZero), " ", rem2pi(-1.0, RoundDown))   # expect: -5.566370614359173 0.7168146928204135 -0.7168146928204135 5.283185307179586
println(mod2pi(7.0), " ", mod2pi(-1e-20), " ", mod2pi(3.0), " ", mod2pi(1e22), " ", rem2pi(0.0, RoundUp), " ", rem2pi(Inf, RoundNearest))   # expect: 0.7168146928204135 6.283185307179586 3.0 5.263007914620499 0.0 NaN
println([true, false, true] .&& [true, true, false], [true, false] .|| [false, false], [1, 5, 9] .> 2 .&& [1, 5, 9] .< 8)   # expect: Bool[1, 0, 0]Bool[1, 0]Bool[0, 1, 0]
println(true .&& [1 2; 3 4], false .|| 7)   # expect: [1 2; 3 4]7
a = [true, false]
a .&&= [false, true]
println(a)   # expect: Bool[0, 0]
println(mod1(5.0u"m", 3.0u"m"), " ", divrem(7.0u"m", 200.0u"cm"))   # expect: 2.0 m (3.0, 1.0 m)
println(try round(3.14159, 2) catch e; "digits are a keyword" end)   # expect: digits are a keyword
println(try rem2pi(1.0, RoundFromZero) catch e; "no such turn" end)   # expect: no such turn
[1, 2] .&& [true, true]   # expect error E0302
