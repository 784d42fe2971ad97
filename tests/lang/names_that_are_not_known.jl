lenght = 3
println(lenght)      # expect: 3
println(lenghts + 1) # expect error E0301
