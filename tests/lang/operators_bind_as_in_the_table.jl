# The precedence table of the language, one line a rule.
println(-2^2)              # expect: -4
println((-2)^2)            # expect: 4
println(2^3^2)             # expect: 512
println(1/2*4)             # expect: 2.0
println(2 - 3 - 4)         # expect: -5
a = 3
println(2a^2)              # expect: 18
println(12/2a)             # expect: 2.0
println(2(a + 1))          # expect: 8
println(1:2 + 3)           # expect: 1:5
println(1 + 2 < 4 && 2 > 1) # expect: true
println(false && true || true) # expect: true
println(!true || true)     # expect: true
println(a > 2 ? "yes" : "no") # expect: yes
println(a > 5 ? "a" : a > 2 ? "b" : "c") # expect: b
x = y = 4
println(x, y)              # expect: 44
x += 2; x -= 1; x *= 3; x /= 5
println(x)                 # expect: 3.0
println(1 < 2 < 3)         # expect: true
println(1 < 3 < 2)         # expect: false
println(2 in [1, 2, 3])    # expect: true
println(3 === 3, 3 === 3.0) # expect: truefalse
println("a" => 1)          # expect: "a" => 1
