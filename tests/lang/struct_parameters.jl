# A parametric struct takes its parameter from the fields or from the call.
struct Pair2{T}
    a::T
    b::T
end
println(Pair2(1, 2), Pair2{Float64}(1, 2))      # expect: Pair2{Int64}(1, 2)Pair2{Float64}(1.0, 2.0)
total(p::Pair2{Int}) = "ints"
total(p::Pair2) = "others"
println(total(Pair2(1, 2)), total(Pair2(1.0, 2.0)))   # expect: intsothers
struct Box{F}
    v::Vector{F}
    Box{F}(n) where {F} = new{F}(zeros(F, n))
end
println(Box{Float64}(2).v)                       # expect: [0.0, 0.0]
