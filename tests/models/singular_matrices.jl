# M x' = f(x) with a singular M: equations that combine to one without derivatives. All solvers, against published solutions,
# closed forms and the same models with the differentiated combinations as states.
module SingularMatrices

using Modia
using Test

last(m, name) = getLastValue(m, name)
solvers = [IDA(), CVODE_BDF(), Tsit5(), KenCarp4(), Rodas5P()]

# The transistor amplifier of the test set for initial value problems, as published: rank 5 of 8.
TransistorAmplifier = Model(
    Ub = 6.0, Uf = 0.026, alpha = 0.99, beta = 1e-6, R0 = 1000.0, R = 9000.0,
    C1 = 1e-6, C2 = 2e-6, C3 = 3e-6, C4 = 4e-6, C5 = 5e-6,
    y1 = Var(init = 0.0), y2 = Var(init = 3.0), y3 = Var(init = 3.0), y4 = Var(init = 6.0),
    y5 = Var(init = 3.0), y6 = Var(init = 3.0), y7 = Var(init = 6.0), y8 = Var(init = 0.0),
    equations = :[
        ue = 0.1*sin(200*pi*time)
        f23 = beta*(exp((y2 - y3)/Uf) - 1)
        f56 = beta*(exp((y5 - y6)/Uf) - 1)
        -C1*der(y1) + C1*der(y2) = (y1 - ue)/R0
        C1*der(y1) - C1*der(y2) = -Ub/R + 2*y2/R - (alpha - 1)*f23
        -C2*der(y3) = -f23 + y3/R
        -C3*der(y4) + C3*der(y5) = -Ub/R + y4/R + alpha*f23
        C3*der(y4) - C3*der(y5) = -Ub/R + 2*y5/R - (alpha - 1)*f56
        -C4*der(y6) = -f56 + y6/R
        -C5*der(y7) + C5*der(y8) = -Ub/R + y7/R + alpha*f56
        C5*der(y7) - C5*der(y8) = y8/R
    ]
)
published = [-0.5562145012262709e-2, 0.3006522471903042e1, 0.2849958788608128e1, 0.2926422536206241e1,
             0.2704617865010554e1, 0.2761837778393145e1, 0.4770927631616772e1, 0.1236995868091548e1]
amplifier = @instantiateModel(TransistorAmplifier, unitless = true)
worst(m) = maximum(abs(last(m, "y$i")/published[i] - 1) for i in 1:8)
for (solver, tolerance, allowed) in [(IDA(), 1e-6, 2e-3), (IDA(), 1e-9, 1e-5), (CVODE_BDF(), 1e-8, 1e-4), (KenCarp4(), 1e-8, 1e-6),
                                     (Rodas5P(), 1e-8, 1e-6), (Tsit5(), 1e-8, 1e-6)]
    simulate!(amplifier, solver, stopTime = 0.2, tolerance = tolerance, atol = 1e-3*tolerance)
    @test worst(amplifier) < allowed
end
# Other capacitors need no new translation.
slow = @instantiateModel(TransistorAmplifier | Map(C1 = 2e-6, C2 = 4e-6, C3 = 6e-6, C4 = 8e-6, C5 = 10e-6), unitless = true)
simulate!(amplifier, IDA(), stopTime = 0.02, tolerance = 1e-8, atol = 1e-11, merge = Map(C1 = 2e-6, C2 = 4e-6, C3 = 6e-6, C4 = 8e-6, C5 = 10e-6))
simulate!(slow, IDA(), stopTime = 0.02, tolerance = 1e-8, atol = 1e-11)
@test all(last(slow, "y$i") == last(amplifier, "y$i") for i in 1:8)

# Two nodes, a floating capacitor between: y = -x, C (y - x)' = x.
Two = Model(C = 0.5, x = Var(init = -0.5), y = Var(init = 0.5), equations = :[C*(der(y) - der(x)) = x; C*(der(x) - der(y)) = y])
# The same with numbers, and with weights that are no ones: 2*C*(...) against 3*C*(...), and a ratio of parameters.
Weighted = Model(C = 0.5, x = Var(init = -0.5), y = Var(init = 0.5), equations = :[2*C*(der(y) - der(x)) = 2*x; 3*C*(der(x) - der(y)) = 3*y])
Numbers = Model(x = Var(init = -0.5), y = Var(init = 0.5), equations = :[0.5*(der(y) - der(x)) = x; 0.5*(der(x) - der(y)) = y])
Ratio = Model(a = 0.7, b = 3.0, C = 0.5, x = Var(init = -0.5), y = Var(init = 0.5),
              equations = :[a*C*(der(y) - der(x)) = a*x; b*C*(der(x) - der(y)) = b*y])
