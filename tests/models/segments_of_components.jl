# Several predefined components whose states come and go at the same events (thesis, figures 10.9 and
# 10.10), also all of them: what goes on and what begins anew, with clocks, pre, edge and conditions
# around them, under all kinds of solvers, against closed forms. One translation serves all runs.
using Modia
using Test

# States that decay with rates a, 2a, 3a, ...; how many there are in which segment is a parameter.
# Those that were there before go on from where they were, new ones begin with 1.
mutable struct Decaying
    index
    x
    der
    segment
    counts
    a
    Decaying() = new(0, zeros(0), zeros(0), 0, [1], 1.0)
end
function buildDecaying!(model, modelModule, FloatType, TimeType, options, ID, path)
    model = model | Model(
        d = Var(hideResult = true), done = Var(hideResult = true),
        equations = :[
            d = openDecaying!(instantiatedModel, $ID)
            total = totalOf(d)
            done = decay!(instantiatedModel, d, u, time)
        ])
    return (model, Decaying())
end
function initDecaying!(m, path, ID, parameters; log = false)
    d = Modia.get_instantiatedSubmodel(m, ID)
    if Modia.isFirstInitialOfAllSegments(m)
        d.segment = 0
        d.x = zeros(0)
    end
    d.segment = d.segment + 1
    d.counts = parameters[:counts]
    d.a = parameters[:a]
    n = d.counts[d.segment]
    d.x = [i <= length(d.x) ? d.x[i] : 1.0 for i in 1:n]
    d.der = zeros(n)
    if n > 0
        d.index = Modia.new_x_segmented_variable!(m, path * ".x", path * ".der(x)", d.x)
    end
    return nothing
end
function openDecaying!(m, ID)
    d = Modia.get_instantiatedSubmodel(m, ID)
    if length(d.x) > 0
        Modia.copy_Vector_x_segmented_value_from_state(m, d.index, d.x)
    end
    return d
end
function totalOf(d)
    s = 0.0
    for v in d.x
        s += v
    end
    return s
end
function decay!(m, d, u, time)
    for i in 1:length(d.x)
        d.der[i] = -i*d.a*d.x[i] + u
    end
    if length(d.x) > 0
        Modia.copy_der_x_segmented_value_to_state(m, d.index, d.der)
    end
    if Modia.isEvent(m)
        next = 0.5*d.segment
        if time >= next - 1e-9 && !Modia.isInitial(m) && d.segment < length(d.counts)
            Modia.setFullRestartEvent!(m)
        elseif d.segment < length(d.counts)
            Modia.setNextEvent!(m, next)
        end
    end
    return 1.0
end
Decays = Model(
    _buildFunction = Par(functionName = :(buildDecaying!)), _initSegmentFunction = Par(functionName = :(initDecaying!)),
    counts = [1], a = 1.0, u = input, total = output)

# x[i] at the end of a run: from the segment in which it appeared last.
function expected(counts, a, i, stop)
    value = 0.0
    there = false
    for k in 1:length(counts)
        from = 0.5*(k - 1)
        to = k == length(counts) ? stop : 0.5*k
        if i > counts[k]
            there = false
        else
            value = (there ? value : 1.0)*exp(-i*a*(to - from))
            there = true
        end
    end
    return value
end

Pair = Model(
    y = Var(init = 1.0), w = Var(init = 0.0), z = Var(init = 0.0),
    first = Decays | Map(counts = [2, 0, 3, 1], a = 0.7),
    second = Decays | Map(counts = [0, 1, 1, 4], a = 1.3),
    third = Decays | Map(counts = [1, 1, 1, 1], a = 0.2),
    ticks = Var(start = 0.0), held = Var(start = 0.0), seen = Var(start = 0.0),
    equations = :[
        first.u = 0.0
        second.u = 0.0
        third.u = 0.0
        der(y) = -y
        der(w) = first.total + second.total
        c = Clock(0.07)
        ticks = previous(ticks, c) + 1.0
        sampled = sample(y, c)
        der(z) = sampled
        up = positive(w - 0.9)
        seen = pre(seen) + (if edge(up); 1.0 else 0.0 end)
    ]
)
pair = @instantiateModel(Pair, unitless = true)

