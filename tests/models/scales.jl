# Sizes of states: absolute tolerances follow nominal values and the argument atol.
module Scales

using Modia
using Test

# 1/x' is constant: x = 1/(1/x0 + k t).
Small = Model(x = Var(init = 1e-9), k = 1e9, equations = :[der(x) = -k*x^2])
small = @instantiateModel(Small | Map(x = Var(nominal = 1e-9)), unitless = true)
plain = @instantiateModel(Small, unitless = true)
exact = 1e-9/6
for solver in [CVODE_BDF(), IDA(), Tsit5(), KenCarp4(), CVODE_Adams(), Vern8()]
    simulate!(small, solver, stopTime = 5.0)
    @test abs(getLastValue(small, "x")/exact - 1) < 2e-4
    simulate!(plain, solver, stopTime = 5.0, atol = 1e-16)
    @test abs(getLastValue(plain, "x")/exact - 1) < 2e-4
end

# Nominal values are SI when they have units, and those of an array hold for all its elements.
Charges = Model(q = Var(init = [1.0u"fC", 2.0u"fC"], nominal = 1.0u"fC"), equations = :[der(q) = -q/1.0u"ps"])
charges = @instantiateModel(Charges)
simulate!(charges, stopTime = 5.0u"ps")
@test all(isapprox(ustrip(getLastValue(charges, "q"))[i], i*1e-15*exp(-5.0), rtol = 1e-4) for i in 1:2)

# A nominal value holds for everything that is equal to its variable, whichever of them became the state.
for equations in [:[y = x; der(x) = -k*y^2], :[y + x = 0; der(x) = -k*x^2], :[y = v; v = x; der(x) = -k*v^2]]
    tied = @instantiateModel(Model(x = Var(init = 1e-9), y = Var(nominal = 1e-9), k = 1e9, equations = equations), unitless = true)
    simulate!(tied, stopTime = 5.0)
    @test abs(getLastValue(tied, "x")/exact - 1) < 2e-4
end

# Unknowns of systems of equations are measured by their nominal values. This function has no derivative that
# anybody knows, and differences over anything but its nominal value lead to exp(1000) or to nothing.
function steep(x)
    sum = 0.0
    while sum < 1.5
        sum = sum + 1.0
    end
    sum*exp(x*1e15)
end
Steep = Model(x = Var(start = 0.0, nominal = 1e-15), z = Var(init = 0.0), equations = :[steep(x) = 12.0 + time; der(z) = x*1e15])
steep_model = @instantiateModel(Steep, unitless = true)
simulate!(steep_model, stopTime = 1.0)
@test isapprox(getLastValue(steep_model, "x"), 1e-15*log(6.5), rtol = 1e-9)

# A resistor and a femtofarad: picoseconds, on a grid of 500 intervals.
include("$(Modia.modelsPath)/Electric.jl")
Femto = Model(R = Resistor | Map(R = 1.0u"kΩ"), C = Capacitor | Map(C = 1.0u"fF", v = Var(init = 0.0u"V")),
              V = ConstantVoltage | Map(V = 1.0u"V"), ground = Ground,
              connect = :[(V.p, R.p); (R.n, C.p); (C.n, V.n, ground.p)])
femto = @instantiateModel(Femto)
simulate!(femto, stopTime = 5.0u"ps", tolerance = 1e-8)
t = ustrip(getValues(femto, "time"))
v = ustrip(getValues(femto, "C.v"))
@test length(t) == 501
@test maximum(abs(v[i] - (1 - exp(-t[i]/1e-12))) for i in 1:length(t)) < 1e-6

# Slow and large beside fast and small: each to its own tolerance.
Both = Model(big = Var(init = 1e6, nominal = 1e6), little = Var(init = 1e-12, nominal = 1e-12),
             equations = :[der(big) = -big; der(little) = -3*little + 1e-18*big])
both = @instantiateModel(Both, unitless = true)
simulate!(both, stopTime = 2.0, tolerance = 1e-8)
@test isapprox(getLastValue(both, "big"), 1e6*exp(-2.0), rtol = 1e-6)
@test isapprox(getLastValue(both, "little"), 0.5e-12*exp(-2.0) + 0.5e-12*exp(-6.0), rtol = 1e-6)

end
