# The finally block runs on return, break, continue and errors.
function f(k)
    for i in 1:2
        try
            k == 1 && return "return"
            k == 2 && break
            k == 3 && continue
            k == 4 && error("inner")
        finally
            print(i, " ")
        end
    end
    "end"
end
println(f(1))    # expect: 1 return
println(f(2))    # expect: 1 end
println(f(3))    # expect: 1 2 end
try
    f(4)
catch e
    println(e.msg)   # expect: 1 inner
end
