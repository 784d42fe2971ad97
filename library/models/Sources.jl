# Signal sources and tables: blocks with an output y, of time or of an input u. Their jumps and kinks are events.
#
# A signal has the unit of the parameters that make it: give `offset` and `amplitude` the same one. Step and Ramp are in Blocks.jl.

include("Blocks.jl")

"""
    Constant

Constant signal, `y = k`.
"""
Constant = SO | Model(
    k = 1.0,
    equations = :[
        y = k
    ]
)

"""
    Sine

Sine of frequency `f` around `offset`, from `startTime` on: `y = offset + amplitude*sin(2*pi*f*(t - startTime) + phase)`.
"""
Sine = SignalSource | Model(
    amplitude = 1.0,
    f = 1.0u"Hz",
    phase = 0.0u"rad",
    equations = :[
        y = offset + (if time < startTime; 0*amplitude else amplitude*sin(2*pi*f*(time - startTime) + phase) end)
    ]
)

"""
    Cosine

As `Sine`, with a cosine.
"""
Cosine = SignalSource | Model(
    amplitude = 1.0,
    f = 1.0u"Hz",
    phase = 0.0u"rad",
    equations = :[
        y = offset + (if time < startTime; 0*amplitude else amplitude*cos(2*pi*f*(time - startTime) + phase) end)
    ]
)

"""
    Chirp

Sine whose frequency runs linearly from `f1` at `startTime` to `f2` after `duration`, and stays there.
"""
Chirp = SignalSource | Model(
    amplitude = 1.0,
    f1 = 0.1u"Hz",
    f2 = 10.0u"Hz",
    duration = 10.0u"s",
    equations = :[
        t = time - startTime
        turns = if time < startTime; 0.0
                elseif time < startTime + duration; f1*t + (f2 - f1)*t^2/(2*duration)
                else (f1 + f2)*duration/2 + f2*(t - duration) end
        y = offset + amplitude*sin(2*pi*turns)
    ]
)

"""
    Pulse

Rectangular pulses: from `startTime` on, at the beginning of every `period`, `y = offset + amplitude` for the part `width` (0 to 1) of
it, and `offset` for the rest.
"""
Pulse = SignalSource | Model(
    amplitude = 1.0,
    period = 1.0u"s",
    width = 0.5,
    equations = :[
        on = time >= startTime && mod(time - startTime, period) < width*period
        y = offset + (if on; amplitude else 0*amplitude end)
    ]
)

"""
    Trapezoid

Trapezoids: in every `period` from `startTime` on the signal rises from `offset` by `amplitude` within `rising`, stays for `width`,
falls within `falling` and waits for the next. `rising` and `falling` are positive.
"""
Trapezoid = SignalSource | Model(
    amplitude = 1.0,
    rising = 0.1u"s",
    width = 0.3u"s",
    falling = 0.1u"s",
    period = 1.0u"s",
    equations = :[
        t = mod(time - startTime, period)
        y = offset + amplitude*(if time < startTime; 0.0
                                elseif t < rising; t/rising
                                elseif t < rising + width; 1.0
                                elseif t < rising + width + falling; (rising + width + falling - t)/falling
                                else 0.0 end)
    ]
)

"""
    SawTooth

Rises from `offset` by `amplitude` within every `period` from `startTime` on, and jumps back.
"""
SawTooth = SignalSource | Model(
    amplitude = 1.0,
    period = 1.0u"s",
    equations = :[
        y = offset + (if time < startTime; 0*amplitude else amplitude*mod(time - startTime, period)/period end)
    ]
)

"""
    Exponential

Rises from `startTime` on for `duration` towards `offset + amplitude` with the time constant `T1`, then falls back to `offset` with `T2`.
"""
Exponential = SignalSource | Model(
    amplitude = 1.0,
    duration = 0.5u"s",
    T1 = 0.1u"s",
    T2 = 0.1u"s",
    equations = :[
        t = time - startTime
        y = offset + amplitude*(if time < startTime; 0.0
                                elseif time < startTime + duration; 1 - exp(-t/T1)
                                else (1 - exp(-duration/T1))*exp(-(t - duration)/T2) end)
    ]
)

