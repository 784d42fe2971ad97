struct Point
    x
    y
end
p = Point(1, 2.5)
println(p.x + p.y)          # expect: 3.5
mutable struct Tank{T}
    level::T
    name
    Tank{T}(level) where {T} = new(level, "tank")
end
mutable struct Counter
    n::Int
    Counter() = new(0)
end
step!(c::Counter) = (c.n += 1; c)
c = Counter()
step!(c); step!(c)
println(c.n)                # expect: 2
d = c
d.n = 7
println(c.n)                # expect: 7
norm2(p::Point) = p.x^2 + p.y^2
println(norm2(Point(3, 4))) # expect: 25
mutable struct Late
    a
    b
    Late() = new()
end
l = Late()
l.a = 1
println(l.a)                # expect: 1
println(p isa Point, c isa Point) # expect: truefalse
