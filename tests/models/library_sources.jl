# Sources and tables of the library by closed forms: values at a time, and areas, which tell whether jumps and kinks were met.
using Modia
using Test
include("$(Modia.modelsPath)/Sources.jl")

at(m, name, t) = (k = findlast(getValues(m, "time") .<= t + 1e-12); getValues(m, name)[k])
last(m, name) = getLastValue(m, name, unit = false)
area(source, amount = 1.0) = Model(s = source, q = Var(init = 0.0u"s"), equations = :[der(q) = s.y*$amount])

Sources = Model(
    constant = area(Constant | Map(k = 1.5)),
    sine = area(Sine | Map(amplitude = 2.0u"V", offset = 1.0u"V", f = 3.0u"Hz", startTime = 0.25u"s", phase = 0.5u"rad"), 1.0u"1/V"),
    cosine = area(Cosine | Map(f = 0.75u"Hz", startTime = 0.1u"s")),
    chirp = area(Chirp | Map(f1 = 1.0u"Hz", f2 = 4.0u"Hz", duration = 1.5u"s", startTime = 0.1u"s")),
    pulse = area(Pulse | Map(amplitude = 3.0, offset = 0.5, period = 0.3u"s", width = 0.25, startTime = 0.2u"s")),
    trapezoid = area(Trapezoid | Map(startTime = 0.1u"s", rising = 0.1u"s", width = 0.2u"s", falling = 0.3u"s", period = 0.9u"s")),
    saw = area(SawTooth | Map(period = 0.5u"s", startTime = 0.25u"s", amplitude = 4.0)),
    rise = area(Exponential | Map(startTime = 0.5u"s", duration = 1.0u"s", T1 = 0.2u"s", T2 = 0.5u"s", amplitude = 2.0)),
    held = area(TimeTable | Map(table_x = [0.0, 0.5, 0.501, 1.0]u"s", table_y = [1.0, 100.0, 0.0, 0.0], smoothness = "constant")),
    jump = area(TimeTable | Map(table_x = [0.0, 0.5, 0.5, 1.0]u"s", table_y = [0.0, 1.0, 3.0, 1.0], startTime = 0.25u"s", offset = 0.0)),
    again = area(TimeTable | Map(table_x = [0.0, 0.1, 0.4]u"s", table_y = [0.0, 1.0, 0.0], ends = "repeat")),
    line = area(TimeTable | Map(table_x = [0.0, 1.0, 1.5]u"s", table_y = [0.0, 1.0, 3.0], ends = "line")))
sources = @instantiateModel(Sources)
simulate!(sources, Tsit5(), stopTime = 2.0, tolerance = 1e-9, dtmax = 0.05)
near(name, value, eps = 1e-7) = abs(last(sources, name) - value) < eps
@test near("constant.q", 3.0)
@test near("sine.s.y", 1 + 2*sin(6*pi*1.75 + 0.5))
@test near("sine.q", 2.0 - 2*(cos(6*pi*1.75 + 0.5) - cos(0.5))/(6*pi))
@test near("cosine.q", sin(1.5*pi*1.9)/(1.5*pi))
@test near("chirp.s.y", sin(2*pi*(2.5*1.5 + 4*0.4)))
@test abs(at(sources, "chirp.s.y", 1.0) - sin(2*pi*(0.9 + 0.81))) < 1e-9
@test near("pulse.q", 0.5*2.0 + 3.0*0.25*0.3*6)
@test near("trapezoid.q", 2*0.4 + 0.05)       # two whole ones, and the rise of the third
@test near("saw.q", 3*1.0 + 4.0*0.25^2/0.5/2)
tail = 1 - exp(-5.0)
@test near("rise.s.y", 2*tail*exp(-1.0))
@test near("rise.q", 2*(1.0 - 0.2*tail + 0.5*tail*(1 - exp(-1.0))))
@test near("held.q", 0.5 + 0.1)
@test near("jump.q", 0.25 + 1.0 + 0.75)
@test near("again.q", 5*0.2)
@test near("line.s.y", 5.0) && near("line.q", 0.5 + 1.0 + 2.0)

# Every number of the noise is new, and seed and solver decide what they should: mean and variance, and equality.
Noise = Model(u = UniformNoise | Map(low = 2.0, high = 4.0, seed = 5), v = UniformNoise | Map(low = 2.0, high = 4.0, seed = 6), n = NormalNoise | Map(mean = 1.0, sigma = 0.5),
              x = Var(init = 0.0), equations = :[der(x) = -x/u"s"])
