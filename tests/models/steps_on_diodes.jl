# A voltage that jumps, and nothing but exponential diodes between it and capacitors: currents of up to 1e190 A, and all but the last
# volt is over before time can tell. Refused before (E0703, E0712) by every solver; and where a diode leads from one capacitor to
# another CVODE_BDF lost both charges, since its first step added 1e20 V and took them away again: 0 V for 1.448 V, with status 0.
module StepsOnDiodes

using Modia
using Test

const Is = 1e-12
const Vt = 0.02585
solvers = [CVODE_BDF(), IDA(), Rodas5(), TRBDF2(), Tsit5(), CVODE_Adams()]

# w = u - v of Vt*C*w' = -Vt*Is*(exp(w/Vt) - 1), from w0 on.
left(w0, t, C) = -Vt*log(1 - (1 - exp(-w0/Vt))*exp(-t*Is/(C*Vt)))

function check(model, signal, right, stop, tolerances)
    m = @instantiateModel(model, unitless = true)
    for s in solvers, tolerance in tolerances
        simulate!(m, s, stopTime = stop, tolerance = tolerance)
        @test abs(getLastValue(m, signal) - right) < 10*tolerance*right
    end
end

# At the start of a run, in the middle of it, and late; with volts that make e^200 to e^660 of it.
for (V, at, stop) in [(5.0, 0.0, 0.5), (5.0, 0.5, 1.0), (12.0, 1e3, 2e3), (17.0, 0.1, 0.2), (5.0, 1e-6, 2e-6)]
    check(Model(V = V, at = at, v = Var(init = 0.0), equations = :[
        u = if time >= at; V else 0.0 end
        1e-6*der(v) = 1e-12*(exp((u - v)/0.02585) - 1)]), "v", V - left(V, stop - at, 1e-6), stop, [1e-4, 1e-6])
end

# From one capacitor to another: the charge stays what it was.
check(Model(v1 = Var(init = 5.0), v2 = Var(init = 0.0), equations = :[
    i = if time > 0.3; 1e-12*(exp((v1 - v2)/0.02585) - 1) else 0.0 end
    1e-6*der(v1) = -i
    3e-6*der(v2) = i]), "v1", (5e-6 + 3e-6*left(5.0, 0.7, 0.75e-6))/4e-6, 1.0, [1e-4, 1e-6])

# Three in a row; by SciPy (Radau, over the logarithm of time).
check(Model(v1 = Var(init = 0.0), v2 = Var(init = 0.0), v3 = Var(init = 0.0), equations = :[
    u = if time > 0.5; 5.0 else 0.0 end
    i1 = 1e-12*(exp((u - v1)/0.02585) - 1)
    i2 = 1e-12*(exp((v1 - v2)/0.02585) - 1)
    i3 = 1e-12*(exp((v2 - v3)/0.02585) - 1)
    1e-6*der(v1) = i1 - i2
    1e-6*der(v2) = i2 - i3
    1e-6*der(v3) = i3]), "v3", 4.04201306, 1.0, [1e-4, 1e-6])

end
