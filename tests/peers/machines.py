"""References of tests/models/library_machines.jl: machines as coupled coils in their phases, without space vectors."""
import numpy as np
from scipy.integrate import solve_ivp

PRECISE = dict(rtol=1e-11, atol=1e-12, method="DOP853")
THIRD = 2 * np.pi / 3


def direct():
    """12 V at 0.1 s, a load of 0.05 N m at 0.3 s."""
    z = [0.0, 0.0]
    for begin, end, volt, load in [(0.1, 0.3, 12.0, 0.0), (0.3, 0.5, 12.0, 0.05)]:
        def slopes(t, z):
            i, w = z
            return [(volt - 0.5 * i - 0.08 * w) / 2e-3, (0.08 * i - 1e-5 * w - load) / 2e-4]
        z = solve_ivp(slopes, [begin, end], z, **PRECISE).y[:, -1]
    return z


def series():
    def slopes(t, z):
        i, w = z
        return [(100 - 1.5 * i - 0.1 * i * w) / 0.021, (0.1 * i * i - 0.01 * w) / 0.02]
    return solve_ivp(slopes, [0, 1.0], [0, 0], **PRECISE).y[:, -1]


def coupling(angle, function):
    """Between three coils of the stator and three of the rotor."""
    return function(np.array([[angle, angle + THIRD, angle - THIRD], [angle - THIRD, angle, angle + THIRD],
                              [angle + THIRD, angle - THIRD, angle]]))


def induction():
    p, rs, ls, rr, lr, lm, inertia, d = 2, 0.5, 0.003, 0.4, 0.003, 0.1, 0.05, 0.01
    m = 2 / 3 * lm
    own = m * np.array([[1, -0.5, -0.5], [-0.5, 1, -0.5], [-0.5, -0.5, 1]])

    def slopes(t, z):
        i, phi, w = z[:6], z[6], z[7]
        c, dc = m * coupling(p * phi, np.cos), -m * coupling(p * phi, np.sin)
        coils = np.block([[ls * np.eye(3) + own, c], [c.T, lr * np.eye(3) + own]])
        motion = p * w * np.block([[np.zeros((3, 3)), dc], [dc.T, np.zeros((3, 3))]])
        v = np.zeros(6)
        v[:3] = 325 * np.cos(100 * np.pi * t - np.array([0, 1, 2]) * THIRD)
        torque = p * i[:3] @ dc @ i[3:]
        fan = 10 * (w / 150) * abs(w / 150)
        di = np.linalg.solve(coils, v - np.array([rs] * 3 + [rr] * 3) * i - motion @ i)
        return list(di) + [w, (torque - d * w - fan) / inertia]

    run = solve_ivp(slopes, [0, 0.6], np.zeros(8), rtol=1e-10, atol=1e-10, method="DOP853")
    return run.y[7, -1], run.y[0, -1], run.y[7].max()


def magnets():
    p, r, psi, inertia, d, shift = 4, 0.1, 0.05, 0.01, 0.02, np.array([0, THIRD, -THIRD])

    def coils(angle):
        park = 2 / 3 * np.array([np.cos(angle - shift), -np.sin(angle - shift), [0.5] * 3])
        return np.linalg.inv(park) @ np.diag([0.0012, 0.0018, 1e-3]) @ park

    def slopes(t, z):
        i, phi, w = z[:3], z[3], z[4]
        angle, e = p * phi, 1e-6
        turn = (coils(angle + e) - coils(angle - e)) / (2 * e)
        flux = -psi * np.sin(angle - shift)
        v = 8 * np.cos(10 * np.pi * t - np.array([0, 1, 2]) * THIRD)
        di = np.linalg.solve(coils(angle), v - r * i - p * w * (turn @ i + flux))
        return list(di) + [w, (p * (0.5 * i @ turn @ i + i @ flux) - d * w) / inertia]

    run = solve_ivp(slopes, [0, 0.7], np.zeros(5), rtol=1e-9, atol=1e-10, method="DOP853")
    return run.y[4, -1], run.y[3, -1], run.y[0, -1]


print("direct current, i and w:", direct())
print("in series, i and w:", series())
print("induction, w, ia and largest w:", induction())
print("magnets, w, phi and ia:", magnets())
