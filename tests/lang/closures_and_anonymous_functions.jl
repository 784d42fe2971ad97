add(n) = x -> x + n
plus2 = add(2)
println(plus2(5))                      # expect: 7
println(map(x -> x^2, [1, 2, 3]))      # expect: [1, 4, 9]
println(filter(x -> x > 1, [1, 2, 3])) # expect: [2, 3]
function counter()
    n = 0
    () -> (n += 1; n)
end
tick = counter()
tick()
println(tick())                        # expect: 2
println(sum(x -> 2x, [1, 2]))          # expect: 6
result = map([1, 2]) do x
    y = x + 1
    y*10
end
println(result)                        # expect: [20, 30]
compose(f, g) = (args...) -> f(g(args...))
println(compose(x -> 2x, max)(3, 9))   # expect: 18
println(((a, b) -> a - b)(5, 3))       # expect: 2
fs = [x -> x + i for i in 1:3]
println([f(10) for f in fs])           # expect: [11, 12, 13]
