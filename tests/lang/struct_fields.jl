# Fields in order, converted to their types; mutable ones can change.
struct Point
    x::Float64
    y
end
p = Point(1, 2)
println(p, " ", p.x)             # expect: Point(1.0, 2) 1.0
mutable struct Counter
    n::Int
    log
    Counter() = new(0)
    Counter(n; log = []) = new(n, log)
end
c = Counter(3)
c.n += 1
push!(c.log, "a")
println(c.n, c.log)              # expect: 4["a"]
e = Counter()
e.log = 1
println(e.log)                   # expect: 1
p.x = 3                          # expect error E0308
