# Deviations have the unit of the data, variances its square.
using Statistics
println(std([1.0u"m", 3.0u"m"]) ≈ sqrt(2)*u"m", " ", var([1.0u"m", 3.0u"m"]) ≈ 2.0u"m^2")
# expect: true true
