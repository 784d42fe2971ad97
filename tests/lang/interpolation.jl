# Tables over an equidistant grid: natural cubic spline and straight lines.
xs = 0:0.5:2
table = CubicSplineInterpolation(xs, [x^2 for x in xs])
println(table(0.5), " ", table(2.0), " ", isapprox(table(1.25), 1.25^2, atol = 0.02))   # expect: 0.25 4.0 true
line = LinearInterpolation(0:1, [10.0, 20.0]u"m")
println(line(0.25))     # expect: 12.5 m
# A natural spline reproduces straight lines exactly, also between the points.
straight = CubicSplineInterpolation(0:3, [1.0, 3.0, 5.0, 7.0])
println(straight(1.75)) # expect: 4.5
table(2.5)              # expect error E0304
