# for over ranges, arrays, tuples, text, dictionaries; while; break and continue.
for i in 3:-1:1
    print(i)
end
println()                      # expect: 321
for (k, v) in Dict("a" => 1), c in "xy"
    print(k, v, c, " ")
end
println()                      # expect: a1x a1y
n = 0
while true
    global n += 1
    n == 2 && continue
    n > 3 && break
    print(n)
end
println()                      # expect: 13
for (i, x) in enumerate([5, 6])
    print(i, ":", x, " ")
end
println()                      # expect: 1:5 2:6
for (a, b) in zip(1:2, "xy")
    print(a, b)
end
println()                      # expect: 1x2y
for x in 0:0.1:0.3
    print(x, " ")
end
println()                      # expect: 0.0 0.1 0.2 0.3
# Ranges are not walked along where a look at their ends will do.
println(sum(1:10^9), " ", maximum(1:10^18), " ", minimum(9:-2:0), " ", sum(1:0))   # expect: 500000000500000000 1000000000000000000 1 0
println(7 in 1:2:10^18, 8 in 1:2:10^18, 0.5 in 1:10^18, 2.0 in 1:3)               # expect: truefalsefalsetrue
