# Quantities: arithmetic, conversion, printing.
println(2.0u"m" * 3.0u"s^-1", " ", 1u"m" + 50u"cm", " ", 10u"m" / 4u"s", " ", (2u"m")^2)   # expect: 6.0 m s^-1 1.5 m 2.5 m s^-1 4 m^2
println([1.0, 2.0]u"m" .* 2, " ", [180u"°", 0, 0], " ", sin(30u"°") ≈ 0.5)          # expect: [2.0 m, 4.0 m] [3.141592653589793, 0.0, 0.0] true
println(ustrip(3u"km"), " ", stripUnit(3u"km"), " ", unit(1u"s"), " ", uconvert(u"cm", 2u"m"))   # expect: 3 3000.0 s 200.0 cm
println(unitAsParseableString(2.0u"m/s"), " ", sqrt(4.0u"m^2"), " ", 1u"m" == 100u"cm", " ", 1u"m" < 2u"m")   # expect: m*s^-1 2.0 m true true
x = 1u"m"
x + 1u"s"   # expect error E0401
