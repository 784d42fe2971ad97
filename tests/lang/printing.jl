# The format of the reference.
println([1.0, 2.0], [1 2; 3 4], (1,), "s", :s, 'c', nothing, missing, true)   # expect: [1.0, 2.0][1 2; 3 4](1,)sscnothingmissingtrue
@show "s" :s [1.5, 2]       # expect: "s" = "s"
# expect: :s = :s
# expect: [1.5, 2] = [1.5, 2.0]
print("a", 1)
println()                   # expect: a1
