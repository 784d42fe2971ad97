total = 0
for i in 1:10
    global total
    if i == 3
        continue
    elseif i > 5
        break
    end
    total += i
end
println(total)            # expect: 12
n = 0
while true
    global n += 1
    n >= 4 && break
end
println(n)                # expect: 4
for i = 1:2, j in 1:2
    print(i, j, " ")
end
println()                 # expect: 11 12 21 22
for x in (1, "a", :b)
    print(x, ";")
end
println()                 # expect: 1;a;b;
x = if false
    1
else
    2
end
println(x)                # expect: 2
y = begin
    a = 2
    a*3
end
println(y)                # expect: 6
z = let a = 10, b = 2
    a/b
end
println(z, " ", a)        # expect: 5.0 2
(p, q) = (1, 2)
p, q = q, p
println(p, q)             # expect: 21
for k in 3:-1:1
    print(k)
end
println()                 # expect: 321
w = (1; 2; 3)
println(w)                # expect: 3
for c in "ab"
    print(c, "-")
end
println()                 # expect: a-b-