noise = @instantiateModel(Noise)
simulate!(noise, stopTime = 40.0, interval = 0.01)
mean(a) = sum(a)/length(a)
(u, v, n) = [getValues(noise, name)[1:4000] for name in ["u.y", "v.y", "n.y"]]
@test abs(mean(u) - 3.0) < 4*sqrt(4/12/4000) && abs(mean((u .- 3).^2) - 4/12) < 0.02
@test minimum(u) > 2.0 && maximum(u) < 4.0 && length(unique(u)) > 1900
@test abs(mean((u .- 3).*(v .- 3))) < 4*(4/12)/sqrt(2000)
@test abs(mean(n) - 1.0) < 4*0.5/sqrt(2000) && abs(mean((n .- 1).^2) - 0.25) < 0.03
simulate!(noise, Tsit5(), stopTime = 40.0, interval = 0.01)
@test length(findall(getValues(noise, "u.y")[1:4000] .!= u)) == 0

# Tables over a signal: x passes the points there and back, at a speed of its own.
function splineAt(s)  # natural spline through (0,0), (1,1), (2,0), (4,3), by second derivatives M1, M2 of its two inner points
    # 2(h1+h2) M1 + h2 M2 = 6(d2 - d1), h2 M1 + 2(h2+h3) M2 = 6(d3 - d2)
    (M1, M2) = ([4.0 1.0; 1.0 6.0] \ [-12.0, 15.0])
    if s < 1
        return M1*s^3/6 + (1 - M1/6)*s
    elseif s < 2
        a, b = 2 - s, s - 1
        return M1*a^3/6 + M2*b^3/6 + (1 - M1/6)*a - M2/6*b
    end
    a, b = 4 - s, s - 2
    return M2*a^3/12 - M2*2/6*a + 3/2*b
end
points = Map(table_x = [0.0, 1.0, 2.0, 4.0], table_y = [0.0, 1.0, 0.0, 3.0])
Tables = Model(
    lin = Table | points, con = Table | points | Map(smoothness = "constant"), spl = Table | points | Map(smoothness = "spline"),
    mon = Table | points | Map(smoothness = "monotone", ends = "line"), rep = Table | points | Map(ends = "repeat"),
    two = Table2D | Map(table_x1 = [0.0, 1.0, 3.0], table_x2 = [0.0, 2.0], table_y = [0.0 2.0; 1.0 3.0; 5.0 7.0]),
    two0 = Table2D | Map(table_x1 = [0.0, 1.0, 3.0], table_x2 = [0.0, 2.0], table_y = [0.0 2.0; 1.0 3.0; 5.0 7.0], smoothness = "constant"),
    x = Var(init = -1.0), qc = Var(init = 0.0), ql = Var(init = 0.0),
    equations = :[
        der(x) = 2.0
        der(qc) = con.y; der(ql) = lin.y
        lin.u = x; con.u = x; spl.u = x; mon.u = x; rep.u = x
        two.u1 = x; two.u2 = 0.5*x; two0.u1 = x; two0.u2 = 0.5*x])
tables = @instantiateModel(Tables, unitless = true)
simulate!(tables, stopTime = 3.0, tolerance = 1e-9, interval = 0.05)
x = getValues(tables, "x")
inside = findall((x .> 0.01) .& (x .< 3.99))
@test maximum(abs.(getValues(tables, "spl.y")[inside] .- splineAt.(x[inside]))) < 1e-9
@test maximum(abs.(getValues(tables, "spl.y")[findall(x .> 4.0)] .- 3.0)) < 1e-12
@test abs(last(tables, "qc") - (0.5*1.0 + 0.5*3.0)) < 1e-7            # 1 from 1 to 2, 0 from 2 to 4, 3 from 4 to 5, at 2 a second
@test abs(last(tables, "ql") - 0.5*(0.5 + 0.5 + 3.0 + 3.0)) < 1e-7
m = getValues(tables, "mon.y")[findall((x .> 2.0) .& (x .< 4.0))]
@test minimum(m) >= 0.0 && maximum(m) <= 3.0
@test abs(last(tables, "mon.y") - (3.0 + 1.5)) < 1e-9
@test abs(last(tables, "rep.y") - 1.0) < 1e-8                          # 5 is 1 again
@test abs(last(tables, "two.y") - 7.0) < 1e-9 && abs(at(tables, "two.y", 1.0) - (1.0 + 0.5)) < 1e-9   # x1 = 5 beyond, x2 = 2.5 beyond
@test abs(at(tables, "two.y", 1.5) - (3.0 + 1.0)) < 1e-9 && abs(at(tables, "two0.y", 1.75) - 1.0) < 1e-9

