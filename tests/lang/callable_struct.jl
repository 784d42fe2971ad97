# Instances of a struct can be called like functions.
struct Polynomial
    coefficients
end
(p::Polynomial)(x) = sum(c * x^(i - 1) for (i, c) in enumerate(p.coefficients))
p = Polynomial([1, 2, 3])
println(p(2), " ", map(p, [0, 1]))   # expect: 17 [1, 6]
f = sqrt ∘ abs
println(f(-4), " ", findfirst(isequal(3), [1, 3]), " ", filter(>(1), [1, 2]))   # expect: 2.0 2 [2]
Polynomial([1])("a", 2)              # expect error E0303
