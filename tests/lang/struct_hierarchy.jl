# Abstract types group methods.
abstract type Shape end
struct Square <: Shape
    a
end
struct Circle <: Shape
    r
end
area(s::Square) = s.a^2
area(s::Shape) = -1
println(area(Square(3)), " ", area(Circle(1)), " ", Square(1) isa Shape)   # expect: 9 -1 true
