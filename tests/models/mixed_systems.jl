# Conditions inside of systems of equations: ideal switches and diodes, Coulomb friction that sticks
# and slips, a clearance; and nonlinear systems whose solution is known. A condition that depends on
# the unknowns of its own system is found together with them.
using Modia
using Test

include("$(Modia.modelsPath)/Electric.jl")

# Without losses and without a capacitor behind them: all currents are algebraic.
IdealDiode = OnePort | Model(
    Ron = 0.0, Goff = 0.0, s = Var(start = 0.0),
    equations = :[
        off = s < 0
        v = s*(if off; 1.0 else Ron end)
        i = s*(if off; Goff else 1.0 end)
    ]
)
IdealSwitch = OnePort | Model(
    s = Var(start = 0.0),
    equations = :[
        v = if open; s else 0.0*s end
        i = if open; 0.0*s else s end
    ]
)
Sine = OnePort | Model(V = 1.0, equations = :[v = V*sin(2*pi*time)])

# A diode in series with a resistor: the current is the positive half of the sine.
Half = Model(
    V = Sine | Map(V = 10.0), D = IdealDiode, R = Resistor | Map(R = 2.0), ground = Ground,
    q = Var(init = 0.0),
    equations = :[der(q) = R.i],
    connect = :[
        (V.p, D.p)
        (D.n, R.p)
        (R.n, V.n, ground.p)
    ]
)
half = @instantiateModel(Half, unitless = true)
simulate!(half, stopTime = 1.75, tolerance = 1e-9)
@test isapprox(getLastValue(half, "q"), 2*5.0/pi, rtol = 1e-6)
@test abs(getLastValue(half, "R.i")) < 1e-12
@test isapprox(getLastValue(half, "D.v"), -10.0, rtol = 1e-9)

# Four of them in a bridge without anything that stores energy: |sin|.
Bridge = Model(
    V = Sine | Map(V = 10.0), R = Resistor | Map(R = 2.0), ground = Ground,
    D1 = IdealDiode | Map(Ron = 1e-6, Goff = 1e-6), D2 = IdealDiode | Map(Ron = 1e-6, Goff = 1e-6),
    D3 = IdealDiode | Map(Ron = 1e-6, Goff = 1e-6), D4 = IdealDiode | Map(Ron = 1e-6, Goff = 1e-6),
    q = Var(init = 0.0),
    equations = :[der(q) = R.i],
    connect = :[
        (V.p, D1.p, D2.n)
        (V.n, D3.p, D4.n)
        (D1.n, D3.n, R.p)
        (D2.p, D4.p, R.n, ground.p)
    ]
)
bridge = @instantiateModel(Bridge, unitless = true)
simulate!(bridge, stopTime = 2.25, tolerance = 1e-9)
@test isapprox(getLastValue(bridge, "q"), 4.5*5.0*2/pi/2, rtol = 1e-4)
@test isapprox(getLastValue(bridge, "R.i"), 5.0, rtol = 1e-4)

# A switch that opens under the current of an inductor, which goes on through the diode beside it.
Free = Model(
    V = ConstantVoltage | Map(V = 12.0), S = IdealSwitch, D = IdealDiode,
    L = Inductor | Map(L = 0.5), R = Resistor | Map(R = 3.0), ground = Ground,
    equations = :[S.open = time >= 0.4],
    connect = :[
        (V.p, S.p)
        (S.n, R.p, D.n)
        (R.n, L.p)
        (L.n, D.p, V.n, ground.p)
    ]
)
free = @instantiateModel(Free, unitless = true)
simulate!(free, stopTime = 1.0, tolerance = 1e-9)
i = 4*(1 - exp(-0.4*6))
@test isapprox(getLastValue(free, "L.i"), i*exp(-0.6*6), rtol = 1e-5)
@test isapprox(getLastValue(free, "D.i"), i*exp(-0.6*6), rtol = 1e-5)
@test abs(getLastValue(free, "S.i")) < 1e-12
@test isapprox(getLastValue(free, "S.v"), 12.0, rtol = 1e-6)

