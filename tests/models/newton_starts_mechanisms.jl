# Start problems of Newton's method (docs/theory/accuracy.md lists them). Mechanisms: contacts that start apart, slack ropes, struts out of reach, laws with a sign.
# Values are closed forms, or, with 16 digits, from SciPy (brentq and fsolve).
using Modia
include("scenes/newton_starts.jl")

# hertz_apart: a sphere pressed on a plate, started apart where no force is felt.
solvesTo(Model(x = Var(start = -0.5), z = Var(init = 0.0), equations = :[100.0 = 1e9*max(x, 0.0)^1.5; der(z) = x]), "x", 2.154434690031885e-05)

# hertz_by_if: the same by a condition.
solvesTo(Model(x = Var(start = -0.5), z = Var(init = 0.0), equations = :[100.0 = if x > 0; 1e9*x^1.5 else 0.0 end; der(z) = x]), "x", 2.154434690031885e-05)

# two_buffers: two buffers one behind the other, both apart.
solvesTo(Model(x = Var(start = -1.0), y = Var(start = -1.0), z = Var(init = 0.0), equations = :[50.0 = 1e4*max(x, 0.0)^1.5; 50.0 = 2e3*max(y - x, 0.0)^2; der(z) = y]), "y", 0.18735406039054764)

# rope: length of a rope that pulls and does not push, started slack.
solvesTo(Model(x = Var(start = 0.2), z = Var(init = 0.0), equations = :[30.0 = 1e5*max(x - 1.0, 0.0); der(z) = x]), "x", 1.0003)

# catenary_overflow: a rope of 12 m over 10 m, from a parameter where sinh overflows.
solvesTo(Model(a = Var(start = 0.005), z = Var(init = 0.0), equations = :[12.0 = 2*a*sinh(10.0/(2*a)); der(z) = a]), "a", 4.6954152312653115)

# ladder_angle: angle of a ladder by asin, its foot started farther out than it is long.
solvesTo(Model(x = Var(start = 9.0), z = Var(init = 0.0), equations = :[asin(x/5.0) = 0.6; der(z) = x]), "x", 2.8232123669751767)

# toggle_by_root: a toggle whose strut is a root, started where it cannot be.
solvesTo(Model(x = Var(start = 3.0), z = Var(init = 0.0), equations = :[x = 2*sqrt(1.0 - x^2); der(z) = x]), "x", 0.8944271909999159)

# slider_by_acos: a crank by acos, the slider started out of reach.
solvesTo(Model(s = Var(start = 4.0), z = Var(init = 0.0), equations = :[acos((s^2 + 1.0 - 4.0)/(2*s)) = 1.0; der(z) = s]), "s", 2.35466902230846)

# stribeck_backwards: speed against friction with a sign, from the wrong direction.
solvesTo(Model(v = Var(start = -5.0), z = Var(init = 0.0), equations = :[50.0 = sign(v)*(10 + 15*exp(-abs(v)/0.5)) + 0.4*v*abs(v); der(z) = v]), "v", 9.999999996135337)

# drag: speed at which the drag is the thrust, from backwards.
solvesTo(Model(v = Var(start = -20.0), z = Var(init = 0.0), equations = :[300.0 = 0.8*sign(v)*v^2 + 5*v; der(z) = v]), "v", 16.49044353309402)

# stretched_arm: angles of an arm from the stretched pose, where its matrix is singular.
solvesTo(Model(a = Var(start = 0.0), b = Var(start = 0.0), z = Var(init = 0.0), equations = :[
    cos(a) + cos(a + b) = 0.5
    sin(a) + sin(a + b) = 1.0
    c2 = cos(b)
    der(z) = c2]), "c2", -0.375)

# kepler_far: eccentricity 0.999 from many turns away.
solvesTo(Model(E = Var(start = 100.0), z = Var(init = 0.0), equations = :[E - 0.999*sin(E) = 0.05; der(z) = E]), "E", 0.6716782961400533)
