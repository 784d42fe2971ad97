# Calls every function with none to four arguments from a pool of awkward values, and with keywords. An error is an
# answer; the caller looks whether the program lived through all calls. SEED, ROUNDS and the name in `only` (or "") are
# put in by the test.
using Modia, Modia3D, Statistics, LinearAlgebra, Test, JSON, Printf, Random
state = SEED
only = "ONLY"
draw(n) = (global state = (state * 1103515245 + 12345) % 2147483648; (state ÷ 65536) % n + 1)

struct Point; x; y; end
deep = Any[1]
for i in 1:20000
    global deep = Any[deep]
end
itself = Any[1]
push!(itself, itself)
lag = @instantiateModel(Model(T = 0.2, x = Var(init = 0.3), equations = :[T*der(x) + x = sin(time)]), unitless = true)
simulate!(lag, stopTime = 0.1)

pool = Any[0, 1, -1, 3, typemax(Int), typemin(Int), 1.5, -0.0, NaN, Inf, 1e300, Float32(1.5), true, nothing, missing,
    "", "abc", "äö%d", :x, 'c', (), (1,), (1, "a"), (a = 1, b = 2), 1 => 2, 1:3, 1:0, 1:500, 0.0:0.1:1.0,
    typemin(Int):typemax(Int)÷2:typemax(Int), range(2, length = 3, step = 1), Any[], [1, 2, 3], [1.0, 2.0],
    [1.0 2.0; 3.0 4.0], zeros(0, 3), Any[1, "a", :b], ["a", "b"], [true, false], [[1], [2]], [1.0u"m", 2.0u"m"],
    2.0u"m", 3u"s", u"V", Int, Float64, String, Any, Vector{Float64}, Point, Point(1, 2), Ref(1), Base, stdout,
    x -> x, (x, y) -> x, sin, +, typeof, Dict(1 => 2), Dict("a" => [1]), enumerate([1, 2]), zip(1:2, 1:3),
    (i for i in 1:3), :(a + b), :[a = b, c = d], Model(a = 1), Map(b = Var(init = 1.0)), Var(init = 1.0), lag,
    Object3D(parent = :world), RevoluteWithFlange(obj1 = :a, obj2 = :b), Solid(shape = Sphere(diameter = 0.1)),
    deep, itself, [itself], (itself, 1), Dict(1 => itself), Point(itself, deep)]
keywords = [:init, :unit, :all, :length, :step, :stop, :by, :rev, :dims, :stopTime, :interval, :tolerance, :log, :merge,
    :atol, :base, :digits]

n_called = 0
for m in (Base, Modia, Modia3D, Statistics, LinearAlgebra, Test, JSON, Printf, Random, Sys), name in names(m, all = true)
    f = getfield(m, name)
    if f isa Module || name in [:exit, :sleep] || (only != "" && string(name) != only)
        continue
    end
    for k in 1:ROUNDS
        args = Any[]
        for i in 2:(k == 1 ? 1 : draw(5))
            push!(args, pool[draw(length(pool))])
        end
        kw = draw(6) == 1 ? Dict(keywords[draw(length(keywords))] => pool[draw(length(pool))]) : Dict()
        global n_called += 1
        try
            f(args...; kw...)
        catch
        end
    end
end
println("\ncalled ", n_called) # behind what was printed without a new line
