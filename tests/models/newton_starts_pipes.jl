# Start problems of Newton's method (docs/theory/accuracy.md lists them). Pipes: turbulent friction has no slope at rest, or an infinite one where the flow is solved for; roots have an end.
# Values are closed forms, or, with 16 digits, from SciPy (brentq and fsolve).
using Modia
include("scenes/newton_starts.jl")

# turbulent_from_one: the flow that a pressure drop drives, with sign.
solvesTo(Model(q = Var(start = 1.0), z = Var(init = 0.0), equations = :[0.5 = sign(q)*q^2; der(z) = q]), "q", 0.7071067811865476)

# turbulent_from_rest: from rest, where the slope is zero.
solvesTo(Model(q = Var(start = 0.0), z = Var(init = 0.0), equations = :[0.5 = sign(q)*q^2; der(z) = q]), "q", 0.7071067811865476)

# turbulent_backwards: from a flow in the other direction.
solvesTo(Model(q = Var(start = -3.0), z = Var(init = 0.0), equations = :[0.5 = sign(q)*q^2; der(z) = q]), "q", 0.7071067811865476)

# turbulent_in_pascal: in Pa and m3/s, from rest.
solvesTo(Model(q = Var(start = 0.0), z = Var(init = 0.0), equations = :[-2e5 = 3e11*sign(q)*q^2; der(z) = q]), "q", -0.0008164965809277261)

# turbulent_slow: the same, started a million times too fast.
solvesTo(Model(q = Var(start = 1e6), z = Var(init = 0.0), equations = :[-0.5 = sign(q)*q^2; der(z) = q]), "q", -0.7071067811865476)

# turbulent_by_if: with a condition.
solvesTo(Model(q = Var(start = -1.0), z = Var(init = 0.0), equations = :[0.5 = if q > 0; q^2 else -q^2 end; der(z) = q]), "q", 0.7071067811865476)

# laminar_or_turbulent: friction by two laws that meet at a Reynolds number, from the other side.
solvesTo(Model(q = Var(start = -0.01), z = Var(init = 0.0), equations = :[2.0 = if abs(q) < 0.1; 10*q else 100*sign(q)*q^2 end; der(z) = q]), "q", 0.1414213562373095)

# root_of_difference: a root without its sign, whose start is no number.
solvesTo(Model(p = Var(start = 7.0), z = Var(init = 0.0), equations = :[sqrt(5.0 - p) = 2*sqrt(p - 1.0); der(z) = p]), "p", 1.8)

# torricelli: level of a tank where what runs out is what comes in, from a level below the ground.
solvesTo(Model(h = Var(start = -3.0), z = Var(init = 0.0), equations = :[0.02 = 0.005*sqrt(2*9.81*h); der(z) = h]), "h", 0.8154943934760448)

# nozzle_and_valve: two orifices as roots, the pressure between them started above both.
solvesTo(Model(p = Var(start = 90.0), z = Var(init = 0.0), equations = :[q = 3*sqrt(10.0 - p); q = 4*sqrt(p - 2.0); der(z) = p]), "p", 4.88)

# triangle_from_rest: three pipes in a triangle, all from rest.
solvesTo(Model(a = Var(start = 0.0), b = Var(start = 0.0), z = Var(init = 0.0), equations = :[
    1.0 = a + b
    p1 - p2 = sign(a)*a^2
    p1 = 4*sign(b)*b^2
    p2 = 2*sign(c)*c^2
    a = c
    der(z) = a]), "a", 0.5358983848622454)

# three_reservoirs: a junction between three lakes; all pipes from the wrong direction.
solvesTo(Model(q1 = Var(start = -1.0), q2 = Var(start = 1.0), q3 = Var(start = 1.0), z = Var(init = 0.0), equations = :[
    100.0 - h = 50*sign(q1)*q1^2
    60.0 - h = 20*sign(q2)*q2^2
    20.0 - h = 80*sign(q3)*q3^2
    q1 + q2 + q3 = 0.0
    der(z) = h]), "h", 60.61282426489875)

# colebrook_flow: flow, Reynolds number and friction factor together, nearly from rest.
solvesTo(Model(f = Var(start = 1.0), v = Var(start = 1e-3), z = Var(init = 0.0), equations = :[
    1/sqrt(f) = -2*log10(1e-4/3.7 + 2.51/(Re*sqrt(f)))
    Re = v*0.1/1e-6
    5e4 = f*100/0.1*1000*v*abs(v)/2
    der(z) = v]), "v", 2.512782239748489)

# check_valve_chatter: a pump against a check valve, started backwards.
solvesTo(Model(q = Var(start = -2.0), z = Var(init = 0.0), equations = :[10.0 - 0.5*q*abs(q) = 3.0 + 2*q*abs(q) + (if q > 0; 0.1*q else 1e6*q end); der(z) = q]), "q", 1.6534395716607158)

include("scenes/pipe_grid.jl")
integrating(model) = model | Model(z = Var(init = 0.0), equations = :[der(z) = p1_1])

# grid_14: 364 pipes between 14 x 14 nodes, exponent 1.75, all from 0.1: convex, one solution.
solvesTo(integrating(pipeGrid(14, 0.75, 0.1, false)), "p1_1", 1.1534143948523221)

# grid_14_mixed: the same, every third pipe started against the others.
solvesTo(integrating(pipeGrid(14, 0.75, 0.1, true)), "p1_1", 1.1534143948523221)

# grid_14_from_rest: squares, all from rest, where no pipe has a slope.
solvesTo(integrating(pipeGrid(14, 1.0, 0.0, false)), "p1_1", 0.8546004544640581)

# grid_of_roots: flows as roots of pressures that begin equal, where every slope is infinite.
solvesTo(integrating(rootGrid(14)), "p1_1", 0.8546004544640581)
