# The problems of by_hand.c, each simulated some times; bench/stiff_bench.sh takes the shortest run from the log.
using Modia

Lorenz = Model(s = 10.0, r = 28.0, b = 8/3, x = Var(init = 1.0), y = Var(init = 1.0), z = Var(init = 1.0),
    equations = :[
        der(x) = s*(y - x)
        der(y) = x*(r - z) - y
        der(z) = x*y - b*z
    ])

Hires = Model(
    y1 = Var(init = 1.0), y2 = Var(init = 0.0), y3 = Var(init = 0.0), y4 = Var(init = 0.0),
    y5 = Var(init = 0.0), y6 = Var(init = 0.0), y7 = Var(init = 0.0), y8 = Var(init = 0.0057),
    equations = :[
        der(y1) = -1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007
        der(y2) = 1.71*y1 - 8.75*y2
        der(y3) = -10.03*y3 + 0.43*y4 + 0.035*y5
        der(y4) = 8.32*y2 + 1.71*y3 - 1.12*y4
        der(y5) = -1.745*y5 + 0.43*y6 + 0.43*y7
        der(y6) = -280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7
        der(y7) = 280*y6*y8 - 1.81*y7
        der(y8) = -280*y6*y8 + 1.81*y7
    ])

Pollution = Model(
    y1 = Var(init = 0.0), y2 = Var(init = 0.2), y3 = Var(init = 0.0), y4 = Var(init = 0.04), y5 = Var(init = 0.0),
    y6 = Var(init = 0.0), y7 = Var(init = 0.1), y8 = Var(init = 0.3), y9 = Var(init = 0.01), y10 = Var(init = 0.0),
    y11 = Var(init = 0.0), y12 = Var(init = 0.0), y13 = Var(init = 0.0), y14 = Var(init = 0.0), y15 = Var(init = 0.0),
    y16 = Var(init = 0.0), y17 = Var(init = 0.007), y18 = Var(init = 0.0), y19 = Var(init = 0.0), y20 = Var(init = 0.0),
    equations = :[
        r1 = 0.35*y1; r2 = 26.6*y2*y4; r3 = 1.23e4*y5*y2; r4 = 8.6e-4*y7; r5 = 8.2e-4*y7; r6 = 1.5e4*y7*y6
        r7 = 1.3e-4*y9; r8 = 2.4e4*y9*y6; r9 = 1.65e4*y11*y2; r10 = 9e3*y11*y1; r11 = 0.022*y13; r12 = 1.2e4*y10*y2
        r13 = 1.88*y14; r14 = 1.63e4*y1*y6; r15 = 4.8e6*y3; r16 = 3.5e-4*y4; r17 = 0.0175*y4; r18 = 1e8*y16
        r19 = 4.44e11*y16; r20 = 1240*y17*y6; r21 = 2.1*y19; r22 = 5.78*y19; r23 = 0.0474*y1*y4; r24 = 1780*y19*y1
        r25 = 3.12*y20
        der(y1) = -r1 - r10 - r14 - r23 - r24 + r2 + r3 + r9 + r11 + r12 + r22 + r25
        der(y2) = -r2 - r3 - r9 - r12 + r1 + r21
        der(y3) = -r15 + r1 + r17 + r19 + r22
        der(y4) = -r2 - r16 - r17 - r23 + r15
        der(y5) = -r3 + r4 + r4 + r6 + r7 + r13 + r20
        der(y6) = -r6 - r8 - r14 - r20 + r3 + r18 + r18
        der(y7) = -r4 - r5 - r6 + r13
        der(y8) = r4 + r5 + r6 + r7
        der(y9) = -r7 - r8
        der(y10) = -r12 + r7 + r9
        der(y11) = -r9 - r10 + r8 + r11
        der(y12) = r9
        der(y13) = -r11 + r10
        der(y14) = -r13 + r12
        der(y15) = r14
        der(y16) = -r18 - r19 + r16
        der(y17) = -r20
        der(y18) = r20
        der(y19) = -r21 - r22 - r24 + r23 + r25
        der(y20) = -r25 + r24
    ])