for model in [Two, Weighted, Numbers, Ratio]
    two = @instantiateModel(model, unitless = true)
    for solver in solvers
        simulate!(two, solver, stopTime = 2.0, tolerance = 1e-9)
        @test abs(last(two, "y") - 0.5*exp(-2.0)) < 1e-7
        @test abs(last(two, "x") + 0.5*exp(-2.0)) < 1e-7
    end
end
ratio = @instantiateModel(Ratio, unitless = true)
simulate!(ratio, stopTime = 2.0, tolerance = 1e-9, merge = Map(a = -5.0, b = 1e-6, C = 0.25))
@test abs(last(ratio, "y") - 0.5*exp(-4.0)) < 1e-7

# A chain of floating capacitors between nodes with resistors to ground, driven by a current: the node matrix has the
# rank n - 1. The same with the voltages of the capacitors as states.
Chain = Model(
    C = 1e-3, R = 100.0, v1 = Var(init = 0.0), v2 = Var(init = 0.0), v3 = Var(init = 0.0), v4 = Var(init = 0.0), v5 = Var(init = 0.0), v6 = Var(init = 0.0),
    equations = :[
        C*(der(v1) - der(v2)) = -v1/(R*1) + 0.01*sin(3*time)
        C*(der(v2) - der(v1)) + C*(der(v2) - der(v3)) = -v2/(R*2)
        C*(der(v3) - der(v2)) + C*(der(v3) - der(v4)) = -v3/(R*3)
        C*(der(v4) - der(v3)) + C*(der(v4) - der(v5)) = -v4/(R*4)
        C*(der(v5) - der(v4)) + C*(der(v5) - der(v6)) = -v5/(R*5)
        C*(der(v6) - der(v5)) = -v6/(R*6)
    ]
)
Reduced = Model(
    C = 1e-3, R = 100.0, u1 = Var(init = 0.0), u2 = Var(init = 0.0), u3 = Var(init = 0.0), u4 = Var(init = 0.0), u5 = Var(init = 0.0),
    equations = :[
        u1 = v2 - v1
        u2 = v3 - v2
        u3 = v4 - v3
        u4 = v5 - v4
        u5 = v6 - v5
        -C*der(u1) = -v1/(R*1) + 0.01*sin(3*time)
        C*der(u1) - C*der(u2) = -v2/(R*2)
        C*der(u2) - C*der(u3) = -v3/(R*3)
        C*der(u3) - C*der(u4) = -v4/(R*4)
        C*der(u4) - C*der(u5) = -v5/(R*5)
        C*der(u5) = -v6/(R*6)
    ]
)
chain = @instantiateModel(Chain, unitless = true)
reduced = @instantiateModel(Reduced, unitless = true)
simulate!(reduced, stopTime = 3.0, tolerance = 1e-9)
for solver in solvers
    simulate!(chain, solver, stopTime = 3.0, tolerance = 1e-9)
    @test maximum(abs(last(chain, "v$i") - last(reduced, "v$i")) for i in 1:6) < 1e-7
end

# A loop of capacitors: three nodes, three capacitors, of which only two voltages are independent.
Loop = Model(C1 = 1.0, C2 = 2.0, C3 = 3.0, a = Var(init = 1.0), b = Var(init = 0.0), c = Var(init = -1.0), equations = :[
    C1*(der(a) - der(b)) + C3*(der(a) - der(c)) = -a
    C1*(der(b) - der(a)) + C2*(der(b) - der(c)) = -b
    C2*(der(c) - der(b)) + C3*(der(c) - der(a)) = -c])
Plain = Model(C1 = 1.0, C2 = 2.0, C3 = 3.0, u = Var(init = 1.0), w = Var(init = 1.0), equations = :[
    u = a - b
    w = b - c
    C1*der(u) + C3*(der(u) + der(w)) = -a
    -C1*der(u) + C2*der(w) = -b
    0 = a + b + c])
loop = @instantiateModel(Loop, unitless = true)
plain3 = @instantiateModel(Plain, unitless = true)
simulate!(plain3, stopTime = 2.0, tolerance = 1e-9)
for solver in solvers
    simulate!(loop, solver, stopTime = 2.0, tolerance = 1e-9)
    @test maximum(abs(last(loop, v) - last(plain3, v)) for v in ["a", "b", "c"]) < 1e-7
