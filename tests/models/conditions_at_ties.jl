# Conditions inside of systems of equations whose arguments begin at zero, where rounding decides what an event sees of them.
# Held against the same circuit with the voltages of its junctions as unknowns, which are zero exactly.
using Modia
using Test

cap(v) = if v <= 0.0; 1.0/sqrt(1.0 - v) else 1.0 + 0.5*v end
Nodes = Model(G = 0.5, k = 1.0, q1 = Var(init = 0.0), q3 = Var(init = 0.0), equations = :[
    -q1 - q3 = cap(x1 - x2)*(x2 - x1) + cap(x3 - x2)*(x2 - x3)
    q3 = cap(x3 - x2)*(x3 - x2)
    der(q1) = 2.0 + sin(time) - x1*k
    der(q3) = -k*x3 - 1.0
    0 = 2.0 + sin(time) - k*x1 - k*x3 - 1.0 - G*x2])
Junctions = Model(G = 0.5, k = 1.0, q1 = Var(init = 0.0), q3 = Var(init = 0.0), equations = :[
    q1 = cap(u1)*u1
    q3 = cap(u3)*u3
    x1 = x2 + u1
    x3 = x2 + u3
    i1 = 2.0 + sin(time) - k*x1
    i3 = -k*x3 - 1.0
    der(q1) = i1
    der(q3) = i3
    0 = i1 + i3 - G*x2])
nodes = @instantiateModel(Nodes, unitless = true)
junctions = @instantiateModel(Junctions, unitless = true)
for k in [1.0, 0.7, 1.3, 0.11], G in [0.3, 0.1, 0.7, 1.7, 0.013], T in [0.3, 1.0], s in [CVODE_BDF(), Tsit5(), IDA()]
    values = Map(G = G, k = k)
    simulate!(nodes, s, stopTime = T, tolerance = 1e-9, merge = values)
    simulate!(junctions, s, stopTime = T, tolerance = 1e-9, merge = values)
    for v in ["x1", "x2", "x3", "q1", "q3"]
        @test abs(getLastValue(nodes, v) - getLastValue(junctions, v)) < 1e-7
    end
end
# In units of pico and kilo, from a start that is no zero.
for scale in [1e-12, 1e3]
    Scaled = Model(G = 0.7, k = 1.3, c = scale, q1 = Var(init = 0.0), q3 = Var(init = 0.0), equations = :[
        -q1 - q3 = c*cap((x1 - x2)/c)*((x2 - x1)/c) + c*cap((x3 - x2)/c)*((x2 - x3)/c)
        q3 = c*cap((x3 - x2)/c)*((x3 - x2)/c)
        der(q1) = 2.0*c + c*sin(time) - x1*k
        der(q3) = -k*x3 - c
        0 = 2.0*c + c*sin(time) - k*x1 - k*x3 - c - G*x2])
    scaled = @instantiateModel(Scaled, unitless = true)
    simulate!(scaled, stopTime = 1.0, tolerance = 1e-9, atol = 1e-9*scale)
    simulate!(junctions, stopTime = 1.0, tolerance = 1e-9, merge = Map(G = 0.7, k = 1.3))
    for v in ["x1", "x2", "x3"]
        @test abs(getLastValue(scaled, v)/scale - getLastValue(junctions, v)) < 1e-6
    end
end