# Coulomb friction: a block under a force that grows and falls. It sticks until the force passes the
# limit, slips, comes to rest again, and stays. The parametric curve (s) joins sticking and slipping:
# while it sticks, s is the friction force over its limit; while it slips, s goes on with the
# acceleration.
Block = Model(
    m = 2.0, Fc = 5.0,
    x = Var(init = 0.0), v = Var(init = 0.0), s = Var(start = 0.0), mode = Var(start = 0),
    equations = :[
        der(x) = v
        m*a = F - f
        der(v) = a
        F = 6.0*sin(time)
        startsForward = pre(mode) == 0 && s > 1.0
        startsBackward = pre(mode) == 0 && s < -1.0
        forward = pre(mode) == 1 || startsForward
        backward = pre(mode) == -1 || startsBackward
        a = if forward; s - 1.0 elseif backward; s + 1.0 else 0.0 end
        f = if forward; Fc elseif backward; -Fc else Fc*s end
        mode = if forward && v > 0.0; 1 elseif backward && v < 0.0; -1 else 0 end
    ]
)
block = @instantiateModel(Block, unitless = true)
# It starts where 6*sin(t) = 5; the impulse then is 6*(cos(t1) - cos(t)) - 5*(t - t1).
t1 = asin(5/6)
speed(t) = (6*(cos(t1) - cos(t)) - 5*(t - t1))/2
way(t) = (6*(cos(t1)*(t - t1) - sin(t) + sin(t1)) - 5*(t - t1)^2/2)/2
simulate!(block, stopTime = 0.9, tolerance = 1e-10)
@test getLastValue(block, "x") == 0.0
@test isapprox(getLastValue(block, "f"), 6*sin(0.9), rtol = 1e-9)
simulate!(block, stopTime = 2.0, tolerance = 1e-10)
@test isapprox(getLastValue(block, "v"), speed(2.0), rtol = 1e-6)
@test getLastValue(block, "mode") == 1
# It rests where the speed vanishes again, found by bisection, and sticks until the force passes
# -5 N half a period later.
function rest_time()
    lo, hi = 2.0, 3.0
    while hi - lo > 1e-12
        mid = (lo + hi)/2
        if speed(mid) > 0
            lo = mid
        else
            hi = mid
        end
    end
    return lo
end
t2 = rest_time()
simulate!(block, stopTime = 4.0, tolerance = 1e-10)
@test abs(getLastValue(block, "v")) < 1e-8
@test isapprox(getLastValue(block, "x"), way(t2), rtol = 1e-6)
@test isapprox(getLastValue(block, "f"), 6*sin(4.0), rtol = 1e-6)
simulate!(block, stopTime = 2.0 + pi, tolerance = 1e-10)
@test isapprox(getLastValue(block, "v"), -speed(2.0), rtol = 1e-6)
@test getLastValue(block, "mode") == -1

# ---- nonlinear systems ----------------------------------------------------------------------------

# A diode with an exponential curve behind a resistor: Newton from 0 V must not leap to e^400. By
# bisection: 10 V = R*Is*(e^(v/Vt) - 1) + v.
Exponential = Model(
    R = 100.0, Is = 1e-9, Vt = 0.025, u = 10.0,
    equations = :[
        i = Is*(exp(v/Vt) - 1)
        u = R*i + v
    ]
)
exponential = @instantiateModel(Exponential, unitless = true)
simulate!(exponential, stopTime = 1.0)
v = getLastValue(exponential, "v")
@test 0.3 < v < 0.7
@test isapprox(100.0*1e-9*(exp(v/0.025) - 1) + v, 10.0, rtol = 1e-9)

# Two circles that intersect in (3/5, 4/5) and (3/5, -4/5): the start value chooses.
Circles = Model(x = Var(start = 1.0), y = Var(start = 1.0),
                equations = :[
                    x^2 + y^2 = 1.0
                    (x - 1.2)^2 + y^2 = 1.0
                ])
for side in [1.0, -1.0]
    circles = @instantiateModel(Circles | Map(y = Var(start = side)), unitless = true)
    simulate!(circles, stopTime = 1.0)
    @test isapprox(getLastValue(circles, "x"), 0.6, rtol = 1e-9)
    @test isapprox(getLastValue(circles, "y"), 0.8*side, rtol = 1e-9)
end

# Kepler's equation along an orbit of eccentricity 0.9, against its own time: M = E - e*sin(E).
Kepler = Model(e = 0.9, E = Var(start = 0.5), M = Var(init = 0.1),
               equations = :[
                   der(M) = 1.0
                   M = E - e*sin(E)
                   r = 1 - e*cos(E)
               ])
kepler = @instantiateModel(Kepler, unitless = true)
simulate!(kepler, stopTime = 6.0, tolerance = 1e-8)
E = getLastValue(kepler, "E")
@test isapprox(E - 0.9*sin(E), 6.1, rtol = 1e-7)

# A nonlinear system with a condition of its own: a spring with clearance against a load.
Clearance = Model(c = 1000.0, gap = 0.01, k = 50.0, x = Var(start = 0.0),
                  equations = :[
                      pushed = x > gap
                      f = if pushed; c*(x - gap)^2 else 0.0*x end
                      f + k*x = 2.0*time
                  ])
clearance = @instantiateModel(Clearance, unitless = true)
simulate!(clearance, stopTime = 1.0)
x = getLastValue(clearance, "x")
@test isapprox(1000.0*(x - 0.01)^2 + 50.0*x, 2.0, rtol = 1e-9)
simulate!(clearance, stopTime = 0.2)
@test isapprox(getLastValue(clearance, "x"), 0.4/50.0, rtol = 1e-9)
