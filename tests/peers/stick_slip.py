"""Stick-slip of tests/models/library_driveline.jl, with sticking as a state of its own and events located by SciPy."""
import math
from scipy.integrate import solve_ivp

C, SPEED, F_C, F_S, V_S, END = 10.0, 0.05, 1.0, 1.2, 0.01, 20.0


def friction(v):
    return F_C + (F_S - F_C) * math.exp(-(v / V_S) ** 2)


def slip(t, z):
    return [z[1], C * (SPEED * t - z[0]) - friction(z[1])]


def stops(t, z):
    return z[1]


stops.terminal, stops.direction = True, -1
t, s = 0.0, 0.0
while True:
    t = max(t, (F_S / C + s) / SPEED)  # the spring has the force at which it lets go
    if t >= END:
        break
    # At the very start of slip the net force is zero: begin with the smallest speed that leads on.
    run = solve_ivp(slip, [t, END], [s, 1e-12], events=stops, rtol=1e-11, atol=1e-14, max_step=0.01)
    t, s = run.t[-1], run.y[0, -1]
    if not len(run.t_events[0]):
        break
print("position at the end:", s)
