# A constant keeps its value.
const g = 9.81
println(g)      # expect: 9.81
g = 10          # expect error E0311
