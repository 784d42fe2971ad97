"""References of tests/models/contact_rolls_over.jl: a capsule that strikes with both ends, in SciPy.

Nothing of Segue is used. The motion is one in a plane: a capsule of steel falls on a plate with one end, rolls over its side
and strikes with the other end before the first one has left. The deeper end presses, by Hertz' law with the damping of the
impact, friction and rolling resistance (src/contact/law.h). DOP853 at 1e-12 from phase to phase: a contact begins, turns
round, goes over to the other end, ends; each of them is located, so that nothing depends on steps.
Needs NumPy and SciPy; prints what stands in the model: vx, vz [m/s] and the spin [rad/s].
"""
import math

import numpy as np
from scipy.integrate import solve_ivp

R, HALF, RHO, E, NU, COR, MU, ROLLING, V_MIN, W_MIN, G = 0.05, 0.1, 8000.0, 200e9, 0.3, 0.7, 0.5, 0.001, 0.01, 0.01, 9.81
ROD, BALLS = RHO * math.pi * R * R * 2 * HALF, RHO * 4 / 3 * math.pi * R ** 3
M = ROD + BALLS
INERTIA = (ROD * (R * R / 4 + HALF * HALF / 3)
           + BALLS * (2 / 5 * R * R + HALF * HALF + 2 * HALF * 3 / 8 * R))
K = 4 / 3 * E / (1 - NU * NU) / 2 * math.sqrt(R)


def regular(x, small):
    x = abs(x)
    return x if x >= small else x * x / small * (1 - x / (3 * small)) + small / 3


def damping(first, fastest):
    v = max(first, min(fastest, first + 2 * (fastest - 1.1 * first)))
    cor = COR + (0.001 - COR) * math.exp(math.log(0.01) * v / V_MIN)
    d, fast = min(2000.0, 8 * (1 - cor) / (5 * cor * regular(v, V_MIN))), 8 * (1 - COR) / (5 * COR * v)
    return fast + min(d - fast, 0.1 / v) if first == 0 and fast < d else d


def end(y, side):
    """Where the center of this end is against that of the capsule, and how far it has sunk in."""
    rx, rz = side * HALF * math.cos(y[2]), -side * HALF * math.sin(y[2])
    return rx, rz, R - y[1] - rz


def rate(y, side):
    rx, rz, p = end(y, side)
    return -(y[4] - y[5] * rx)


def derivative(y, side, d):
    fx, fz, torque = 0.0, -M * G, 0.0
    if side:
        rx, rz, p = end(y, side)
        force = max(0.0, K * max(p, 0.0) ** 1.5 * (1 + d * rate(y, side)))
        arm = -p / 2 - y[1]  # of the middle of the dent
        slide = y[3] + y[5] * arm
        friction = -MU * force * slide / regular(slide, V_MIN)
        fx, fz = friction, fz + force
        torque = friction * arm - force * rx - ROLLING * R * force * y[5] / regular(y[5], W_MIN)
    return [y[3], y[4], y[5], fx / M, fz / M, torque / INERTIA]


def event(f, direction):
    f.terminal, f.direction = True, direction
    return f


def phase(t, y, until, side, leaving, d):
    if not side:
        events = [event(lambda t, y, s=s: end(y, s)[2], 1) for s in (1, -1)]
    else:
        events = [event(lambda t, y: end(y, side)[2], -1),
                  event(lambda t, y: end(y, -side)[2] - end(y, side)[2], 1),
                  event(lambda t, y: rate(y, side), 1 if leaving else -1)]
    s = solve_ivp(lambda t, y: derivative(y, side, d), (t, until), y, method="DOP853", rtol=1e-12, atol=1e-14,
                  events=events, dense_output=True, max_step=2e-5 if side else 5e-4)
    which = next((i for i, e in enumerate(s.t_events) if len(e)), None)
    return s, s.t[-1], s.y[:, -1], which


def run(tilt, vx, until):
    t, y, side, leaving, d = 0.0, np.array([0.0, 0.2, tilt, vx, 0.0, 0.0]), 0, False, 0.0
    while t < until:
        s, t, y, which = phase(t, y, until, side, leaving, d)
        if which is None:
            break
        if not side:
            side, leaving = (1, -1)[which], False
            first = rate(y, side)
            fastest, top, d = 1.1 * first, first, damping(first, 1.1 * first)
            continue
        rates = [rate(s.sol(x), side) * (-1 if leaving else 1) for x in np.linspace(s.t[0], s.t[-1], 2001)]
        top = max(top, max(rates))
        fastest = max(fastest, top)
        if which == 0:
            side = 0
            continue
        if which == 1:
            side = -side
            print(f"   goes over to the other end at {t:.9f} s with {rate(y, side):.6f} m/s")
        if which == 2 or (rate(y, side) > 0) == leaving:
            if leaving:  # an impact of its own
                first, fastest = 0.0, top
            leaving, top = not leaving, 0.0
        top = max(top, abs(rate(y, side)))
        fastest = max(fastest, top)
        d = damping(first, fastest)
    return y


for degrees, vx, until in [(50.0, 0.3, 0.6)]:
    y = run(math.radians(degrees), vx, until)
    print(f"{degrees} degrees, {vx} m/s, at {until} s: vx = {y[3]:.9f}, vz = {y[4]:.9f}, w = {y[5]:.9f}", flush=True)
