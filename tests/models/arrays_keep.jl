# Comprehensions, loops, sums and dotted calls in equations are operations on whole arrays: the same numbers as when
# each element is written out, events where elements switch, sizes that change without translating again.
using Modia
using Test

function neighbors(u, n, m)
    du = zeros(n, m)
    for j in 1:m
        for i in 1:n
            left = i > 1 ? u[i-1, j] : 0.0
            right = i < n ? u[i+1, j] : 0.0
            below = j > 1 ? u[i, j-1] : 0.0
            above = j < m ? u[i, j+1] : 0.0
            du[i, j] = left + right + below + above - 4*u[i, j]
        end
    end
    return du
end
function product(A, x)
    n, m = size(A)
    y = zeros(n)
    for i in 1:n
        s = 0.0
        for j in 1:m
            s += A[i, j]*x[j]
        end
        y[i] = s
    end
    y
end
function pairs_of(u)
    n = div(length(u), 2)
    du = similar(u)
    for i in 1:n
        du[2*i-1] = -u[2*i-1]
        du[2*i] = u[2*i-1] - u[2*i]
    end
    du
end
function signed(u)
    s = 1.0
    for x in u
        if x > 0.5
            s += x
        else
            s -= 2*x
        end
    end
    return s
end
function chain(x)
    y = zeros(4)
    y[1] = x
    for i in 2:4
        y[i] = y[i-1]*0.5 + i
    end
    return y
end
function running(u) # each round uses the one before: stays a call
    s = copy(u)
    for i in 2:length(u)
        s[i] = s[i-1] + u[i]
    end
    s
end
function shares(u) # two rounds add to one element: stays a call
    r = zeros(length(u))
    for i in 1:length(u)-1
        r[i] += u[i+1] - u[i]
        r[i+1] -= u[i+1] - u[i]
    end
    r
end
function alias(u) # b is a: not taken apart
    a = [u[1], u[2]]
    b = a
    b[1] = 7.0
    a[1] + b[2]
end
function doubled(u)
    v = copy(u)
    for i in eachindex(v)
        v[i] *= 2
        v[i] += u[1]
    end
    v
end
saturated(x, most) = x > most ? most : (x < -most ? -most : x)

Arrays = Model(n = 3, m = 4, k = 2.0, A = [1.0 2.0 3.0; 4.0 5.0 6.0],
    u = Var(init = [0.1*i + j for i in 1:3, j in 1:4]), x = Var(init = [1.0, 2.0, 3.0]), q = Var(init = [1.0, 0.0, 2.0, 0.0]),
    equations = :[
        der(u) = neighbors(u, n, m)
        der(x) = [-k*x[i] + sum(x[j]*(i + j) for j in 1:n)/100 for i in 1:n]
        der(q) = pairs_of(q)
        product1 = product(A, x)
        signed1 = signed(x)
        chain1 = chain(x[1])
        outer = [x[i]*u[i, j] for i in 1:n, j in 1:m]
        squares = sum(u[i, j]^2 for i in 1:n, j in 1:m)
        multiples = [k*i for i in 1:n]
        clipped = saturated.(x, 0.8)
        largest = maximum(x[i] for i in 2:n)
        turned = [i < n ? x[i+1] : x[1] for i in 1:n]
        every = [2*e for e in x]
        matrix = [e + k for e in A]
        flipped = [u[i, j] for j in 1:m, i in 1:n]
        running1 = running(x)
        shares1 = shares(x)
        alias1 = alias(x)
        doubled1 = doubled(x)
        joined = vcat(x, 1.0, q)
        beside = hcat(x, 2*x)
    ])
arrays = @instantiateModel(Arrays)
simulate!(arrays, Tsit5(), stopTime = 1.0, interval = 0.25, tolerance = 1e-10)
at(name) = getValues(arrays, name)[end]
at(name, i) = getValues(arrays, name)[end, i]
at(name, i, j) = getValues(arrays, name)[end, i, j]
x, u, q = at("x", :), at("u", :, :), at("q", :)
A, k = [1.0 2.0 3.0; 4.0 5.0 6.0], 2.0
@test at("product1", :) == product(A, x)
@test isapprox(at("product1", :), A*x; rtol = 1e-15)
@test isapprox(at("signed1"), signed(x); rtol = 1e-15)
@test at("chain1", :) == chain(x[1])
@test at("outer", :, :) == [x[i]*u[i, j] for i in 1:3, j in 1:4]
@test isapprox(at("squares"), sum(u .^ 2); rtol = 1e-14)
@test at("multiples", :) == [2.0, 4.0, 6.0]
@test at("clipped", :) == [saturated(e, 0.8) for e in x]
@test at("largest") == max(x[2], x[3])
@test at("turned", :) == [x[2], x[3], x[1]]
@test at("every", :) == 2*x
@test at("matrix", :, :) == A .+ k
@test at("flipped", :, :) == [u[i, j] for j in 1:4, i in 1:3]
@test at("running1", :) == [x[1], x[1] + x[2], x[1] + x[2] + x[3]]
@test isapprox(at("shares1", :), [x[2] - x[1], x[3] - 2*x[2] + x[1], x[2] - x[3]]; rtol = 1e-12)
@test at("alias1") == 7.0 + x[2]
@test at("doubled1", :) == 2*x .+ x[1]
@test at("joined", :) == [x; 1.0; q]
@test at("beside", :, :) == [x 2*x]
@test isapprox(q, [exp(-1.0), exp(-1.0), 2*exp(-1.0), 2*exp(-1.0)]; atol = 1e-8)

# The same written out by hand.
Written = Model(x = Var(init = [1.0, 2.0, 3.0]), equations = :[
    der(x) = [-2*x[1] + (2*x[1] + 3*x[2] + 4*x[3])/100,
              -2*x[2] + (3*x[1] + 4*x[2] + 5*x[3])/100,
              -2*x[3] + (4*x[1] + 5*x[2] + 6*x[3])/100]])
written = @instantiateModel(Written)
simulate!(written, Tsit5(), stopTime = 1.0, tolerance = 1e-10)
@test isapprox(x, getValues(written, "x")[end, :]; atol = 1e-9)

# Each element switches where it should, although no equation names it. x falls at rate 1 down to 1, then at rate 1/2.
Switching = Model(n = 3, x = Var(init = [1.5, 2.0, 2.5]), equations = :[der(x) = [x[i] > 1.0 ? -1.0 : -0.5 for i in 1:n]])
switching = @instantiateModel(Switching)
simulate!(switching, Tsit5(), stopTime = 2.0, interval = 0.5, tolerance = 1e-6)
@test isapprox(getValues(switching, "x")[end, :], [1.0 - 0.5*1.5, 1.0 - 0.5*1.0, 1.0 - 0.5*0.5]; atol = 1e-9)

# Other sizes in the next run. Only the rounds that are there look at elements.
Chain = Model(n = 4, v = Var(init = zeros(4)), equations = :[
    der(v) = [(i > 1 ? v[i-1] : 1.0) - v[i] for i in 1:n]])
chained = @instantiateModel(Chain)
for n in [4, 1, 7]
    simulate!(chained, Tsit5(), stopTime = 2.0, tolerance = 1e-10, merge = Map(n = n, v = zeros(n)))
    v = getValues(chained, "v")
    @test isapprox(v[end, 1], 1.0 - exp(-2.0); atol = 1e-8)
    n > 1 && @test isapprox(v[end, 2], 1.0 - 3*exp(-2.0); atol = 1e-8)
end