"""
    UniformNoise

A new random number between `low` and `high` every `period`, held in between. `seed`, a whole number up to 1e6, chooses the
sequence: the same one gives the same numbers in every run, with any solver. L'Ecuyer's combined generator, period 2e18.
"""
UniformNoise = SO | Model(
    low = -1.0,
    high = 1.0,
    period = 0.01u"s",
    seed = 1,
    n = Var(start = 0.0),
    s1 = Var(start = 1.0),
    s2 = Var(start = 1.0),
    equations = :[
        n = previous(n, Clock(period)) + 1
        s1 = noiseStep(n == 1 ? noiseSeed(seed, 2147483563.0) : previous(s1, Clock(period)), 40014.0, 2147483563.0)
        s2 = noiseStep(n == 1 ? noiseSeed(seed + 7919, 2147483399.0) : previous(s2, Clock(period)), 40692.0, 2147483399.0)
        y = hold(low + (high - low)*noiseNumber(s1, s2), Clock(period))
    ]
)

"""
    NormalNoise

A new random number of the normal distribution with `mean` and standard deviation `sigma` every `period`, held in between;
`seed` as in `UniformNoise`. Noise with the (two-sided) spectral density `S` at frequencies well below `1/period` has
`sigma = sqrt(S/period)`.
"""
NormalNoise = SO | Model(
    mean = 0.0,
    sigma = 1.0,
    period = 0.01u"s",
    seed = 1,
    n = Var(start = 0.0),
    s1 = Var(start = 1.0),
    s2 = Var(start = 1.0),
    equations = :[
        n = previous(n, Clock(period)) + 1
        m1 = noiseStep(n == 1 ? noiseSeed(seed, 2147483563.0) : previous(s1, Clock(period)), 40014.0, 2147483563.0)
        m2 = noiseStep(n == 1 ? noiseSeed(seed + 7919, 2147483399.0) : previous(s2, Clock(period)), 40692.0, 2147483399.0)
        s1 = noiseStep(m1, 40014.0, 2147483563.0)
        s2 = noiseStep(m2, 40692.0, 2147483399.0)
        y = hold(mean + sigma*sqrt(-2*log(noiseNumber(m1, m2)))*cos(2*pi*noiseNumber(s1, s2)), Clock(period))
    ]
)

# All products stay below 2^53, so that integers in floating-point numbers are exact. Seeds are squared, or those that follow each
# other would give sequences that are shifted copies.
noiseSeed(seed, m) = 1.0 + mod((seed + 48271.0)*(seed + 16807.0), m - 1)
noiseStep(s, a, m) = mod(a*s, m)
# Between 0 and 1, neither of them.
noiseNumber(s1, s2) = (1 + mod(s1 - s2, 2147483562.0))/2147483564

# ---- tables ---------------------------------------------------------------------------------

"""
    checkedTable(x, y)

`x`, which must not fall, with as many elements as `y` and at least two; otherwise an error that says so.
"""
function checkedTable(x, y)
    if length(x) != length(y) || length(x) < 2
        error("a table needs as many points x as values y, and at least two; it has ", length(x), " and ", length(y))
    end
    for i in 2:length(x)
        if !(x[i] >= x[i-1])
            error("the points x of a table must not fall; x[", i, "] = ", x[i], " is below ", x[i-1])
        end
    end
    return x
end

# Second derivatives times h^2/6 would have many units; slopes at the points have that of y over that of x. Natural cubic spline:
# the tridiagonal system of its slopes, by elimination.
function splineSlopes(x, y)
    n = length(x)
    h = [x[i+1] - x[i] for i in 1:n-1]
    d = [(y[i+1] - y[i])/h[i] for i in 1:n-1]
    a = zeros(n)
    r = [d[1] for i in 1:n]
    a[1], r[1] = 0.5, 1.5*d[1]
    for i in 2:n-1
        p = 2*(h[i-1] + h[i]) - h[i]*a[i-1]
        a[i] = h[i-1]/p
        r[i] = (3*(h[i]*d[i-1] + h[i-1]*d[i]) - h[i]*r[i-1])/p
    end
    r[n] = (3*d[n-1] - r[n-1])/(2 - a[n-1])
    for i in n-1:-1:1
        r[i] = r[i] - a[i]*r[i+1]
    end
    return r
