# Unknowns of nonlinear systems that the states do not determine within their tolerances, so that the
# solver finds both together (integration/carry.h): diodes in series with inductors. While a diode blocks, a
# picoampere decides about volts.
module CarriedUnknowns

using Modia
using Test

# The ring modulator of the test set for initial value problems without its four capacitors:
# y10 + y11 + y12 + y13 = 0, and the currents of the coils are those of the diodes.
Ring = Model(Lh = 4.45, Ls1 = 0.002, Ls2 = 5e-4, Ls3 = 5e-4, g = 40.67286402e-9, R = 25000.0, Rp = 50.0, Rg1 = 36.3, Rg2 = 17.3,
    Rg3 = 17.3, Ri = 50.0, Rc = 600.0, delta = 17.7493332, C = 1.6e-8, Cp = 1e-8,
    y1 = Var(init = 0.0), y2 = Var(init = 0.0), y7 = Var(init = 0.0), y8 = Var(init = 0.0), y9 = Var(init = 0.0),
    y10 = Var(init = 0.0), y11 = Var(init = 0.0), y12 = Var(init = 0.0), y13 = Var(init = 0.0), y14 = Var(init = 0.0),
    y15 = Var(init = 0.0),
    equations = :[
        uin1 = 0.5*sin(2000*pi*time)
        uin2 = 2*sin(20000*pi*time)
        UD1 = y3 - y5 - y7 - uin2
        UD2 = -y4 + y6 - y7 - uin2
        UD3 = y4 + y5 + y7 + uin2
        UD4 = -y3 - y6 + y7 + uin2
        q1 = g*(exp(delta*UD1) - 1)
        q2 = g*(exp(delta*UD2) - 1)
        q3 = g*(exp(delta*UD3) - 1)
        q4 = g*(exp(delta*UD4) - 1)
        C*der(y1) = y8 - 0.5*y10 + 0.5*y11 + y14 - y1/R
        C*der(y2) = y9 - 0.5*y12 + 0.5*y13 + y15 - y2/R
        0 = y10 - q1 + q4
        0 = -y11 + q2 - q3
        0 = y12 + q1 - q3
        0 = -y13 - q2 + q4
        Cp*der(y7) = -y7/Rp + q1 + q2 - q3 - q4
        Lh*der(y8) = -y1
        Lh*der(y9) = -y2
        Ls2*der(y10) = 0.5*y1 - y3 - Rg2*y10
        Ls3*der(y11) = -0.5*y1 + y4 - Rg3*y11
        Ls2*der(y12) = 0.5*y2 - y5 - Rg2*y12
        Ls3*der(y13) = -0.5*y2 + y6 - Rg3*y13
        Ls1*der(y14) = -y1 + uin1 - (Ri + Rg1)*y14
        Ls1*der(y15) = -y2 - (Rc + Rg1)*y15
    ]
)
ring = @instantiateModel(Ring, unitless = true)
# References: Radau of SciPy at 1e-9 for three of the voltages of the diodes as states, by hand.
for (solver, tolerance, allowed) in [(CVODE_BDF(), 1e-6, 2e-4), (CVODE_BDF(), 1e-8, 3e-6), (CVODE_BDF(), 1e-10, 2e-7), (IDA(), 1e-6, 2e-4),
                                     (IDA(), 1e-8, 3e-6), (TRBDF2(), 1e-6, 2e-4)]
    simulate!(ring, solver, stopTime = 1e-4, tolerance = tolerance)
    @test abs(getLastValue(ring, "y1") - 0.26857767) < allowed
    @test abs(getLastValue(ring, "y2") - 0.19740001) < allowed
    @test abs(sum(getLastValue(ring, "y$k") for k in 10:13)) < 1e-15
    # The results hold together, as far as the tolerance says.
    for k in [1, 250, 400, 501]
        @test abs(getValues(ring, "y10")[k] - getValues(ring, "q1")[k] + getValues(ring, "q4")[k]) < tolerance
    end
end
for (tolerance, allowed) in [(1e-6, 5e-5), (1e-8, 1e-6)]
    simulate!(ring, stopTime = 1e-3, tolerance = tolerance)
    @test abs(getLastValue(ring, "y1") + 0.02339913) < allowed
    @test abs(getLastValue(ring, "y2") + 0.00737488) < allowed
end
@test get_xNames(ring) == ["y7", "y1", "y8", "y10", "y11", "y14", "y2", "y9", "y12", "y15"]

# A rectifier: one coil, one diode. References by SciPy with the current as state, while it flows.
Rectifier = Model(L = 0.01, R = 10.0, Is = 1e-12, Vt = 0.026, i = Var(init = 0.0), equations = :[
    L*der(i) = 5*sin(2*pi*50*time) - R*i - Ud
    i = Is*(exp(Ud/Vt) - 1)])
rectifier = @instantiateModel(Rectifier, unitless = true)
for solver in [CVODE_BDF(), IDA(), TRBDF2()], tolerance in [1e-6, 1e-8]
    simulate!(rectifier, solver, stopTime = 0.036, tolerance = tolerance)
    i = getValues(rectifier, "i")
    u = getValues(rectifier, "Ud")
    at(t) = 1 + Int(round(t/0.036*500))
    @test length(i) == 501
    @test abs(i[at(0.0036)] - 0.2898865158) < 1e-5 && abs(i[at(0.0072)] - 0.3726110484) < 1e-5
    # It blocks: nothing flows but the current of saturation, and all of the voltage is there.
    @test abs(i[at(0.018)] + 1e-12) < 1e-13 && abs(u[at(0.018)] - 5*sin(2*pi*0.9)) < 1e-9
    @test minimum(i) > -1.001e-12
end

# Points that are asked for before IDA takes over: the current is known to its tolerance, 1e-7 A, to which any voltage may belong, or
# none. Hardly anything flows yet, so all of the voltage is there. Steps do not depend on how many points there are.
for interval in [3e-7, 1e-6, 3.3e-6, 9e-6], solver in [CVODE_BDF(), TRBDF2()]
    simulate!(rectifier, solver, stopTime = 2.8e-5, tolerance = 1e-6, interval = interval)
    u, t = getValues(rectifier, "Ud"), getValues(rectifier, "time")
    @test maximum(abs.(u - 5*sin.(2*pi*50*t))) < 1e-4
end

# Events on the way: a source that jumps while the diode blocks, and a resistor that follows the current.
Switched = Model(L = 0.01, R = 10.0, Is = 1e-12, Vt = 0.026, i = Var(init = 0.0), equations = :[
    u = if time < 0.0153; 5*sin(2*pi*50*time) elseif time < 0.017; 4.0 else -3.0 end
    high = positive(i - 0.1)
    L*der(i) = u - (if high; 2*R else R end)*i - Ud
    i = Is*(exp(Ud/Vt) - 1)])
switched = @instantiateModel(Switched, unitless = true)
for solver in [CVODE_BDF(), IDA()], tolerance in [1e-6, 1e-8]
    simulate!(switched, solver, stopTime = 0.0165, tolerance = tolerance)
    @test abs(getLastValue(switched, "i") - 0.154386756) < 1e-7
    simulate!(switched, solver, stopTime = 0.035, tolerance = tolerance)
    @test abs(getLastValue(switched, "i") + 1e-12) < 1e-15 && abs(getLastValue(switched, "Ud") + 3.0) < 1e-6
end

end
