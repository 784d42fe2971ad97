"""Reference of the cart in tests/models/library_mechanics3d.jl: the motion of a plate in its plane, y up, with two wheels whose loads are constant."""
import numpy as np
from scipy.integrate import solve_ivp

MASS, WHEEL, SPIN = 120.0, 10.0, 0.4           # kg in all, kg and kg m^2 of a wheel
RADIUS, LOAD, MU, B, C, V_MIN = 0.3, 500.0, 0.9, 10.0, 1.6, 0.5
PLACE, STEER, TORQUE, ROLL = [0.8, -0.7], [0.1, 0.0], [0.0, -40.0], [0.0, 0.02]
INERTIA = 20.0 + 2 * SPIN + WHEEL * sum(p * p for p in PLACE)
CENTER = WHEEL * sum(PLACE) / MASS


def turn(angle):
    """Takes (x, z) of a frame that is turned about y to the world."""
    return np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])


def rates(_, y):
    x, z, yaw, vx, vz, w, *spins = y
    force, moment, more = np.zeros(2), 0.0, []
    for k in range(2):
        arm = turn(yaw) @ [PLACE[k], 0.0]
        v = np.array([vx + w * arm[1], vz - w * arm[0]])
        ahead = turn(yaw + STEER[k]) @ [-1.0, 0.0]   # the axle points along z, so that it rolls along -x
        aside = np.array([ahead[1], -ahead[0]])
        speed = np.hypot(ahead @ v, V_MIN)
        slip = np.array([RADIUS * spins[k] - ahead @ v, -(aside @ v)]) / speed
        size = np.hypot(*slip)
        push = MU * LOAD * np.sin(C * np.arctan(B * size)) * slip / size
        f = push[0] * ahead + push[1] * aside
        force += f
        moment += arm[1] * f[0] - arm[0] * f[1]
        rim = RADIUS * spins[k]
        more.append((TORQUE[k] - RADIUS * push[0] - ROLL[k] * RADIUS * LOAD * rim / np.hypot(rim, V_MIN)) / SPIN)
    c = turn(yaw) @ [CENTER, 0.0]
    matrix = np.array([[MASS, 0, MASS * c[1]], [0, MASS, -MASS * c[0]], [MASS * c[1], -MASS * c[0], INERTIA]])
    ax, az, turning = np.linalg.solve(matrix, [force[0] + MASS * w * w * c[0], force[1] + MASS * w * w * c[1], moment])
    return [vx, vz, w, ax, az, turning, *more]


s = solve_ivp(rates, [0, 3], [0, 0, 0, 8.0, 0, 0, -26.0, -26.0], rtol=1e-11, atol=1e-12, method="DOP853")
for name, value in zip(["x", "z", "yaw", "vx", "vz", "w", "front", "rear"], s.y[:, -1]):
    print(f"{name:6} {value:.8f}")
