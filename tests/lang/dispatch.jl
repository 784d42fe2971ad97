# The most specific method that accepts the arguments is called.
kind(x::Int) = "Int"
kind(x::AbstractFloat) = "float"
kind(x::Number) = "number"
kind(x::Vector{Float64}) = "floats"
kind(x::Vector) = "vector"
kind(x::Union{Nothing,String}) = "nothing or text"
kind(x) = "anything"
kind(x, y) = "two"
println(kind(1), " ", kind(1.0), " ", kind(true), " ", kind([1.0]), " ", kind([1]))  # expect: Int float number floats vector
println(kind(nothing), ", ", kind("a"), ", ", kind(:a), ", ", kind(1, 2))            # expect: nothing or text, nothing or text, anything, two
only(x::Int) = x
only("a")    # expect error E0303