end

# Two coils on one core without stray field, L1 L2 = M^2. The flux is the only state: p = sqrt(L1) i1 + sqrt(L2) i2 with
# p' = (u - R1 i1)/sqrt(L1) = -R2 i2/sqrt(L2).
Coils = Model(L1 = 0.4, L2 = 0.1, R1 = 2.0, R2 = 3.0, U = 1.0, i1 = Var(start = 0.0), i2 = Var(init = 0.0), equations = :[
    L1*der(i1) + sqrt(L1*L2)*der(i2) = U*(1 - exp(-10*time)) - R1*i1
    sqrt(L1*L2)*der(i1) + L2*der(i2) = -R2*i2])
coils = @instantiateModel(Coils, unitless = true)
for solver in solvers, (L1, L2) in [(0.4, 0.1), (0.03, 5.0)]
    simulate!(coils, solver, stopTime = 0.7, tolerance = 1e-9, merge = Map(L1 = L1, L2 = L2))
    # T p' = k (1 - exp(-10 t)) - p
    T = L1/2.0 + L2/3.0
    k = sqrt(L1)/2.0
    p = k*(1 - exp(-0.7/T)) - k/(1 - 10*T)*(exp(-7.0) - exp(-0.7/T))
    i2 = last(coils, "i2")
    i1 = last(coils, "i1")
    @test abs(sqrt(L1)*i1 + sqrt(L2)*i2 - p) < 1e-7
    @test abs((1 - exp(-7.0) - 2.0*i1) - sqrt(L1/L2)*(-3.0*i2)) < 1e-7
end

# A constraint that gives what another equation wants to know: y1 is given, y2 follows from the sum of the two rows.
Given = Model(C = 2.0, y1 = Var(start = 1.0), y2 = Var(start = 1.0), equations = :[
    C*(der(y1) - der(y2)) = z + y2
    C*(der(y2) - der(y1)) = -z - y1 + sin(time)
    y1 = cos(time)])
given = @instantiateModel(Given, unitless = true)
for solver in solvers
    simulate!(given, solver, stopTime = 2.0, tolerance = 1e-8)
    @test abs(last(given, "y2") - cos(2.0) + sin(2.0)) < 1e-9
    @test abs(last(given, "z") - (2.0*cos(2.0) - cos(2.0) + sin(2.0))) < 1e-9
end

# Behind one constraint another one: the sums of the rows give 0 = z1 - z2 and 0 = y1 + y2, so all derivatives are tied.
Tower = Model(C = 2.0, K = [3.0, 5.0], y1 = Var(init = 1.0), y2 = Var(start = 0.0), z1 = Var(init = 0.5), z2 = Var(start = 0.0), equations = :[
    C*(der(y1) - der(y2)) + der(z1) = -y1
    C*(der(y2) - der(y1)) - der(z1) = -y2
    K[1]*(der(z1) + der(z2)) = -z1
    K[2]*(der(z1) + der(z2)) = -K[2]/K[1]*z2])
tower = @instantiateModel(Tower, unitless = true)
for solver in solvers
    simulate!(tower, solver, stopTime = 2.0, tolerance = 1e-9, merge = Map(K = [3.0, 7.0]))
    # z1 = z2 = exp(-t/6)/2 and 4 y1' + z1' = -y1.
    z = 0.5*exp(-2.0/6)
    # y1 = a exp(-t/4) + b exp(-t/6): -4/6 b - 1/12 = -b, so b = 1/4, a = 3/4.
    @test abs(last(tower, "z1") - z) < 1e-7
    @test abs(last(tower, "z2") - z) < 1e-7
    @test abs(last(tower, "y1") - 0.75*exp(-0.5) - 0.25*exp(-2.0/6)) < 1e-7
    @test abs(last(tower, "y2") + last(tower, "y1")) < 1e-12
end

# Nearly singular is not singular: nothing is taken for a constraint.
Nearly = Model(x = Var(init = 1.0), y = Var(init = 1.0), equations = :[
    der(x) + der(y) = -x
    der(x) + (1 + 1e-9)*der(y) = -x + 1e-9*x])
nearly = @instantiateModel(Nearly, unitless = true)
simulate!(nearly, stopTime = 1.0, tolerance = 1e-9)
# Their difference: y' = x, and so x' = -2 x.
@test abs(last(nearly, "x") - exp(-2.0)) < 1e-6
@test abs(last(nearly, "y") - 1.5 + 0.5*exp(-2.0)) < 1e-6

end
