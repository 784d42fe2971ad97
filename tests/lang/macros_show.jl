# @show prints text and value and gives the value back.
x = [1, 2]
y = @show x         # expect: x = [1, 2]
@show 1 + 1 "s"     # expect: 1 + 1 = 2
# expect: "s" = "s"
println(y)          # expect: [1, 2]
@assert x[1] == 1
@assert x[1] == 2 "first"   # expect error E0309
