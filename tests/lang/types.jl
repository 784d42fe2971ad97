# typeof, isa, <:, conversion by annotation.
println(typeof([1.0]), typeof("a"), typeof(1:2), typeof((1, "a")), typeof(nothing))   # expect: Vector{Float64}StringUnitRange{Int64}Tuple{Int64, String}Nothing
println(1 isa Int, 1 isa Real, Int <: Number, Vector{Int} <: AbstractVector, [1] isa Vector{Float64})   # expect: truetruetruetruefalse
f(x)::Float64 = x
g(x::T) where {T<:Real} = T
y::Float64 = 3
println(f(1), g(2), y, isnothing(nothing), ismissing(missing))    # expect: 1.0Int643.0truetrue
Int(2.5)    # expect error E0316