end

# Slopes after Steffen: between two points the curve stays between their values.
function monotoneSlopes(x, y)
    n = length(x)
    h = [x[i+1] - x[i] for i in 1:n-1]
    d = [(y[i+1] - y[i])/h[i] for i in 1:n-1]
    s = [d[1] for i in 1:n]
    for i in 2:n-1
        mean = (d[i-1]*h[i] + d[i]*h[i-1])/(h[i-1] + h[i])
        least = min(abs(d[i-1]), abs(d[i]), 0.5*abs(mean))
        s[i] = (sign(d[i-1]) + sign(d[i]))*least
    end
    s[n] = d[n-1]
    return s
end

"""
    tableCubics(x, y, smoothness, ends)

A row `[c0 c1 c2 c3]` for each cell of a table: left of the points, between two of them, right of them. The value is
`c0 + c1*s + c2*s^2 + c3*s^3` with `s` from 0 to 1 over the cell.
"""
function tableCubics(x, y, smoothness, ends)
    checkedTable(x, y)
    if !(smoothness in ["constant", "linear", "spline", "monotone"])
        error("smoothness is \"constant\", \"linear\", \"spline\" or \"monotone\", not \"", smoothness, "\"")
    end
    if !(ends in ["hold", "line", "repeat", "error"])
        error("ends is \"hold\", \"line\", \"repeat\" or \"error\", not \"", ends, "\"")
    end
    n = length(x)
    smooth = smoothness in ["spline", "monotone"]
    slopes = smoothness == "spline" ? splineSlopes(x, y) : smooth ? monotoneSlopes(x, y) : [0*y[1] for i in 1:n]
    c = [0*y[1] for i in 1:n+1, j in 1:4]
    for i in 1:n-1
        h = x[i+1] - x[i]
        rise = y[i+1] - y[i]
        c[i+1, 1] = y[i]
        if smooth
            a, b = slopes[i]*h, slopes[i+1]*h
            c[i+1, 2], c[i+1, 3], c[i+1, 4] = a, 3*rise - 2*a - b, a + b - 2*rise
        elseif smoothness == "linear"
            c[i+1, 2] = rise
        end
    end
    c[1, 1], c[n+1, 1] = y[1], y[n]
    if ends == "line"
        c[1, 2] = c[2, 2]
        c[n+1, 2] = c[n, 2] + 2*c[n, 3] + 3*c[n, 4]
    end
    return c
end

# Where the cells of a table begin and how wide they are.
tableStarts(x) = [x[max(i - 1, 1)] for i in 1:length(x)+1]
tableWidths(x) = [tableWidth(x, clamp(i - 1, 1, length(x) - 1)) for i in 1:length(x)+1]
tableWidth(x, i) = x[i+1] > x[i] ? x[i+1] - x[i] : x[end] - x[1]

cubic(c, k, s) = c[k, 1] + s*(c[k, 2] + s*(c[k, 3] + s*c[k, 4]))

