# erf in equations: its value, its derivative where equations are differentiated and in functions of the script, and its
# inverse by Newton's method.
using Modia
using Test

# x = t erf(t) + (exp(-t^2) - 1)/sqrt(pi) is the integral of erf.
Integral = Model(x = Var(init = 0.0), equations = :[der(x) = erf(time)])
integral = @instantiateModel(Integral, unitless = true)
simulate!(integral, stopTime = 3.0, tolerance = 1e-9)
@test abs(getLastValue(integral, "x") - (3.0*erf(3.0) + (exp(-9.0) - 1.0)/sqrt(pi))) < 1e-7

# The position follows from a constraint, so that erf is differentiated twice: v = 2/sqrt(pi) exp(-s^2) and so on.
Led = Model(equations = :[
    x = erf(2.0*time - 1.0)
    v = der(x)
    a = der(v)
])
led = @instantiateModel(Led, unitless = true)
simulate!(led, stopTime = 1.0)
t = getValues(led, "time")
s = 2.0*t .- 1.0
@test maximum(abs.(getValues(led, "v") - 4.0/sqrt(pi)*exp.(-s.^2))) < 1e-14
@test maximum(abs.(getValues(led, "a") + 16.0/sqrt(pi)*s.*exp.(-s.^2))) < 1e-13

# The same through a function of the script.
profile(s) = erf(s) + asinh(s) + log1p(s*s) + cbrt(s + 3.0)
Scripted = Model(equations = :[
    x = profile(time)
    v = der(x)
])
scripted = @instantiateModel(Scripted, unitless = true)
simulate!(scripted, stopTime = 1.0)
t = getValues(scripted, "time")
@test maximum(abs.(getValues(scripted, "v") - (2.0/sqrt(pi)*exp.(-t.^2) + 1 ./ sqrt.(t.^2 .+ 1) + 2.0*t./(1.0 .+ t.^2) +
                   1 ./ (3.0*cbrt.(t .+ 3.0).^2)))) < 1e-14

# y with erf(y) = 0.9 sin(t): an implicit equation.
Inverse = Model(y = Var(start = 0.0), equations = :[erf(y) = 0.9*sin(time)])
inverse = @instantiateModel(Inverse, unitless = true)
simulate!(inverse, stopTime = 6.0)
@test maximum(abs.(erf.(getValues(inverse, "y")) - 0.9*sin.(getValues(inverse, "time")))) < 1e-9
