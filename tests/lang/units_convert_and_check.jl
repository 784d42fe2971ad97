using Modia
println(2.0u"m" + 50.0u"cm")      # expect: 2.5 m
println(10.0u"m"/(4.0u"s"))       # expect: 2.5 m s^-1
println(3.0u"N"*2.0u"m")          # expect: 6.0 m N
println(uconvert(u"m", 250.0u"mm")) # expect: 0.25 m
println(ustrip(u"km", 1500.0u"m")) # expect: 1.5
println(1.0u"minute" == 60.0u"s") # expect: true
println(5.0u"Ω")                  # expect: 5.0 Ω
println(2.0u"m" > 150.0u"cm")     # expect: true
println(sqrt(4.0u"m^2"))          # expect: 2.0 m