"""
    Table

`y` as a function of `u` through the points (`table_x[i]`, `table_y[i]`). `smoothness` is `"linear"`, `"constant"` (the value of the last point
passed; two points with the same `x` are a jump), `"spline"` (natural cubic spline) or `"monotone"` (cubic pieces without overshoot).
Beyond the points `ends` says: `"hold"` the last value, `"line"` go on straight, `"repeat"`, or `"error"` ends the run.
Points that the signal passes are events. From a matrix with a row for each point: `Table | Map(table_x = data[:, 1], table_y = data[:, 2])`.
"""
Table = SISO | Model(
    table_x = [0.0, 1.0],
    table_y = [0.0, 1.0],
    smoothness = "linear",
    ends = "hold",
    cubics = Par(value = :(tableCubics(table_x, table_y, smoothness, ends))),
    starts = Par(value = :(tableStarts(table_x))),
    widths = Par(value = :(tableWidths(table_x))),
    equations = :[
        x = if ends == "repeat"; table_x[1] + mod(u - table_x[1], table_x[end] - table_x[1]) else u end
        k = 1 + sum(x .>= table_x)
        y = cubic(cubics, k, (x - starts[k])/widths[k])
        assert(ends != "error" || (u >= table_x[1] && u <= table_x[end]), "the input of the table left its points")
    ]
)

"""
    TimeTable

As `Table`, with the time since `startTime` as input; `offset` is added. Its points are met exactly.
"""
TimeTable = SignalSource | Model(
    table_x = [0.0, 1.0]u"s",
    table_y = [0.0, 1.0],
    smoothness = "linear",
    ends = "hold",
    cubics = Par(value = :(tableCubics(table_x, table_y, smoothness, ends))),
    starts = Par(value = :(tableStarts(table_x))),
    widths = Par(value = :(tableWidths(table_x))),
    equations = :[
        x = if ends == "repeat"; table_x[1] + mod(time - startTime - table_x[1], table_x[end] - table_x[1]) else time - startTime end
        k = 1 + (if ends == "repeat"; sum(x .>= table_x) else sum(time .>= table_x .+ startTime) end)
        y = offset + cubic(cubics, k, (x - starts[k])/widths[k])
        assert(ends != "error" || noEvent(time >= startTime + table_x[1] && time <= startTime + table_x[end]), "the time left the points of the table")
    ]
)

"""
    Table2D

`y` as a function of `u1` and `u2` on a grid: `table_y[i, j]` at `table_x1[i]`, `table_x2[j]`. Bilinear in between (`"linear"`), or the
value at the last points passed (`"constant"`); beyond the grid `ends` is `"hold"` or `"line"`. Lines of the grid that are passed are events.
"""
Table2D = Model(
    u1 = input,
    u2 = input,
    y = output,
    table_x1 = [0.0, 1.0],
    table_x2 = [0.0, 1.0],
    table_y = [0.0 0.0; 0.0 1.0],
    smoothness = "linear",
    ends = "hold",
    grid = Par(value = :(checkedGrid(table_x1, table_x2, table_y, smoothness, ends))),
    equations = :[
        i = clamp(sum(u1 .>= table_x1), 1, length(table_x1) - 1)
        j = clamp(sum(u2 .>= table_x2), 1, length(table_x2) - 1)
        s1 = if smoothness == "constant"; (if u1 >= table_x1[end]; 1.0 else 0.0 end)
             elseif ends == "hold" && u1 < table_x1[1]; 0.0
             elseif ends == "hold" && u1 > table_x1[end]; 1.0
             else (u1 - table_x1[i])/(table_x1[i+1] - table_x1[i]) end
        s2 = if smoothness == "constant"; (if u2 >= table_x2[end]; 1.0 else 0.0 end)
             elseif ends == "hold" && u2 < table_x2[1]; 0.0
             elseif ends == "hold" && u2 > table_x2[end]; 1.0
             else (u2 - table_x2[j])/(table_x2[j+1] - table_x2[j]) end
        y = (1 - s1)*((1 - s2)*grid[i, j] + s2*grid[i, j+1]) + s1*((1 - s2)*grid[i+1, j] + s2*grid[i+1, j+1])
    ]
)

function checkedGrid(x1, x2, y, smoothness, ends)
    checkedTable(x1, y[:, 1])
    checkedTable(x2, y[1, :])
    if !(smoothness in ["constant", "linear"]) || !(ends in ["hold", "line"])
        error("a table over two inputs is \"linear\" or \"constant\", with the ends \"hold\" or \"line\"")
    end
    return y
end
