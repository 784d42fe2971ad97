x = 3
@show x           # expect: x = 3
@show x + 1       # expect: x + 1 = 4
@show "a"         # expect: "a" = "a"
@assert x == 3
@enum Color red green blue
println(green > red, " ", Int(blue)) # expect: true 2
println(green)    # expect: green
