# Sums of states that only the equations around them together require (language 4.3): the nodes of
# a ring of resistive elements, each fed by an inductor. What flows into the ring flows out of it, so
# one of the currents is no state, although no equation says so.
module HiddenSums

using Modia
using Test

# The ring modulator of the test set for initial value problems without its capacitors has this
# core: four nodes with the potentials u, four elements with the currents g, four inductors.
Ring = Model(
    L = 0.3,
    y10 = Var(init = 0.1),
    y11 = Var(init = 0.2),
    y12 = Var(init = -0.05),
    equations = :[
        0 = y10 - g1 + g4
        0 = y11 - g2 + g3
        0 = y12 - g3 + g1
        0 = y13 - g4 + g2
        g1 = 0.5*(u1 - u3)
        g2 = 0.5*(u2 - u4)
        g3 = 0.5*(u3 - u2)
        g4 = 0.5*(u4 - u1)
        L*der(y10) = -u1 - 0.2*y10 + sin(3.0*time)
        L*der(y11) = -u2 - 0.2*y11
        L*der(y12) = -u3 - 0.2*y12
        L*der(y13) = -u4 - 0.2*y13
    ]
)

# With linear elements the ring is a matrix: y = G*u with G of rank three, and the mean of u follows
# from the sum of the inductors' equations. Modes of the ring are discrete Fourier modes; the order
# around it is u1, u3, u2, u4, and G has the eigenvalues 0, 1, 2, 1. The two with eigenvalue 1:
#   L*a' = -a - 0.2*a + sin(3t)/sqrt(2),     the one with 2:  L*b' = -b/2 - 0.2*b + sin(3t)/2
forced(lambda, L, amplitude, a0, t) = begin
    # L*a' = -lambda*a + amplitude*sin(3t)
    k = lambda/L
    c = amplitude/L/(k^2 + 9.0)
    (a0 + 3.0*c)*exp(-k*t) + c*(k*sin(3.0*t) - 3.0*cos(3.0*t))
end

function currents(t, L, y)
    ring = [y[1], y[3], y[2], y[4]]  # in the order around the ring
    a = (ring[1] - ring[3])/sqrt(2.0)
    c = (ring[2] - ring[4])/sqrt(2.0)
    b = (ring[1] - ring[2] + ring[3] - ring[4])/2.0
    at = forced(1.2, L, 1.0/sqrt(2.0), a, t)
    ct = forced(1.2, L, 0.0, c, t)
    bt = forced(0.7, L, 0.5, b, t)
    [at/sqrt(2.0) + bt/2.0, -at/sqrt(2.0) + bt/2.0, ct/sqrt(2.0) - bt/2.0, -ct/sqrt(2.0) - bt/2.0]
end

ring = @instantiateModel(Ring, unitless = true)
for (solver, L) in [(CVODE_BDF(), 0.3), (Tsit5(), 0.3), (IDA(), 0.7)]
    simulate!(ring, solver, stopTime = 1.3, tolerance = 1e-9, merge = Map(L = L))
    y = [getLastValue(ring, "y10"), getLastValue(ring, "y11"), getLastValue(ring, "y12"), getLastValue(ring, "y13")]
    expected = currents(1.3, L, [0.1, 0.2, -0.05, -0.25])
    for i in 1:4
        @test isapprox(y[i], expected[i], atol = 1e-7)
    end
    @test abs(sum(y)) < 1e-14
end
@test get_xNames(ring) == ["y10", "y11", "y12"]

# A ring of six, with three connections more across it: the sum of six.
Six = Model(
    i1 = Var(init = 1.0), i2 = Var(init = -2.0), i3 = Var(init = 0.5), i4 = Var(init = 0.25), i5 = Var(init = 0.75),
    equations = :[
        0 = i1 - f1 + f6 - h1
        0 = i2 - f2 + f1 - h2
        0 = i3 - f3 + f2 - h3
        0 = i4 - f4 + f3 + h1
        0 = i5 - f5 + f4 + h2
        0 = i6 - f6 + f5 + h3
        f1 = u1 - u2
        f2 = u2 - u3
        f3 = u3 - u4
        f4 = u4 - u5
        f5 = u5 - u6
        f6 = u6 - u1
        h1 = 2.0*(u1 - u4)
        h2 = 2.0*(u2 - u5)
        h3 = 2.0*(u3 - u6)
        der(i1) = -u1
        der(i2) = -u2
        der(i3) = -u3
        der(i4) = -u4
        der(i5) = -u5
        der(i6) = -u6
    ]
)
six = @instantiateModel(Six, unitless = true)
simulate!(six, stopTime = 0.5, tolerance = 1e-9)
@test length(get_xNames(six)) == 5
@test isapprox(getLastValue(six, "i6"), -sum(getLastValue(six, "i$k") for k in 1:5), atol = 1e-14)
# What is odd under a turn by half decays alike; of it, what alternates has the eigenvalue 4 + 4, and
# the rest 1 + 4: i1 - i4 - ... are the amplitudes.
start = [1.0, -2.0, 0.5, 0.25, 0.75, -0.5]
odd = [start[1] - start[4], start[2] - start[5], start[3] - start[6]]/2.0
alternating = (odd[1] - odd[2] + odd[3])/3.0
rest = odd - alternating*[1.0, -1.0, 1.0]
now = alternating*exp(-0.5/8.0)*[1.0, -1.0, 1.0] + rest*exp(-0.5/5.0)
for k in 1:3
    @test isapprox((getLastValue(six, "i$k") - getLastValue(six, "i$(k + 3)"))/2.0, now[k], atol = 1e-7)