# The integral of what decays, over all segments.
function integral(counts, a, stop)
    sum = 0.0
    for i in 1:maximum(counts)
        value = 1.0
        there = false
        for k in 1:length(counts)
            from = 0.5*(k - 1)
            to = k == length(counts) ? stop : 0.5*k
            if i <= counts[k]
                value = there ? value : 1.0
                sum += value*(1 - exp(-i*a*(to - from)))/(i*a)
                value = value*exp(-i*a*(to - from))
                there = true
            else
                there = false
            end
        end
    end
    return sum
end
# y at the last tick before each instant, integrated.
function heldIntegral(stop)
    sum = 0.0
    k = 0
    while 0.07*k < stop
        to = min(stop, 0.07*(k + 1))
        sum += exp(-0.07*k)*(to - 0.07*k)
        k += 1
    end
    return sum
end

for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas4(), CVODE_Adams()], swap in [false, true]
    a = [2, 0, 3, 1]
    b = swap ? [3, 3, 0, 0] : [0, 1, 1, 4]
    simulate!(pair, solver, stopTime = 1.9, tolerance = 1e-9, merge = Map(second = Map(counts = b)))
    for i in 1:a[4]
        @test isapprox(getLastValue(pair, "first.x")[i], expected(a, 0.7, i, 1.9), rtol = 1e-6)
    end
    for i in 1:b[4]
        @test isapprox(getLastValue(pair, "second.x")[i], expected(b, 1.3, i, 1.9), rtol = 1e-6)
    end
    @test isapprox(getLastValue(pair, "third.x")[1], exp(-0.2*1.9), rtol = 1e-6)
    @test isapprox(getLastValue(pair, "y"), exp(-1.9), rtol = 1e-6)
    @test isapprox(getLastValue(pair, "w"), integral(a, 0.7, 1.9) + integral(b, 1.3, 1.9), rtol = 1e-6)
    @test getLastValue(pair, "ticks") == 28.0
    @test isapprox(getLastValue(pair, "z"), heldIntegral(1.9), rtol = 1e-6)
    @test getLastValue(pair, "seen") == 1.0
    @test get_xNames(pair)[1:3] == ["y", "w", "z"]
end

# Results rounded to Float32: the same segments, at its resolution.
single = @instantiateModel(Pair, unitless = true, FloatType = Float32)
simulate!(single, stopTime = 1.9)
@test isapprox(getLastValue(single, "third.x")[1], exp(-0.2*1.9), rtol = 1e-4)
@test isapprox(getLastValue(single, "z"), heldIntegral(1.9), rtol = 1e-4)
@test length(getLastValue(single, "second.x")) == 4

# ---- a restart that changes nothing -------------------------------------------------------------

# Sampled control, once in one segment and once in four: nothing may be different. The ticks are at
# the restarts, beside them, or only there.
Controlled = Model(
    T = 0.1, vref = 10.0,
    v = Var(init = 1.0), S = Var(start = 0.0), u = Var(start = 0.0), f = Var(start = 0.0),
    count = Var(start = 0.0), q = Var(init = 0.0),
    equations = :[
        der(v) = f - 0.5*v
        c = Clock(T)
        e = vref - sample(v, c)
        S = previous(S, c) + e
        u = 5.0*(e + S*0.05)
        f = hold(u, c)
        up = positive(v - 8.0)
        count = pre(count) + (if edge(up); 1.0 else 0.0 end)
        late = if after(0.7); 1.0 else 0.0 end
        der(q) = late
    ]
)
Beats = Decays | Map(counts = [0, 0, 0, 0])
for T in [0.1, 0.07, 0.5]
    plain = @instantiateModel(Controlled | Map(T = T), unitless = true)
    cut = @instantiateModel(Controlled | Map(T = T, beats = Beats, equations = :[beats.u = 0.0]), unitless = true)
    for solver in [CVODE_BDF(), IDA(), Tsit5()]
        simulate!(plain, solver, stopTime = 1.75, tolerance = 1e-9)
        simulate!(cut, solver, stopTime = 1.75, tolerance = 1e-9)
        for name in ["v", "S", "f", "count", "q"]
            @test isapprox(getLastValue(cut, name), getLastValue(plain, name), atol = 1e-6)
        end
    end
end
