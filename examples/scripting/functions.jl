# The script side of the language: functions, closures, arrays, units, errors, tests.
#
# Expect: a table of values and a summary of three passed tests.

# A function with a default, a keyword, and a second method chosen by the type of its argument.
area(r::Float64; scale = 1.0) = pi*r^2*scale
area(sides::Tuple) = sides[1]*sides[2]

# A function that returns a function.
function counter(start = 0)
    n = start
    return () -> (n += 1; n)
end

next = counter(10)
println(area(2.0), " ", area((3, 4)), " ", next(), " ", next())

# Arrays are column-major, 1-based, and broadcast with a dot.
A = [2.0 1.0; 1.0 3.0]
b = [1.0, 2.0]
x = A \ b
println("x = ", x, ", residual = ", maximum(abs.(A*x - b)) < 1e-15)
println([i^2 for i in 1:10 if isodd(i)])

# Units are checked and converted.
distance = 2.5u"km" + 300u"m"
println(distance, " in 0.2 hr is ", uconvert(u"m/s", distance/0.2u"hr"))

result = try
    1u"m" + 1u"s"
catch error
    "an error that a script can catch"
end
println(result)

using Test
@testset "areas" begin
    @test area(1.0) ≈ pi
    @test area((2, 5)) == 10
    @test_throws Exception area("round")
end
