using Test
# expect status 5
@test 1 == 2       # expect error E0312
println("goes on") # expect: goes on
