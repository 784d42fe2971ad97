function safe(f)
    try
        return f()
    catch e
        return "caught"
    finally
        print("[finally]")
    end
end
println(safe(() -> 1))                     # expect: [finally]1
println(safe(() -> error("no")))           # expect: [finally]caught
println(safe(() -> [1, 2][5]))             # expect: [finally]caught
println(safe(() -> undefined_name + 1))    # expect: [finally]caught
message = try
    error("the valve is ", "stuck")
catch e
    e.msg
end
println(message)                           # expect: the valve is stuck
r = try
    throw(ArgumentError("bad"))
catch err
    err isa ArgumentError
end
println(r)                                 # expect: true
inner = try
    try
        error("a")
    catch
        rethrow()
    end
catch e
    "again: " * e.msg
end
println(inner)                             # expect: again: a
