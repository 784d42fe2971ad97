# Equations that look regular and hide a constraint for the values of their parameters: a load of 0 F in charges, a body of
# 0 kg, a coil of 0 H. Each against a closed form or the same thing written without what vanishes.
using Modia
using Test

last(m, name) = getLastValue(m, name)
states(m) = length(get_xNames(m))
solvers = [CVODE_BDF(), IDA(), Tsit5(), Rodas5P(), KenCarp4()]
apart(a, b, names) = maximum(abs(last(a, n) - last(b, n)) for n in names)

# q = C*x, q' = (sin t - x)/R: without C the node follows its source.
Node = Model(C = 0.0, R = 2.0, q = Var(init = 0.0), z = Var(init = 0.0), equations = :[
    q = C*x
    der(q) = (sin(time) - x)/R
    der(z) = x])
node = @instantiateModel(Node, unitless = true)
@test states(node) == 1
for s in solvers
    simulate!(node, s, stopTime = 1.0, tolerance = 1e-8)
    @test abs(last(node, "z") - (1.0 - cos(1.0))) < 1e-7
end
# x' = (sin t - x)/(R C) with R C = 1: x(1) = (sin 1 - cos 1 + exp(-1))/2; there and back by merge.
simulate!(node, stopTime = 1.0, tolerance = 1e-8, merge = Map(C = 0.5))
@test states(node) == 2
@test abs(last(node, "x") - 0.5*(sin(1.0) - cos(1.0) + exp(-1.0))) < 1e-7
simulate!(node, stopTime = 1.0, tolerance = 1e-8, merge = Map(C = 0.0))
@test states(node) == 1
@test abs(last(node, "z") - (1.0 - cos(1.0))) < 1e-7

# A body without mass between a spring and a damper has no speed of its own.
Body = Model(m = 0.0, c = 3.0, d = 2.0, s = Var(init = 1.0), v = Var(start = 0.0), equations = :[
    der(s) = v
    m*der(v) = -c*s - d*v])
body = @instantiateModel(Body, unitless = true)
@test states(body) == 1
for s in solvers
    simulate!(body, s, stopTime = 1.0, tolerance = 1e-8)
    @test abs(last(body, "s") - exp(-1.5)) < 1e-7
end

# Three bodies in a row; the one in the middle has no mass, so its position follows from those of the others.
Row = Model(m1 = 1.0, m2 = 0.0, m3 = 2.0, c = 5.0,
    s1 = Var(init = 1.0), s2 = Var(start = 0.0), s3 = Var(init = 0.0), v1 = Var(init = 0.0), v2 = Var(start = 0.0), v3 = Var(init = 0.0), equations = :[
        der(s1) = v1
        der(s2) = v2
        der(s3) = v3
        m1*der(v1) = -c*s1 + c*(s2 - s1)
        m2*der(v2) = -c*(s2 - s1) + c*(s3 - s2)
        m3*der(v3) = -c*(s3 - s2) - c*s3])
Two = Model(m1 = 1.0, m3 = 2.0, c = 5.0, s1 = Var(init = 1.0), s3 = Var(init = 0.0), v1 = Var(init = 0.0), v3 = Var(init = 0.0), equations = :[
    der(s1) = v1
    der(s3) = v3
    s2 = 0.5*(s1 + s3)
    m1*der(v1) = -c*s1 + c*(s2 - s1)
    m3*der(v3) = -c*(s3 - s2) - c*s3])
row = @instantiateModel(Row, unitless = true)
two = @instantiateModel(Two, unitless = true)
@test states(row) == 4
simulate!(two, stopTime = 2.0, tolerance = 1e-9)
for s in solvers
    simulate!(row, s, stopTime = 2.0, tolerance = 1e-9)
    @test apart(row, two, ["s1", "s2", "s3", "v1", "v3"]) < 1e-6
end
# Mass in the middle after all, and another one without.
simulate!(row, stopTime = 2.0, tolerance = 1e-9, merge = Map(m2 = 1e-5))
@test states(row) == 6
@test apart(row, two, ["s1", "s3"]) < 1e-3
simulate!(row, stopTime = 2.0, tolerance = 1e-9, merge = Map(m2 = 0.0))
@test states(row) == 4
@test apart(row, two, ["s1", "s2", "s3"]) < 1e-6

# A node that only junctions with a charge of their own kind lead to: nothing but the sum of all charges tells that it floats.
charge(v) = v/sqrt(1.0 + v^2)
cap(v) = if v <= 0.0; 1.0/sqrt(1.0 - v) else 1.0 + 0.5*v end
Floating = Model(CL = 0.0, G = 0.5, q1 = Var(init = 0.0), q2 = Var(start = 0.0), q3 = Var(init = 0.0), equations = :[
    q1 = cap(x1 - x2)*(x1 - x2)
    q2 = cap(x1 - x2)*(x2 - x1) + cap(x3 - x2)*(x2 - x3) + CL*x2
    q3 = cap(x3 - x2)*(x3 - x2)
    der(q1) = 2.0 + sin(time) - x1
    der(q2) = -G*x2
    der(q3) = -x3 - 1.0])
Summed = Model(G = 0.5, q1 = Var(init = 0.0), q3 = Var(init = 0.0), equations = :[
    q1 = cap(u1)*u1
    q3 = cap(u3)*u3
    x1 = x2 + u1
    x3 = x2 + u3
    i1 = 2.0 + sin(time) - x1
    i3 = -x3 - 1.0
    der(q1) = i1
    der(q3) = i3
    0 = i1 + i3 - G*x2])
