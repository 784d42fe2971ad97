# Start problems of Newton's method (docs/theory/accuracy.md lists them). Circuits: exponentials, their logarithms, channels that are not there yet.
# Values are closed forms, or, with 16 digits, from SciPy (brentq and fsolve).
using Modia
include("scenes/newton_starts.jl")

# bridge_12: four diodes in a bridge on 12 V behind 0.5 ohm, 100 ohm as its load.
solvesTo(Model(a = Var(start = 0.0), z = Var(init = 0.0), equations = :[
    i = (12.0 - (a - b))/0.5
    i1 = 1e-12*(exp((a - c)/0.02585) - 1)
    i2 = 1e-12*(exp((b - c)/0.02585) - 1)
    i3 = 1e-12*(exp(-a/0.02585) - 1)
    i4 = 1e-12*(exp(-b/0.02585) - 1)
    i = i1 - i3
    -i = i2 - i4
    i1 + i2 = c/100
    der(z) = c]), "c", 10.634170112656081)

# bridge_325: the same on the peak of the mains.
solvesTo(Model(a = Var(start = 0.0), z = Var(init = 0.0), equations = :[
    i = (325.0 - (a - b))/0.5
    i1 = 1e-12*(exp((a - c)/0.02585) - 1)
    i2 = 1e-12*(exp((b - c)/0.02585) - 1)
    i3 = 1e-12*(exp(-a/0.02585) - 1)
    i4 = 1e-12*(exp(-b/0.02585) - 1)
    i = i1 - i3
    -i = i2 - i4
    i1 + i2 = c/100
    der(z) = c]), "c", 321.90152736826207)

# bridge_other_half: the other half wave, with starts from the half wave before.
solvesTo(Model(a = Var(start = 11.3), b = Var(start = -0.7), c = Var(start = 10.6), z = Var(init = 0.0), equations = :[
    i = (-12.0 - (a - b))/0.5
    i1 = 1e-12*(exp((a - c)/0.02585) - 1)
    i2 = 1e-12*(exp((b - c)/0.02585) - 1)
    i3 = 1e-12*(exp(-a/0.02585) - 1)
    i4 = 1e-12*(exp(-b/0.02585) - 1)
    i = i1 - i3
    -i = i2 - i4
    i1 + i2 = c/100
    der(z) = c]), "c", 10.634170112656081)

# diode_at_40: one diode, 40 V across it at first.
solvesTo(Model(v = Var(start = 40.0), z = Var(init = 0.0), equations = :[5.0 = 100*i + v; i = 1e-14*(exp(v/0.025) - 1); der(z) = v]), "v", 0.7270829465156695)

# diode_stiff: one diode behind a milliohm at 1000 V.
solvesTo(Model(v = Var(start = 0.0), z = Var(init = 0.0), equations = :[1000.0 = 1e-3*i + v; i = 1e-14*(exp(v/0.025) - 1); der(z) = v]), "v", 1.151263748322734)

# tunnel_from_rest: a tunnel diode whose only solution lies behind its hump, from rest.
solvesTo(Model(v = Var(start = 0.0), z = Var(init = 0.0), equations = :[
    (0.6 - v)/20 = 1e-2*(v/0.07)*exp(1 - v/0.07) + 1e-12*exp(v/0.026)
    der(z) = v]), "v", 0.5574786571022166)

# diode_by_logarithm: voltage by the logarithm of the current, from a current below zero.
solvesTo(Model(i = Var(start = -1.0), z = Var(init = 0.0), equations = :[5.0 = 100*i + 0.025*log(i/1e-14 + 1); der(z) = i]), "i", 0.04272917053484325)

# two_by_logarithm: two branches by logarithms, started with a current that only the other one could carry.
solvesTo(Model(i1 = Var(start = 3.0), i2 = Var(start = -2.0), z = Var(init = 0.0), equations = :[
    i1 + i2 = 0.05
    0.025*log(i1/1e-14 + 1) = 0.03*log(i2/1e-12 + 1) + 2*i2
    der(z) = i1]), "i1", 0.037232422334574584)

# ideal_limiter: an amplifier with rails by min and max in a loop, started at the rail.
solvesTo(Model(u = Var(start = 15.0), z = Var(init = 0.0), equations = :[u = min(max(1e5*e, -15.0), 15.0); e = 2.0 - 0.25*u; der(z) = u]), "u", 7.999680012799488)

# mosfet_off: a square law transistor as a source of current, started without a channel.
solvesTo(Model(vg = Var(start = 0.0), z = Var(init = 0.0), equations = :[2e-3 = 0.5e-3*max(vg - 0.7, 0.0)^2; der(z) = vg]), "vg", 2.7)

# mosfet_by_if: the same by conditions, with its triode region.
solvesTo(Model(vg = Var(start = -5.0), z = Var(init = 0.0), equations = :[2e-3 = if vg < 0.7; 0.0 elseif vg - 0.7 < 5; 0.5e-3*(vg - 0.7)^2 else 1e-3*((vg - 0.7)*5 - 12.5) end; der(z) = vg]), "vg", 2.7)

# mirror_off: two transistors that carry the same current, both gates below their threshold.
solvesTo(Model(a = Var(start = 0.0), b = Var(start = 0.0), z = Var(init = 0.0), equations = :[
    1e-3 = 0.5e-3*max(a - 0.7, 0.0)^2
    1e-3 = 2e-3*max(b - a - 0.5, 0.0)^2
    der(z) = b]), "b", 3.3213203435596426)

# photovoltaic: maximum power of a solar cell by its derivative, from a voltage far beyond.
solvesTo(Model(v = Var(start = 30.0), z = Var(init = 0.0), equations = :[
    5.0 - 1e-9*(exp(v/0.03) - 1) - v*1e-9/0.03*exp(v/0.03) = 0.0
    der(z) = v]), "v", 0.5796313986373681)
