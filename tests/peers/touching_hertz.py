"""References of tests/models/touching*.jl: balls that touch and are hit, by Hertz' law in SciPy.

Nothing of Segue is used: balls without friction and spin are points, forces along the lines between
their centers, k p^1.5 with k = 4/3 E* sqrt(R). Without damping that is an ordinary differential
equation, integrated by DOP853 at 1e-11. With restitution below 1 the damping 8 (1 - c)/(5 c v),
v the fastest of the present impact (src/contact/law.h says what that is), is followed in small steps of Runge and Kutta.
Needs NumPy and SciPy; prints what stands in the models. In units of ball 1's speed where that says all.
"""
import math

import numpy as np
from scipy.integrate import solve_ivp

E, NU, RHO = 1e9, 0.3, 1000.0
ESTAR = E / (1 - NU * NU) / 2


def mass(r):
    return RHO * 4 / 3 * math.pi * r ** 3


def run(x, v, r, until, floor=False, g=0.0, length=None, stop_apart=False):
    """Balls at x (n by 2), the floor is y = 0; with `length` they hang on rods from above."""
    n, r = len(x), np.array(r)
    m = mass(r)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    k = {(i, j): 4 / 3 * ESTAR * math.sqrt(r[i] * r[j] / (r[i] + r[j])) for i, j in pairs}
    kf = 4 / 3 * ESTAR * np.sqrt(r)
    x = np.array(x, float)
    pivot = x + np.array([0.0, length]) if length else None

    def forces(p):
        f = np.zeros((n, 2))
        f[:, 1] -= m * g
        for i, j in pairs:
            d = p[i] - p[j]
            s = math.hypot(d[0], d[1])
            depth = r[i] + r[j] - s
            if depth > 0:
                push = k[i, j] * depth ** 1.5 / s * d
                f[i] += push
                f[j] -= push
        if floor:
            depth = np.maximum(r - p[:, 1], 0)
            f[:, 1] += kf * depth ** 1.5
        return f

    if length:  # angles
        def rhs(_, y):
            a, w = y[:n], y[n:]
            p = pivot + length * np.column_stack([np.sin(a), -np.cos(a)])
            f = forces(p)
            inertia = m * length ** 2 + 0.4 * m * r ** 2
            return np.concatenate([w, length * (f[:, 0] * np.cos(a) + f[:, 1] * np.sin(a)) / inertia])
        y = np.concatenate([x[:, 0] * 0 + np.array(v)[:, 0], np.array(v)[:, 1]])
    else:
        def rhs(_, y):
            p = y[:2 * n].reshape(n, 2)
            return np.concatenate([y[2 * n:], (forces(p) / m[:, None]).ravel()])
        y = np.concatenate([x.ravel(), np.array(v, float).ravel()])
    out = solve_ivp(rhs, (0, until), y, method="DOP853", rtol=1e-11, atol=1e-14,
                    max_step=until / 200)
    y = out.y[:, -1]
    return (y[:n], y[n:]) if length else (y[:2 * n].reshape(n, 2), y[2 * n:].reshape(n, 2))


def line(*numbers):
    return "[" + ", ".join("%.6f" % z for z in numbers) + "]"


def chains():
    print("chains of equal balls, speeds over that of the first")
    for n in range(3, 11):
        r = 0.03
        _, v = run([[2 * r * i, 0] for i in range(n)], [[1, 0]] + [[0, 0]] * (n - 1), [r] * n, 0.005)
        print(n, line(*v[:, 0]))
    print("two hit three; balls that get smaller; a small one hits")
    r = 0.03
    _, v = run([[2 * r * i, 0] for i in range(5)], [[1, 0]] * 2 + [[0, 0]] * 3, [r] * 5, 0.005)
    print(line(*v[:, 0]))
    for radii in ([0.03, 0.025, 0.02, 0.015, 0.01], [0.01, 0.02, 0.03]):
        at = [0.0]
        for a, b in zip(radii, radii[1:]):
            at.append(at[-1] + a + b)
        _, v = run([[z, 0] for z in at], [[1, 0]] + [[0, 0]] * (len(radii) - 1), radii, 0.005)
        print(line(*v[:, 0]))


