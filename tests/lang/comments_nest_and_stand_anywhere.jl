#= outer
   #= inner =#
   still a comment =#
x = 1 +  # behind an operator
    2
println(x)    # expect: 3
f(a,  # between
  b = 3) = a + b
println(f(1)) # expect: 4
println("# not a comment") # expect: # not a comment
y = 5; println(y) # expect: 5
