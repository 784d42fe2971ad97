# Which variables are states is settled where the run begins: where the choice of the language is
# singular there, and where it would drop the only variable with an init value.
module StartChoice

using Modia
using Test

close(x, y; tolerance = 1e-6) = isapprox(ustrip(x), y, rtol = tolerance, atol = tolerance)

# A constraint that turns: on the line orthogonal to (cos t, sin t) with s along it,
#   x = -s*sin t, y = s*cos t, and projecting y' = -y on the line gives s' = -s*cos(t)^2.
Turning = Model(
    x = Var(init = 0.0),
    y = Var(init = 1.0),
    equations = :[
        der(x) = u*cos(time)
        der(y) = -y + u*sin(time)
        0 = cos(time)*x + sin(time)*y
    ]
)
s(t) = exp(-t/2 - sin(2*t)/4)
turning = @instantiateModel(Turning, unitless = true)
for solver in [CVODE_BDF(), Tsit5(), IDA(), QBDF()]
    simulate!(turning, solver, stopTime = 1.0, tolerance = 1e-8)
    @test close(getLastValue(turning, "x"), -s(1.0)*sin(1.0))
    @test close(getLastValue(turning, "y"), s(1.0)*cos(1.0))
end
@test close(getLastValue(turning, "x"), -0.40660; tolerance = 1e-4)
# The other way round at a quarter turn, and all the way.
simulate!(turning, startTime = pi/2, stopTime = pi/2 + 1.0, tolerance = 1e-9, merge = Map(x = -1.0, y = 0.0))
@test close(getLastValue(turning, "x"), -s(pi/2 + 1.0)/s(pi/2)*sin(pi/2 + 1.0))
simulate!(turning, stopTime = 7.0, tolerance = 1e-9, merge = Map(x = 0.0, y = 1.0))
@test close(getLastValue(turning, "x"), -s(7.0)*sin(7.0)) && close(getLastValue(turning, "y"), s(7.0)*cos(7.0))

# The same with the coefficients computed from a state.
Angle = Model(
    x = Var(init = 0.0),
    y = Var(init = 1.0),
    phi = Var(init = 0.0),
    equations = :[
        der(phi) = 1.0
        c = cos(phi)
        s = sin(phi)
        der(x) = u*c
        der(y) = -y + u*s
        0 = c*x + s*y
    ]
)
angle = @instantiateModel(Angle, unitless = true)
simulate!(angle, stopTime = 1.0, tolerance = 1e-9)
@test close(getLastValue(angle, "x"), -s(1.0)*sin(1.0))

# Parameters that make a coefficient zero, with guesses that do not satisfy the constraint.
Weighted = Model(
    p = 1.0, q = 1.0,
    x = Var(start = 1.0),
    y = Var(start = 0.5),
    equations = :[
        der(x) = p*u - x
        der(y) = q*u
        0 = p*x + q*y - sin(time)
    ]
)
weighted = @instantiateModel(Weighted, unitless = true)
simulate!(weighted, stopTime = 1.0, tolerance = 1e-9, merge = Map(p = 0.0, q = 2.0))
@test close(getLastValue(weighted, "x"), exp(-1.0)) && close(getLastValue(weighted, "y"), sin(1.0)/2)
simulate!(weighted, stopTime = 1.0, tolerance = 1e-9, merge = Map(p = 2.0, q = 0.0))
@test close(getLastValue(weighted, "x"), sin(1.0)/2) && close(getLastValue(weighted, "y"), 0.5)
# x' = (cos t - x)/2
simulate!(weighted, stopTime = 1.0, tolerance = 1e-9, merge = Map(p = 1.0, q = 1.0))
@test close(getLastValue(weighted, "x"), (1.0 - 0.2)*exp(-0.5) + 0.2*cos(1.0) + 0.4*sin(1.0))