def rack():
    r, at = 0.03, []
    for row in range(5):
        for k in range(row + 1):
            at.append([row * math.sqrt(3) * r, (2 * k - row) * r])
    _, v = run([[-2 * r, 0]] + at, [[1, 0]] + [[0, 0]] * 15, [r] * 16, 0.01)
    print("rack of 15 hit by a cue ball: its speed; of the corners (1, 11, 15), of 13 in the middle behind")
    print(line(v[0, 0], v[1, 0], v[11, 0], abs(v[11, 1]), v[13, 0]), "speeds of rows",
          line(*[v[1 + i * (i + 1) // 2:1 + (i + 1) * (i + 2) // 2, 0].sum() for i in range(5)]))


def sunk(weight, k):
    return (weight / k) ** (2 / 3)


def struck():
    # After 5 ms, but the pressed ones after 2 ms: what rings on in them is slow, and damped in Segue.
    g, r = 9.81, 0.05
    kf, kb, m = 4 / 3 * ESTAR * math.sqrt(r), 4 / 3 * ESTAR * math.sqrt(r / 2), mass(r)
    print("a ball at rest on the floor, another from 1 m above at t = 0 with 3 m/s in 1 mm: speeds at 5 ms")
    y = r - sunk(m * g, kf)
    _, v = run([[0, y], [0, y + 2 * r + 1e-3]], [[0, 0], [0, -3]], [r, r], 0.005, True, g)
    print(line(*v[:, 1]))
    print("a stack of three hit by a fourth, the same")
    at, y = [], 0.0
    for i in range(3):
        load = (3 - i) * m * g
        y = r - sunk(load, kf) if i == 0 else y + 2 * r - sunk(load, kb)
        at.append([0, y])
    at.append([0, y + 2 * r + 1e-3])
    _, v = run(at, [[0, 0]] * 3 + [[0, -3]], [r] * 4, 0.005, True, g)
    print(line(*v[:, 1]))
    print("two pressed together by a ball of 0.2 m, hit by a small one")
    R = [0.05, 0.05, 0.2, 0.05]
    k = [4 / 3 * ESTAR * math.sqrt(a * b / (a + b)) for a, b in zip(R, R[1:])]
    M = [mass(a) for a in R]
    y0 = R[0] - sunk((M[0] + M[1] + M[2]) * g, kf)
    y1 = y0 + R[0] + R[1] - sunk((M[1] + M[2]) * g, k[0])
    y2 = y1 + R[1] + R[2] - sunk(M[2] * g, k[1])
    _, v = run([[0, y0], [0, y1], [0, y2], [0, y2 + R[2] + R[3] + 1e-3]], [[0, 0]] * 3 + [[0, -3]], R, 0.002, True, g)
    print(line(*v[:, 1]))


def cradle():
    r, length, a0 = 0.02, 0.3, -0.3
    n, g = 5, 9.81
    print("cradle of five without gaps, the first from 0.3 rad: angles and rates at 0.4 s")
    a, w = run([[2 * r * i, 0] for i in range(n)], [[a0, 0.0]] + [[0.0, 0.0]] * (n - 1), [r] * n, 0.4, g=g, length=length)
    print(line(*a), line(*w))


def damped(cor, still=0.01):
    """A ball at rest on the floor is hit by an equal one with 3 m/s, with restitution `cor`."""
    r, g = 0.05, 9.81
    kf, kb, m = 4 / 3 * ESTAR * math.sqrt(r), 4 / 3 * ESTAR * math.sqrt(r / 2), mass(r)

    def d(v):
        c = cor + (0.001 - cor) * math.exp(math.log(0.01) * v / still)
        reg = v if v >= still else v * v / still * (1 - v / (3 * still)) + still / 3
        return min(2000.0, 8 * (1 - c) / (5 * c * reg))

    fall = (-3.0 + math.sqrt(9.0 + 2 * g * 1e-3)) / g  # through the gap of 1 mm
    x = [r - sunk(m * g, kf), r - sunk(m * g, kf) + 2 * r]
    v = [0.0, -3.0 - g * fall]
    top, away, left = [0.0, -v[1]], [True, False], [0.0, 0.0]  # floor, between

    def acc(x, v):
        f = []
        for i, (p, rate, k) in enumerate(((r - x[0], -v[0], kf), (2 * r - x[1] + x[0], v[0] - v[1], kb))):
            u = max(left[i] if away[i] and rate > 0 else top[i], abs(rate))
            f.append(max(0.0, k * p ** 1.5 * (1 + d(u) * rate)) if p > 0 else 0.0)
        return [-g + (f[0] - f[1]) / m, -g + f[1] / m]

    h, t = 1e-7, fall
    add = lambda a, b, s: [p + s * q for p, q in zip(a, b)]
    while t < 0.005:
        a1 = acc(x, v)
        v2 = add(v, a1, h / 2); a2 = acc(add(x, v, h / 2), v2)
        v3 = add(v, a2, h / 2); a3 = acc(add(x, v2, h / 2), v3)
        v4 = add(v, a3, h); a4 = acc(add(x, v3, h), v4)
        x = [x[i] + h / 6 * (v[i] + 2 * v2[i] + 2 * v3[i] + v4[i]) for i in (0, 1)]
        v = [v[i] + h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]) for i in (0, 1)]
        t += h
        for i, (p, rate) in enumerate(((r - x[0], -v[0]), (2 * r - x[1] + x[0], v[0] - v[1]))):
            if p <= 0:
                top[i], left[i], away[i] = 0.0, 0.0, False
            elif rate <= 0:
                left[i] = max(left[i], -rate) if away[i] else -rate
                top[i], away[i] = max(top[i], -rate), True
            else:
                top[i], away[i] = max(left[i] if away[i] else top[i], rate), False
    return v


if __name__ == "__main__":
    chains()
    rack()
    struck()
    cradle()
    for cor in (0.3, 0.7):
        print("restitution", cor, line(*damped(cor)))