Ring = Model(
    C = 1.6e-8, Cs = 2e-12, Cp = 1e-8, Lh = 4.45, Ls1 = 0.002, Ls2 = 5e-4, Ls3 = 5e-4, R = 25000.0, Rp = 50.0,
    Rg1 = 36.3, Rg2 = 17.3, Rg3 = 17.3, Ri = 50.0, Rc = 600.0, g = 40.67286402e-9, d = 17.7493332,
    y1 = Var(init = 0.0), y2 = Var(init = 0.0), y3 = Var(init = 0.0), y4 = Var(init = 0.0), y5 = Var(init = 0.0),
    y6 = Var(init = 0.0), y7 = Var(init = 0.0), y8 = Var(init = 0.0), y9 = Var(init = 0.0), y10 = Var(init = 0.0),
    y11 = Var(init = 0.0), y12 = Var(init = 0.0), y13 = Var(init = 0.0), y14 = Var(init = 0.0), y15 = Var(init = 0.0),
    equations = :[
        in1 = 0.5*sin(2000*pi*time)
        in2 = 2*sin(20000*pi*time)
        q1 = g*(exp(d*(y3 - y5 - y7 - in2)) - 1)
        q2 = g*(exp(d*(-y4 + y6 - y7 - in2)) - 1)
        q3 = g*(exp(d*(y4 + y5 + y7 + in2)) - 1)
        q4 = g*(exp(d*(-y3 - y6 + y7 + in2)) - 1)
        der(y1) = (y8 - 0.5*y10 + 0.5*y11 + y14 - y1/R)/C
        der(y2) = (y9 - 0.5*y12 + 0.5*y13 + y15 - y2/R)/C
        der(y3) = (y10 - q1 + q4)/Cs
        der(y4) = (-y11 + q2 - q3)/Cs
        der(y5) = (y12 + q1 - q3)/Cs
        der(y6) = (-y13 - q2 + q4)/Cs
        der(y7) = (-y7/Rp + q1 + q2 - q3 - q4)/Cp
        der(y8) = -y1/Lh
        der(y9) = -y2/Lh
        der(y10) = (0.5*y1 - y3 - Rg2*y10)/Ls2
        der(y11) = (-0.5*y1 + y4 - Rg3*y11)/Ls3
        der(y12) = (0.5*y2 - y5 - Rg2*y12)/Ls2
        der(y13) = (-0.5*y2 + y6 - Rg3*y13)/Ls3
        der(y14) = (-y1 + in1 - (Ri + Rg1)*y14)/Ls1
        der(y15) = (-y2 - (Rc + Rg1)*y15)/Ls1
    ])

Brusselator = Model(n = 500, a = 1.0, b = 3.0, alpha = 0.02,
    u = Var(init = [1.0 + sin(2*pi*i/501) for i in 1:500]), v = Var(init = 3.0*ones(500)),
    equations = :[
        c = alpha*(n + 1)^2
        der(u) = [a + u[i]^2*v[i] - (b + 1)*u[i] + c*((i > 1 ? u[i-1] : 1.0) - 2*u[i] + (i < n ? u[i+1] : 1.0)) for i in 1:n]
        der(v) = [b*u[i] - u[i]^2*v[i] + c*((i > 1 ? v[i-1] : 3.0) - 2*v[i] + (i < n ? v[i+1] : 3.0)) for i in 1:n]
    ])

for (name, Problem, stop, tolerance, atol, first, times) in [
        ("lorenz", Lorenz, 20.0, 1e-6, 1e-6, "x", 20), ("hires", Hires, 321.8122, 1e-7, 1e-11, "y1", 20),
        ("pollution", Pollution, 60.0, 1e-7, 1e-11, "y1", 20), ("ring", Ring, 1e-3, 1e-6, 1e-9, "y1", 3),
        ("brusselator", Brusselator, 10.0, 1e-6, 1e-6, "u", 20)]
    model = @instantiateModel(Problem, unitless = true)
    for k in 1:times
        println("problem ", name)
        simulate!(model, CVODE_BDF(), stopTime = stop, interval = stop, tolerance = tolerance, atol = atol, log = true)
    end
    println("first = ", getLastValue(model, first)[1])
end
