# zero and one of a value; piping into a unit converts; cubes have exact roots.
using Unitful
println(zero(3), " ", zero(2.5), " ", zero(3u"m"), " ", one(3.0u"m"))   # expect: 0 0.0 0 m 1.0
println(zero([1.0, 2.0]), zero(Int), one(Float64), zero([1u"m", 2u"m"])) # expect: [0.0, 0.0]01.0[0 m, 0 m]
println(3.0u"km" |> u"m")             # expect: 3000.0 m
println([1.0, 2.0]u"km" |> u"m")      # expect: [1000.0 m, 2000.0 m]
println(293.15u"K" |> u"°C")          # expect: 20.0 °C
println(all(cbrt(Float64(i)^3) == i for i in 1:1000))  # expect: true
zero("text")                          # expect error E0306
