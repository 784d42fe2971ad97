# Start problems of Newton's method (docs/theory/accuracy.md lists them). Saturation: flat parts where a slope says nothing, and functions whose Newton steps grow.
# Values are closed forms, or, with 16 digits, from SciPy (brentq and fsolve).
using Modia
include("scenes/newton_starts.jl")

# tanh_20: flat to rounding at the start.
solvesTo(Model(x = Var(start = 20.0), z = Var(init = 0.0), equations = :[tanh(x) = 0.9; der(z) = x]), "x", 1.4722194895832204)

# limiter: min and max, started on the flat part.
solvesTo(Model(x = Var(start = 10.0), z = Var(init = 0.0), equations = :[min(max(x, -1.0), 1.0) = 0.3; der(z) = x]), "x", 0.3)

# limiter_chain: two limiters one behind the other, both flat.
solvesTo(Model(x = Var(start = -100.0), z = Var(init = 0.0), equations = :[
    a = min(max(3*x, -1.0), 1.0)
    b = min(max(2*a - 0.5, -1.0), 1.0)
    b = 0.1
    der(z) = x]), "x", 0.1)

# limiter_pair: two unknowns, each behind a limiter of its own, both flat.
solvesTo(Model(x = Var(start = 9.0), y = Var(start = -7.0), z = Var(init = 0.0), equations = :[
    min(max(x, -1.0), 1.0) + 0.5*y = 0.3
    min(max(y, -1.0), 1.0) - 0.2*x = -0.2
    der(z) = x]), "x", 0.36363636363636365)

# limiter_by_if: a limiter by conditions, as events.
solvesTo(Model(x = Var(start = 10.0), z = Var(init = 0.0), equations = :[0.3 = if x > 1; 1.0 elseif x < -1; -1.0 else x end; der(z) = x]), "x", 0.3)

# dead_zone: started inside of a dead zone.
solvesTo(Model(x = Var(start = 0.0), z = Var(init = 0.0), equations = :[2.0 = max(x - 1.0, 0.0) + min(x + 1.0, 0.0); der(z) = x]), "x", 3.0)

# servo_valve: an opening limited to one, started at five.
solvesTo(Model(y = Var(start = 5.0), z = Var(init = 0.0), equations = :[1.0 = 0.5*min(max(y, 0.0), 1.0)*sqrt(9.0); der(z) = y]), "y", 0.6666666666666666)

# two_tanh: two stages in saturation.
solvesTo(Model(x = Var(start = 50.0), y = Var(start = -50.0), z = Var(init = 0.0), equations = :[tanh(x) + 0.1*tanh(y) = 0.5; tanh(y) - 0.1*tanh(x) = 0.3; der(z) = x]), "x", 0.5041141135999203)

# error_function: a logistic function from far in its tail.
solvesTo(Model(x = Var(start = -900.0), z = Var(init = 0.0), equations = :[1/(1 + exp(-x)) = 0.7; der(z) = x]), "x", 0.8472978603872037)

# langevin: magnetization from far in saturation.
solvesTo(Model(h = Var(start = 1000.0), z = Var(init = 0.0), equations = :[1/tanh(h) - 1/h = 0.5; der(z) = h]), "h", 1.796755984723229)

# hill: a steep Hill curve from where it is full.
solvesTo(Model(x = Var(start = 500.0), z = Var(init = 0.0), equations = :[x^12/(1 + x^12) = 0.25; der(z) = x]), "x", 0.9125147547604939)

# choke: a core in saturation, field from flux.
solvesTo(Model(H = Var(start = -1e7), z = Var(init = 0.0), equations = :[1.9 = 1.8*tanh(H/200) + 1.2566e-6*H; der(z) = H]), "H", 79579.81855801359)

# atan_50: steps that grow.
solvesTo(Model(x = Var(start = 50.0), z = Var(init = 0.0), equations = :[atan(x) = 1.0; der(z) = x]), "x", 1.5574077246549023)

# quantizer: an equation with steps, whose conditions lead farther and farther away when they are taken from the solution before.
solvesTo(Model(x = Var(start = 3.7), z = Var(init = 0.0), equations = :[floor(x) + 0.25*x = 2.6; der(z) = x]), "x", 2.4)

# quantizer_far: the same from the other side, with a step down in it.
solvesTo(Model(x = Var(start = -40.0), z = Var(init = 0.0), equations = :[ceil(x/3) + 0.1*x = 6.3; der(z) = x]), "x", 13.0)
