# Branches that are not taken: what has no value there (the root of a negative number in a channel that is off) is nobody's
# matter, be it in the argument of a condition or in a derivative of a system. And systems of equations with sines of their
# unknowns are looked at between the points of a method without end no more.
using Modia
using Test

last(m, name) = getLastValue(m, name)
solvers = [CVODE_BDF(), IDA(), Tsit5(), Rodas5P()]

function channel(v, w, phi)
    threshold = 0.2 + 0.3*(sqrt(phi - w) - 1.0)
    if v - threshold <= 0.0
        return 0.0
    else
        return -(v - threshold)^2
    end
end
current(v, w, phi) = if v > 0.0; channel(v, w, phi) else 2.0*v end

# Two channels that never conduct, with a junction whose exponential overflows at the start values, so that the system is solved
# as a whole. For phi = 1 the root has no value from the start on, for phi = 2 from the step of u on. z and w move beyond
# 1 and 2. Values by SciPy (fsolve and Gauss quadrature).
Stage = Model(phi = 1.0, s = Var(init = 0.0), v = Var(start = 30.0), i = Var(start = 0.0), z = Var(start = 0.5), w = Var(start = 0.5),
    q = Var(init = 0.0), equations = :[
    der(s) = 1.0
    u = if time > 0.8; 15.0 else 0.0 end
    20.0*s + u = 100.0*i + v + 0.1*current(v - 30.0, z, phi) + 0.1*w
    i = 1e-12*(exp(v/0.0258) - 1.0)
    z + z^3 + 0.1*current(w - 20.0, z, phi) = 4.0*s + v + u
    w + 0.2*w^3 = z + 0.3*sin(w) + 0.1*current(w - 20.0, z, phi)
    der(q) = z + w + v])
stage = @instantiateModel(Stage, unitless = true)
for phi in [1.0, 2.0, 30.0], s in solvers
    simulate!(stage, s, stopTime = 1.0, tolerance = 1e-8, merge = Map(phi = phi))
    @test abs(last(stage, "q") - 0.8681462105) < 1e-7
    @test abs(last(stage, "z") - 2.76709730) < 1e-7
    @test abs(last(stage, "w") + 1.32423875) < 1e-7
end

# z > 1.5 from x = 1.5 - 0.5 cos(1.5) on.
Sine = Model(x = Var(init = 0.0), z = Var(start = 0.7), q = Var(init = 0.0), equations = :[
    der(x) = 1.0
    z = 0.5*cos(z) + x
    der(q) = if z > 1.5; 1.0 else 0.0 end])
sine = @instantiateModel(Sine, unitless = true)
for s in solvers
    simulate!(sine, s, stopTime = 3.0, tolerance = 1e-8)
    @test abs(last(sine, "q") - 1.5 - 0.5*cos(1.5)) < 1e-6
end

# Straight in a derivative, without a system: s = 4.5 (1 - exp(2 t)).
Plain = Model(s = Var(init = 0.0), equations = :[der(s) = 1.0 + current(s - 5.0, 1.0 + s, 0.5)])
plain = @instantiateModel(Plain, unitless = true)
for s in solvers
    simulate!(plain, s, stopTime = 1.0, tolerance = 1e-8)
    @test abs(last(plain, "s") - 4.5*(1.0 - exp(2.0))) < 1e-5
end

# A channel that comes on where the root has a value again: v = 4 sin t is above 0.2 + 0.3 (sqrt(2.7 - w) - 1) between two instants,
# and w = 3 cos t is above 2.7 before that. The integral by SciPy.
Returns = Model(q = Var(init = 0.0), x = Var(init = 0.0), equations = :[
    der(x) = 1.0
    v = 4.0*sin(x) - 2.0
    w = 3.0*cos(x)
    der(q) = current(v, w, 2.7)])
returns = @instantiateModel(Returns, unitless = true)
for s in solvers
    simulate!(returns, s, stopTime = 3.0, tolerance = 1e-9)
    @test abs(last(returns, "q") - (-4.163552470096144)) < 1e-6
end

# Terms that cancel: tau is zero to the last digit while s is negative, but bounds of it have both signs in any interval, however short.
# It is above zero while sin(x) > 0 and 0.5 cos(x) > -sin(x).
Cancels = Model(x = Var(init = 0.0), q = Var(init = 0.0), equations = :[
    der(x) = 1.0
    s = sin(x)
    d = 0.5*cos(x)
    tau = max(s, 0.0) + clamp(d, -max(s, 0.0), max(s, 0.0))
    der(q) = if tau > 0.0; 1.0 else 0.0 end])
cancels = @instantiateModel(Cancels, unitless = true)
for s in solvers
    simulate!(cancels, s, stopTime = 12.0, tolerance = 1e-8)
    @test abs(last(cancels, "q") - 2*(pi - atan(0.5))) < 1e-6
end
