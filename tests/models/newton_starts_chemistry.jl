# Start problems of Newton's method (docs/theory/accuracy.md lists them). Chemistry: concentrations that start below zero, powers and logarithms of them, exponentials of temperatures, poles.
# Values are closed forms, or, with 16 digits, from SciPy (brentq and fsolve).
using Modia
include("scenes/newton_starts.jl")

# boiling_from_zero: temperature where a mixture boils, by Antoine, from absolute zero.
solvesTo(Model(T = Var(start = 1.0), z = Var(init = 0.0), equations = :[
    760.0 = 0.4*10^(6.90565 - 1211.033/(T - 52.36)) + 0.6*10^(6.95464 - 1344.8/(T - 53.67))
    der(z) = T]), "T", 368.29250972867555)

# flash: fraction of vapour by Rachford and Rice, started behind the pole.
solvesTo(Model(V = Var(start = 1.6), z = Var(init = 0.0), equations = :[
    0.0 = 0.3*1.5/(1 + V*1.5) + 0.4*0.2/(1 + V*0.2) + 0.3*(-0.7)/(1 - V*0.7)
    der(z) = V]), "V", 0.5116367623762277)

# acid_below_zero: pH of a weak acid, the concentration started below zero.
solvesTo(Model(pH = Var(start = 2.0), h = Var(start = -1e-3), z = Var(init = 0.0), equations = :[
    pH = -log10(h)
    10^(-pH)*(10^(-pH) - 1e-14/h) = 1.8e-5*(0.1 - h + 1e-14/h)
    der(z) = h]), "h", 0.0013326709768550066)

# nernst: concentration behind a membrane from its voltage, started below zero.
solvesTo(Model(c = Var(start = -1.0), z = Var(init = 0.0), equations = :[0.1 = 0.0257*log(c/0.01); der(z) = c]), "c", 0.48962298503355905)

# debye_hueckel: activity with the root of an ionic strength that starts below zero.
solvesTo(Model(I = Var(start = -0.2), z = Var(init = 0.0), equations = :[0.05*10^(-0.509*sqrt(I)) = I; der(z) = I]), "I", 0.039598783069187515)

# freundlich: adsorption with a power of the concentration, from a negative one.
solvesTo(Model(c = Var(start = -2.0), z = Var(init = 0.0), equations = :[1.0 = c + 5*c^0.3; der(z) = c]), "c", 0.004606969156761576)

# precipitation: silver chloride, solid or not by min, from much too concentrated a solution.
solvesTo(Model(ag = Var(start = 1.0), cl = Var(start = 1.0), z = Var(init = 0.0), equations = :[
    0.01 - ag = s
    0.02 - cl = s
    0.0 = min(s, 1.8e-10 - ag*cl)
    der(z) = s]), "s", 0.0099999820000324)

# ignited_reactor: a reaction that burns, started in the middle.
solvesTo(Model(T = Var(start = 500.0), z = Var(init = 0.0), equations = :[x = k/(1 + k); k = 1e12*exp(-12000/T); T = 300 + 400*x; der(z) = T]), "T", 699.9888515440416)

# van_der_waals: molar volume of a gas, from a volume below its covolume.
solvesTo(Model(V = Var(start = 1e-5), z = Var(init = 0.0), equations = :[(1e5 + 0.364/V^2)*(V - 4.267e-5) = 8.314*300.0; der(z) = V]), "V", 0.024838374321628484)

# half_order: a reactor with a reaction of order one half, from an empty one.
solvesTo(Model(c = Var(start = -1.0), z = Var(init = 0.0), equations = :[0.3*(2.0 - c) = 0.8*sqrt(c); der(z) = c]), "c", 0.3724872045818463)
