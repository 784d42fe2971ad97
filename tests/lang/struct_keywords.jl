# @kwdef gives a struct a constructor with keywords and defaults.
Base.@kwdef mutable struct Options
    tolerance = 1e-6
    steps::Int = 2 * 50
    name
end
o = Options(name = "a", steps = 3)
println(o.tolerance, " ", o.steps, " ", o.name, " ", Options(; name = "b").steps)   # expect: 1.0e-6 3 a 100
