# try, catch, finally; errors carry their kind and text.
function attempt(f)
    try
        f()
    catch e
        return string(typeof(e))
    finally
        print("x")
    end
end
println(attempt(() -> error("a")))       # expect: xErrorException
println(attempt(() -> [1][2]))           # expect: xBoundsError
println(attempt(() -> undefinedName))    # expect: xUndefVarError
println(attempt(() -> 1 + "a"))          # expect: xMethodError
println(attempt(() -> Dict()[1]))        # expect: xKeyError
println(attempt(() -> 1u"m" + 1u"s"))    # expect: xDimensionError
println(attempt(() -> 5))                # expect: x5
try
    throw((1, "two"))
catch e
    println(e[2])                        # expect: two
end
z = try parse(Int, "x") catch; -1 end
println(z)                               # expect: -1