floating = @instantiateModel(Floating, unitless = true)
summed = @instantiateModel(Summed, unitless = true)
@test states(floating) == 2
simulate!(summed, stopTime = 1.0, tolerance = 1e-9)
for s in solvers
    simulate!(floating, s, stopTime = 1.0, tolerance = 1e-9)
    @test apart(floating, summed, ["x1", "x2", "x3", "q1", "q3"]) < 1e-6
end
simulate!(floating, stopTime = 1.0, tolerance = 1e-9, merge = Map(CL = 1e-6))
@test states(floating) == 3
@test apart(floating, summed, ["x1", "x2", "x3"]) < 1e-5

# The same twice in a row with x4 between them, and a factor in front of one row.
Ladder = Model(CL = 0.0, CM = 0.0, k = 3.0, G = 0.5, q1 = Var(init = 0.0), q2 = Var(start = 0.0), q3 = Var(init = 0.0), q4 = Var(start = 0.0), q5 = Var(init = 0.0), equations = :[
    q1 = cap(x1 - x2)*(x1 - x2)
    k*q2 = k*cap(x1 - x2)*(x2 - x1) + k*cap(x3 - x2)*(x2 - x3) + CL*x2
    q3 = cap(x3 - x2)*(x3 - x2) + cap(x3 - x4)*(x3 - x4)
    q4 = cap(x3 - x4)*(x4 - x3) + cap(x5 - x4)*(x4 - x5) + CM*x4
    q5 = cap(x5 - x4)*(x5 - x4)
    der(q1) = 2.0 + sin(time) - x1
    der(q2) = -G*x2
    der(q3) = -x3 - 1.0
    der(q4) = -G*x4
    der(q5) = -x5])
ladder = @instantiateModel(Ladder, unitless = true)
small = @instantiateModel(Ladder | Map(CL = 1e-7, CM = 1e-7), unitless = true)
@test states(ladder) == 4 && states(small) == 5
simulate!(ladder, stopTime = 1.0, tolerance = 1e-9)
simulate!(small, CVODE_BDF(), stopTime = 1.0, tolerance = 1e-8)
@test apart(ladder, small, ["x$i" for i in 1:5]) < 1e-5

# Three coils in a star, one of them without inductance: i1 and i2 stay free, the voltage of the star point follows.
Star = Model(L1 = 1.0, L2 = 2.0, L3 = 0.0, R = 1.0, i1 = Var(init = 0.0), i2 = Var(init = 0.0), equations = :[
    L1*der(i1) = sin(time) - R*i1 - v
    L2*der(i2) = -R*i2 - v
    L3*der(i3) = -R*i3 - v
    0 = i1 + i2 + i3])
Short = Model(L1 = 1.0, L2 = 2.0, R = 1.0, i1 = Var(init = 0.0), i2 = Var(init = 0.0), equations = :[
    L1*der(i1) = sin(time) - R*i1 - v
    L2*der(i2) = -R*i2 - v
    v = R*(i1 + i2)])
star = @instantiateModel(Star, unitless = true)
short = @instantiateModel(Short, unitless = true)
simulate!(short, stopTime = 3.0, tolerance = 1e-9)
for s in solvers
    simulate!(star, s, stopTime = 3.0, tolerance = 1e-9)
    @test apart(star, short, ["i1", "i2", "v"]) < 1e-7
end

# A ring of capacitors at three nodes with charges as unknowns; one of them is 0 F, so is the load of all nodes.
Ring = Model(C1 = 1.0, C2 = 2.0, C3 = 0.0, CL = 0.0, qa = Var(init = 1.0), qb = Var(init = 1.0), qc = Var(start = 0.0), equations = :[
    qa = C1*(a - b) + C3*(a - c) + CL*a
    qb = C1*(b - a) + C2*(b - c) + CL*b
    qc = C2*(c - b) + C3*(c - a) + CL*c
    der(qa) = -a
    der(qb) = -b
    der(qc) = -c])
Open = Model(C1 = 1.0, C2 = 2.0, u = Var(init = 1.0), w = Var(init = 1.0), equations = :[
    u = a - b
    w = b - c
    0 = a + b + c
    C1*der(u) = -a
    C2*der(w) = c])
ring = @instantiateModel(Ring, unitless = true)
open = @instantiateModel(Open, unitless = true)
@test states(ring) == 2
simulate!(open, stopTime = 2.0, tolerance = 1e-9)
for s in solvers
    simulate!(ring, s, stopTime = 2.0, tolerance = 1e-9)
    @test apart(ring, open, ["a", "b", "c"]) < 1e-7
end

# A merge that couples two coils perfectly, which were instantiated as two states.
Coupled = Model(L1 = 1e-3, L2 = 4e-3, M = 1e-3, R1 = 1.0, R2 = 2.0, i1 = Var(start = 0.0), i2 = Var(start = 0.0), equations = :[
    L1*der(i1) + M*der(i2) = sin(100.0*time) - R1*i1
    M*der(i1) + L2*der(i2) = -R2*i2])
loose = @instantiateModel(Coupled, unitless = true)
tight = @instantiateModel(Coupled | Map(M = 2e-3), unitless = true)
@test states(loose) == 2 && states(tight) == 1
simulate!(loose, stopTime = 0.1, tolerance = 1e-9)
simulate!(loose, stopTime = 0.1, tolerance = 1e-9, merge = Map(M = 2e-3))
simulate!(tight, stopTime = 0.1, tolerance = 1e-9)
@test states(loose) == 1
@test apart(loose, tight, ["i1", "i2"]) == 0.0
simulate!(loose, stopTime = 0.1, tolerance = 1e-9, merge = Map(M = 0.0))
@test states(loose) == 2
simulate!(loose, stopTime = 0.1, tolerance = 1e-9, merge = Map(M = 4e-3, L2 = 16e-3))
@test states(loose) == 1