# Pendulums in Cartesian coordinates, released at awkward places. In angles: T'' = -g*sin(T)
# from the vertical down; the twin is integrated along.
Pendulum = Model(
    L = 1.0, g = 9.81, m = 2.0,
    x = Var(init = 1.0), y = Var(init = 0.0), vx = Var(init = 0.0), vy = Var(init = 0.0),
    equations = :[
        vx = der(x)
        vy = der(y)
        m*der(vx) = -F*x
        m*der(vy) = -F*y - m*g
        x^2 + y^2 = L^2
    ]
)
Twin = Model(
    L = 1.0, g = 9.81, phi = Var(init = 0.0), w = Var(init = 0.0),
    equations = :[
        der(phi) = w
        L*der(w) = -g*sin(phi)
    ]
)
twin = @instantiateModel(Twin, unitless = true)
function check(model, at, L, phi, w)
    simulate!(twin, stopTime = 0.8, tolerance = 1e-10, merge = Map(L = L, phi = phi, w = w))
    simulate!(model, stopTime = 0.8, tolerance = 1e-10, merge = at)
    turned = getLastValue(twin, "phi")
    @test close(getLastValue(model, "x"), L*sin(turned); tolerance = 1e-5)
    @test close(getLastValue(model, "y"), -L*cos(turned); tolerance = 1e-5)
end
inits = @instantiateModel(Pendulum, unitless = true)
guessY = @instantiateModel(Pendulum | Map(y = Var(init = nothing, start = -0.1), vy = Var(init = nothing)), unitless = true)
guessX = @instantiateModel(Pendulum | Map(x = Var(init = nothing, start = 0.1), vx = Var(init = nothing)), unitless = true)
for L in [1.0, 2.5]
    check(inits, Map(L = L, x = L, y = 0.0, vx = 0.0, vy = 0.0), L, pi/2, 0.0)       # horizontal, either side
    check(inits, Map(L = L, x = -L, y = 0.0), L, -pi/2, 0.0)
    check(inits, Map(L = L, x = 0.0, y = -L, vx = 1.5), L, 0.0, 1.5/L)               # hanging, in motion
    check(inits, Map(L = L, x = 0.0, y = L, vx = -0.5), L, pi, 0.5/L)                # upside down
    check(inits, Map(L = L, x = L, y = 0.0, vx = 0.0, vy = 2.0), L, pi/2, 2.0/L)
end
# Only one coordinate is given and the guess of the other is poor.
check(guessY, Map(x = 0.0, vx = 0.7), 1.0, 0.0, 0.7)
check(guessY, Map(x = 0.6, vx = 0.0), 1.0, asin(0.6), 0.0)
check(guessX, Map(y = 0.0, vy = 0.0), 1.0, pi/2, 0.0)
check(guessX, Map(y = -0.8, vy = 0.3), 1.0, acos(0.8), 0.3/0.6)
check(guessX, Map(L = 2.5, y = 2.0, vy = 0.0), 2.5, acos(-0.8), 0.0)

# An ideal gear: a.phi = ratio*b.phi has its literal coefficient at a, which has the init value.
Gear = Model(
    ratio = 3.0, Ja = 1.0, Jb = 2.0, c = 5.0,
    phiA = Var(init = 0.6), wA = Var(init = 1.2),
    equations = :[
        der(phiA) = wA
        der(phiB) = wB
        phiA = ratio*phiB
        Ja*der(wA) = -tauA
        Jb*der(wB) = ratio*tauA - c*phiB
    ]
)
gear = @instantiateModel(Gear, unitless = true)
@test get_xNames(gear) == ["phiA", "wA"] || get_xNames(gear) == ["wA", "phiA"]
for (ratio, solver) in [(3.0, CVODE_BDF()), (-0.5, Tsit5()), (10.0, IDA())]
    simulate!(gear, solver, stopTime = 1.7, tolerance = 1e-9, merge = Map(ratio = ratio))
    omega = sqrt(5.0/(ratio^2 + 2.0))
    @test close(getLastValue(gear, "phiA"), 0.6*cos(omega*1.7) + 1.2/omega*sin(omega*1.7))
    @test close(getLastValue(gear, "wB"), (-0.6*omega*sin(omega*1.7) + 1.2*cos(omega*1.7))/ratio)
end
# With init on the other side the choice is that of the language, as it is when a.phi begins at zero.
other = @instantiateModel(Gear | Map(phiA = Var(init = nothing), wA = Var(init = nothing),
                                     phiB = Var(init = 0.2), wB = Var(init = 0.4)), unitless = true)
simulate!(other, stopTime = 1.7, tolerance = 1e-9)
simulate!(gear, stopTime = 1.7, tolerance = 1e-9, merge = Map(ratio = 3.0))
@test close(getLastValue(other, "phiA"), getLastValue(gear, "phiA"))
@test "phiB" in get_xNames(other)
zero = @instantiateModel(Gear | Map(phiA = Var(init = 0.0), wA = Var(init = 0.0)), unitless = true)
@test "phiB" in get_xNames(zero)

end
