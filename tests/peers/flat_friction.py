"""References of tests/models/flat_closed_forms.jl: rigid bodies under Coulomb's law at each point, in SciPy.

Nothing of Segue is used. The disk slides and spins under even pressure; force and torque are integrals over it. The block
lies on a plate that moves to and fro with b sin(w t); it sticks and slips in turn, each phase integrated in closed form or by
a root. Needs NumPy and SciPy; prints what stands in the model.
"""
import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

MU, G = 0.3, 9.81

# Points of the unit disk with their shares of an even pressure.
X, W = np.polynomial.legendre.leggauss(200)
TURNS = (np.arange(256) + 0.5) * 2 * np.pi / 256
RHO, ANGLE = np.meshgrid((X + 1) / 2, TURNS, indexing="ij")
SHARE = (W[:, None] * RHO) * np.ones(256)
SHARE /= SHARE.sum()
PX, PY = RHO * np.cos(ANGLE), RHO * np.sin(ANGLE)


def rub(v, spin, radius, ellipse):
    """Force and torque over mu N of a disk that slides with v along x and spins."""
    if ellipse:
        arm = 2 / 3 * radius
        speed = math.hypot(v, arm * spin)
        return v / speed, arm * arm * spin / speed
    ux, uy = v - spin * radius * PY, spin * radius * PX
    speed = np.maximum(np.hypot(ux, uy), 1e-300)
    return (SHARE * ux / speed).sum(), (SHARE * radius * (PX * uy - PY * ux) / speed).sum()


def disk(v, spin, radius=0.1, ellipse=False):
    """Time, way and angle until the disk lies still."""
    def rates(_, y):
        force, torque = rub(y[1], y[3], radius, ellipse)
        return [y[1], -MU * G * force, y[3], -MU * G * torque / (radius * radius / 2)]

    def still(_, y):
        return math.hypot(y[1], radius * y[3]) - 1e-4 * math.hypot(v, radius * spin)

    still.terminal = True
    s = solve_ivp(rates, [0, 10], [0, v, 0, spin], rtol=1e-10, atol=1e-12, events=still, max_step=0.01)
    return s.t[-1] / (1 - 1e-4), s.y[0, -1], s.y[2, -1]


def shaken(amplitude, frequency, until):
    """Way and speed of a block on the plate, and how often it slipped. Phases by roots of closed forms."""
    w, limit = 2 * math.pi * frequency, MU * G
    plate = lambda t: amplitude * math.sin(w * t)
    speed = lambda t: amplitude * w * math.cos(w * t)
    needed = lambda t: -amplitude * w * w * math.sin(w * t)
    t, x, v, sticks, slips, step = 0.0, 0.0, 0.0, False, 1, 1e-4 / frequency
    sign = 1.0  # the plate starts with its full speed, the block at rest
    while t < until:
        if sticks:
            way = x - plate(t)
            first = t
            while t < until and abs(needed(t)) <= limit:
                t += step
            if t >= until:
                return plate(until) + way, speed(until), slips
            t = brentq(lambda s: abs(needed(s)) - limit, max(first, t - step), t, xtol=1e-15)
            x, v, sticks, sign = plate(t) + way, speed(t), False, math.copysign(1.0, needed(t))
            slips += 1
            continue
        a, t0, x0, v0 = sign * limit, t, x, v
        apart = lambda s: v0 + a * (s - t0) - speed(s)
        t += step
        while t < until and apart(t) * sign < 0:
            t += step
        t = until if t >= until else brentq(apart, t - step, t, xtol=1e-15)
        x, v = x0 + v0 * (t - t0) + a * (t - t0) ** 2 / 2, v0 + a * (t - t0)
        if t < until:
            sticks = abs(needed(t)) <= limit
            sign = sign if sticks else math.copysign(1.0, needed(t))
    return x, v, slips


if __name__ == "__main__":
    for v, spin in [(1.0, 10.0), (1.0, 20.0), (0.2, 20.0), (1.0, 3.0)]:
        exact, ellipse = disk(v, spin), disk(v, spin, ellipse=True)
        print("disk, %g m/s, %g rad/s: stops after %.5f s, %.5f m, %.4f rad; with the ellipse %.5f s, %.5f m, %.4f rad"
              % (v, spin, *exact, *ellipse))
    for amplitude, frequency in [(0.02, 2.5), (0.02, 5.0), (0.01, 3.0)]:
        print("plate, %g m, %g Hz: after 2.03 s x = %.7f m, v = %.7f m/s, slipped %d times"
              % (amplitude, frequency, *shaken(amplitude, frequency, 2.03)))
