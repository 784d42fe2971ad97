# Integer and float arithmetic, promotion, printing.
println(7 / 2, 7 ÷ 2, 7 % 3, -7 % 3, mod(-7, 3), 2^10, 2^-1, 2.0^0.5)     # expect: 3.531-1210240.51.4142135623730951
println(1 / 0, -1 / 0.0, 0 / 0, true + true, 1 + 2.5, 1 == 1.0, 1 === 1.0)   # expect: Inf-InfNaN23.5truefalse
println(1e6, " ", 123456.0, " ", 1e-5, " ", 0.0001, " ", 0.1 + 0.2, " ", 1e100)   # expect: 1.0e6 123456.0 1.0e-5 0.0001 0.30000000000000004 1.0e100
println(round(2.5), round(-1.6), floor(Int, 2.7), ceil(2.1), trunc(-2.7), round(3.14159, digits = 2))   # expect: 2.0-2.023.0-2.03.14
println(div(7, 2), rem(7, 3), gcd(12, 18), abs(-3), sign(-2.0), clamp(5, 1, 3), min(1, 2.0), max(3, 2))   # expect: 3163-1.031.03
println(isapprox(1.0, 1.0 + 1e-10), 1 ≈ 1.1, isnan(NaN), isfinite(1.0), iseven(2))   # expect: truefalsetruetruetrue
println(typeof(1), typeof(1.0), typeof(1f0 + 1), Float64(1), Int(2.0), convert(Float64, 3))   # expect: Int64Float64Float321.023.0
1 ÷ 0   # expect error E0316
