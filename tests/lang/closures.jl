# Functions keep the variables they were made with, and share them.
function counter()
    n = 0
    up() = (n += 1)
    get() = n
    return up, get
end
up, get = counter()
up()
up()
println(get())                   # expect: 2
fs = []
for i in 1:3
    push!(fs, () -> i^2)
end
println([f() for f in fs])       # expect: [1, 4, 9]
add(a) = b -> a + b
println(add(2)(3))               # expect: 5
