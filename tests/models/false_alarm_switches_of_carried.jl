# Conditions of states and time while IDA finds the unknowns of nonlinear systems together with the states. A restart moves the states along
# for an instant in which time stands still; where states and time drive an argument apart that led it back across zero, so that the
# condition switched a thousand times and the run was refused (E0706), although nothing but an observer felt it. Reference: SciPy's DOP853
# with events, at 1e-10.
module FalseAlarmSwitchesOfCarried

using Modia
using Test

Observed = Model(x1 = Var(init = -0.024), x2 = Var(init = 0.0), x3 = Var(init = 0.0), x4 = Var(init = 1.4e-8), y = Var(start = 0.0), h = Var(start = false),
    q = Var(init = 0.0), equations = :[
    der(q) = if -3.4e-9*x2 + 5.9e-16*x3 - 6.1e-5*x4 - 5e-12*sin(9.75*time + 3.33) > 1.49e-12; 1.0 else 0.0 end
    y + 0.01*y^3 = -6.0*x1 + 6600.0*x2 + 0.00107*x3 - 2e6*x4
    h = if pre(h); x1 > -0.02 else x1 > 0.02 end
    u = sample(x4, Clock(1.142))
    der(x1) = 0.1*(-7.72*x1 - 3518.0*x2 + 6.9e-5*x3 + 3.43e6*x4 + 1.1*sin(0.96*time + 0.11))
    der(x2) = 0.001*(35.18*x1 - 437.0*x2 + 9.21e-5*x3 - 7.22e6*x4 + 0.096*y)
    der(x3) = 1e4*(-6.9*x1 - 921.0*x2 - 6.03e-5*x3 + 9.35e6*x4 + (if h; -0.37 else 0.0 end))
    der(x4) = 1e-7*(-3.43*x1 + 722.0*x2 - 9.35e-5*x3 - 1.57e6*x4 - 0.71*tanh(3000*x2) + 8.5e5*u)])
m = @instantiateModel(Observed, unitless = true)
for solver in [CVODE_BDF(), IDA(), TRBDF2(), KenCarp4(), Tsit5()], (tolerance, most) in [(1e-3, 0.1), (1e-4, 1e-2), (1e-6, 1e-3), (1e-8, 1e-5)]
    simulate!(m, solver, stopTime = 8.9, tolerance = tolerance)
    q = getLastValue(m, "q")
    abs(q - 1.38384149) < most || println(solver, " at ", tolerance, ": ", q)
    @test abs(q - 1.38384149) < most
end

end
