# A loop at top level assigns a global that exists; other names are local to the loop.
s = 0
for i in 1:4
    s += i
    t = i
end
println(s)                # expect: 10
println(@isdefined(t))    # expect: false
