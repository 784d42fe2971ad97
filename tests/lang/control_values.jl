# if, ternary, begin and let have values.
x = if 1 > 2
    "a"
elseif 2 > 1
    "b"
else
    "c"
end
println(x, 1 < 2 ? "yes" : "no")            # expect: byes
y = begin
    t = 3
    t + 1
end
println(y, let a = 2, b = a; a * b end)     # expect: 44
println(1 < 2 < 3, 1 < 3 < 2, (true || error("not reached")))   # expect: truefalsetrue
if 1                                        # expect error E0302
end
