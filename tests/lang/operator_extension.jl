# Operators take methods for own types.
struct V2
    x
    y
end
Base.:+(a::V2, b::V2) = V2(a.x + b.x, a.y + b.y)
import Base: *
*(s::Number, v::V2) = V2(s * v.x, s * v.y)
println(V2(1, 2) + 2 * V2(1, 1))   # expect: V2(3, 4)
println(sum([V2(1, 0), V2(2, 0)]).x)  # expect: 3
