# Small values beside large ones, at the default absolute tolerance: currents of picoamperes and membranes that move by 1e-13 m beside 1e5 Pa,
# whether the large state is felt or not. Held against closed forms, and a membrane against DP8 with an atol of its own.
module ScalesBesideLargeStates

using Modia
using Test

# nothing connects them
Current = Model(p = Var(init = 1e5), q = Var(init = 0.0), equations = :[der(p) = -0.1*p; der(q) = 1e-12*cos(time) - q])
Saturated = Model(U = 1e-13, p = Var(init = 1e5), q = Var(init = 0.0), equations = :[der(p) = 0.0*p; der(q) = U*(1 - (q/U)^2)])
Switched = Model(U = 1e-12, p = Var(init = 1e5), q = Var(init = 0.0), equations = :[
    der(p) = 1e5 - p
    s = if time > 1; U else 0.0 end
    der(q) = s - 5*q])
# the small one feels the large one, or the other way around
Sensed = Model(p = Var(init = 1e5), q = Var(init = 0.0), equations = :[der(p) = -0.1*p; der(q) = 1e-17*p*cos(time) - q])
SwitchedByPressure = Model(U = 1e-12, p = Var(init = 1e5), q = Var(init = 0.0), equations = :[
    der(p) = 1e5 - p
    s = if time > 1; U*p/1e5 else 0.0 end
    der(q) = s - 5*q])
Amplified = Model(U = 1e-12, p = Var(init = 1e5), q = Var(init = 0.0), equations = :[
    der(p) = 1e5 - p + 1e12*q
    s = if time > 1; U else 0.0 end
    der(q) = s - 5*q])

cases = [(Current, 10.0, 0.5e-12*(cos(10.0) + sin(10.0) - exp(-10.0))),
         (Saturated, 1.0, 1e-13*tanh(1.0)),
         (Switched, 2.0, 0.2e-12*(1 - exp(-5.0))),
         (Sensed, 10.0, 1e-12/1.81*(exp(-1.0)*(0.9*cos(10.0) + sin(10.0)) - 0.9*exp(-10.0))),
         (SwitchedByPressure, 2.0, 0.2e-12*(1 - exp(-5.0))),
         (Amplified, 2.0, 0.2e-12*(1 - exp(-5.0)))]
for (Of, until, right) in cases
    model = @instantiateModel(Of, unitless = true)
    for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas5(), DP8()], tolerance in [1e-4, 1e-6, 1e-8]
        simulate!(model, solver, stopTime = until, tolerance = tolerance)
        @test abs(getLastValue(model, "q")/right - 1) < 1000*tolerance
    end
end

# A step led it to a thousandth of what is right, which errors of the large state explain; but its own rate does not.
for U in [1e-12, 1e-13, 1e-14], T in [1.0, 100.0]
    Led = Model(U = U, T = T, p = Var(init = 1e5), q = Var(init = 0.0), equations = :[der(p) = -p/T; der(q) = 1e-5*p*U*(1 - (q/U)^2)])
    led = @instantiateModel(Led, unitless = true)
    right = U*tanh(T*(1 - exp(-1/T)))
    for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas4(), Rodas5(), KenCarp4(), TRBDF2()], tolerance in [1e-3, 1e-4, 1e-6]
        simulate!(led, solver, stopTime = 1.0, tolerance = tolerance)
        @test abs(getLastValue(led, "q")/right - 1) < 200*tolerance
    end
end

# Each feels the other.
Membrane = Model(p = Var(init = 1e5), x = Var(init = 0.0), v = Var(init = 0.0), equations = :[
    der(p) = -1e9*v
    der(x) = v
    der(v) = 1e-17*p*cos(3*time) - 4*x - 0.2*v])
membrane = @instantiateModel(Membrane, unitless = true)
simulate!(membrane, DP8(), stopTime = 5.0, tolerance = 1e-12, atol = 1e-30)
x = getLastValue(membrane, "x")
for solver in [CVODE_BDF(), IDA(), Tsit5(), Rodas5(), DP8()], tolerance in [1e-4, 1e-6, 1e-8]
    simulate!(membrane, solver, stopTime = 5.0, tolerance = tolerance)
    @test abs(getLastValue(membrane, "x")/x - 1) < 1000*tolerance
end

end
