# A function has its own variables; loops inside share those of the function.
x = 1
function f()
    x = 0
    for i in 1:3
        x += i
    end
    x
end
println(f(), " ", x)      # expect: 6 1
function g()
    global x = 7
    nothing
end
g()
println(x)                # expect: 7