end

# Sums with something that is known: a source at one node, given as a literal, a parameter or by time. The sum of the currents is
# what it feeds. Numbers are those of SciPy (DOP853 at 1e-11) for the potentials solved by hand.
fed(source) = Expr(:vcat, :(0 = y10 - g1 + g4 - $source), :(0 = y11 - g2 + g3), :(0 = y12 - g3 + g1), :(0 = y13 - g4 + g2),
    :(g1 = 0.5*(u1 - u3)), :(g2 = 0.5*(u2 - u4)), :(g3 = 0.5*(u3 - u2)), :(g4 = 0.5*(u4 - u1)),
    :(L*der(y10) = -u1 - 0.2*y10 + sin(3.0*time)), :(L*der(y11) = -u2 - 0.2*y11), :(L*der(y12) = -u3 - 0.2*y12),
    :(L*der(y13) = -u4 - 0.2*y13))
for (source, expected) in [(3.0, [2.84819052, -0.08277607, 0.09165088, 0.14293467]), (3, [2.84819052, -0.08277607, 0.09165088, 0.14293467]),
                           (:p, [2.84819052, -0.08277607, 0.09165088, 0.14293467]),
                           (:time, [1.13391905, 0.0283476, -0.07930176, -0.08296489])]
    model = Model(L = 0.3, p = 3.0, y10 = Var(init = 0.1), y11 = Var(init = 0.2), y12 = Var(init = -0.05), equations = fed(source))
    fed_ring = @instantiateModel(model, unitless = true)
    for solver in [CVODE_BDF(), Tsit5(), IDA()]
        simulate!(fed_ring, solver, stopTime = 1.0, tolerance = 1e-9)
        y = [getLastValue(fed_ring, "y$k") for k in 10:13]
        @test maximum(abs.(y - expected)) < 1e-6
    end
    @test length(get_xNames(fed_ring)) == 3
end

# Elements that are not linear, and coefficients other than one.
Bent = Model(y1 = Var(init = 1.0), y2 = Var(init = 0.5), equations = :[
    0 = y1 - g1 + g3
    0 = y2 - g2 + g1
    0 = y3 - g3 + g2 + 1.5
    g1 = (u1 - u2)^3 + (u1 - u2)
    g2 = u2 - u3
    g3 = u3 - u1
    der(y1) = -u1 - y1
    der(y2) = -u2 - y2
    der(y3) = -u3 - y3])
bent = @instantiateModel(Bent, unitless = true)
simulate!(bent, stopTime = 1.0, tolerance = 1e-9)
@test abs(getLastValue(bent, "y1") + 0.01241558) < 1e-7 && abs(getLastValue(bent, "y2") + 0.14449086) < 1e-7
@test abs(getLastValue(bent, "y1") + getLastValue(bent, "y2") + getLastValue(bent, "y3") + 1.5) < 1e-12
Double = Model(y1 = Var(init = 1.0), y2 = Var(init = 0.5), equations = :[
    0 = 2*y1 - g1 + g3
    0 = 3*y2 - g2 + g1
    0 = y3 - g3 + g2
    g1 = (u1 - u2)^3 + (u1 - u2)
    g2 = u2 - u3
    g3 = u3 - u1
    der(y1) = -u1 - y1
    der(y2) = -u2 - y2
    der(y3) = -u3 - y3])
double = @instantiateModel(Double, unitless = true)
simulate!(double, stopTime = 1.0, tolerance = 1e-9)
@test abs(2*getLastValue(double, "y1") + 3*getLastValue(double, "y2") + getLastValue(double, "y3")) < 1e-12
@test length(get_xNames(double)) == 2

end
