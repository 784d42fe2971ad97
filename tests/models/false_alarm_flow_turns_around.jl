# Flow through resistances that turns around: laws without a slope at zero, or with an infinite one, written with a sign, an absolute value or
# a condition. With the sign of before, their equations have no solution behind the turn, and two in front of it. Held against closed forms.
module FalseAlarmFlowTurnsAround

using Modia
using Test

Square = Model(q = Var(start = 0.1), x = Var(init = 0.0), equations = :[sign(q)*q^2 = 3.0 - time; der(x) = q])
Absolute = Model(q = Var(start = 0.1), x = Var(init = 0.0), equations = :[abs(q)*q = 3.0 - time; der(x) = q])
Pieces = Model(q = Var(start = 0.1), x = Var(init = 0.0), equations = :[(if q > 0; q^2 else -q^2 end) = 3.0 - time; der(x) = q])
Root = Model(q = Var(start = 0.1), x = Var(init = 0.0), equations = :[sign(q)*sqrt(abs(q)) = 3.0 - time; der(x) = q])
Blasius = Model(q = Var(start = 0.1), x = Var(init = 0.0), equations = :[sign(q)*abs(q)^1.75 = 3.0 - time; der(x) = q])
# to and fro, and a flow that divides
Waves = Model(q = Var(start = 0.1), x = Var(init = 0.0), equations = :[sign(q)*q^2 = cos(time); der(x) = q])
Branches = Model(q1 = Var(start = 0.0), q2 = Var(start = 0.0), p = Var(start = 0.0), x = Var(init = 0.0), equations = :[
    p = sign(q1)*q1^2; p = 4*sign(q2)*q2^2; q1 + q2 = 3*cos(time); der(x) = q1^2])

there(power) = power/(1 + power)*(3^((1 + power)/power) - 2^((1 + power)/power)) # of |q|^(1/power): the integral from 0 to 5 s
cases = [(Square, 5.0, there(2.0), 3.0), (Absolute, 5.0, there(2.0), 3.0), (Pieces, 5.0, there(2.0), 3.0), (Root, 5.0, there(0.5), 9.0),
         (Blasius, 6.0, 0.0, 3.0), (Waves, 2*pi, 0.0, 1.0), (Branches, pi, 2*pi, 2*pi)]
for (Of, until, right, size) in cases
    model = @instantiateModel(Of, unitless = true)
    for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas5()], tolerance in [1e-4, 1e-7]
        simulate!(model, solver, stopTime = until, tolerance = tolerance)
        @test getLastValue(model, "time", unit = false) == until
        @test abs(getLastValue(model, "x") - right) < 200*tolerance*size
    end
end

# Flows that vanish together: with the signs of before their equations have another solution behind the turn (q1 = 6*cos(time) of Branches).
# In other units, five of them, and orifices that meet in a node; no interval of results changes anything.
Tiny = Model(q1 = Var(start = 0.0), q2 = Var(start = 0.0), p = Var(start = 0.0), x = Var(init = 0.0), equations = :[
    p = 1e23*sign(q1)*q1^2; p = 4e23*sign(q2)*q2^2; q1 + q2 = 3e-9*cos(time); der(x) = (1e9*q1)^2])
PiecesTogether = Model(q1 = Var(start = 0.0), q2 = Var(start = 0.0), p = Var(start = 0.0), x = Var(init = 0.0), equations = :[
    p = if q1 > 0; q1^2 else -q1^2 end; p = if q2 > 0; 4*q2^2 else -4*q2^2 end; q1 + q2 = 3*cos(time); der(x) = q1^2])
Five = Model(q1 = Var(start = 0.0), q2 = Var(start = 0.0), q3 = Var(start = 0.0), q4 = Var(start = 0.0), q5 = Var(start = 0.0), p = Var(start = 0.0),
    x = Var(init = 0.0), equations = :[p = abs(q1)*q1; p = 4*sign(q2)*q2^2; p = 16*abs(q3)*q3; p = 25*sign(q4)*q4^2; p = 100*sign(q5)*q5^2;
    q1 + q2 + q3 + q4 + q5 = 2.05*cos(time); der(x) = q1^2])
Star = Model(q1 = Var(start = 0.0), q2 = Var(start = 0.0), q3 = Var(start = 0.0), p = Var(start = 0.0), x = Var(init = 0.0), equations = :[
    5*cos(time) - p = sign(q1)*q1^2; -p = sign(q2)*q2^2; -p = sign(q3)*q3^2; q1 + q2 + q3 = 0.0; der(x) = q1^2])
for (Of, right) in [(Branches, 2*pi), (Tiny, 2*pi), (PiecesTogether, 2*pi), (Five, pi/2), (Star, 8.0)]
    model = @instantiateModel(Of, unitless = true)
    for solver in [Tsit5(), DP8()], tolerance in [1e-7, 1e-10], interval in [0.05, 0.5]
        simulate!(model, solver, stopTime = pi, tolerance = tolerance, interval = interval)
        @test getLastValue(model, "time", unit = false) == pi
        @test abs(getLastValue(model, "x") - right) < 100*tolerance*right
    end
end

# A bridge of five orifices, between pressures and with a given flow. Pressures keep their proportions, which nested bisections found: of (q1 + q2)^2
# to the pressure, and of q1 to q1 + q2. Three turns.
Wheatstone = Model(c = [1.0, 2.0, 3.0, 1.0, 1.0], q1 = Var(start = 0.1), q2 = Var(start = 0.1), q3 = Var(start = 0.1), q4 = Var(start = 0.1), q5 = Var(start = 0.1),
    p = Var(start = 0.1), pa = Var(start = 0.1), pb = Var(start = 0.1), x = Var(init = 0.0), equations = :[
    p - pa = c[1]*sign(q1)*q1^2; p - pb = c[2]*sign(q2)*q2^2; pa = c[3]*sign(q3)*q3^2; pb = c[4]*sign(q4)*q4^2; pa - pb = c[5]*sign(q5)*q5^2
    q1 = q5 + q3; q2 + q5 = q4])
Pressed = Wheatstone | Model(equations = :[p = 5*cos(time); der(x) = (q1 + q2)^2])
Fed = Wheatstone | Model(c = [2.0, 1.0, 1.0, 3.0, 0.5], equations = :[q1 + q2 = 3*cos(time); der(x) = q1^2])
for (Of, right, solvers) in [(Pressed, 1.3263984467896544*5*(6 + sin(10 - 3*pi)), [CVODE_BDF(), IDA(), Tsit5(), Rodas5()]),
                             (Fed, 0.17783654869276322*9*(5 + sin(20)/4), [CVODE_BDF(), Tsit5()])]
    model = @instantiateModel(Of, unitless = true)
    for solver in solvers
        simulate!(model, solver, stopTime = 10.0, tolerance = 1e-6)
        @test abs(getLastValue(model, "x")/right - 1) < 2e-5
    end
end

# No stored point contradicts: flow has the sign of what drives it.
for Of in [Square, Pieces, Root]
    model = @instantiateModel(Of, unitless = true)
    for solver in [CVODE_BDF(), Tsit5()]
        simulate!(model, solver, stopTime = 5.0, tolerance = 1e-4)
        time = getValues(model, "time", unit = false)
        q = getValues(model, "q")
        @test all([q[i]*(3.0 - time[i]) >= 0.0 || abs(3.0 - time[i]) < 1e-9 for i in 1:length(time)])
    end
end

end
