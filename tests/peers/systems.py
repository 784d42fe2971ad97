"""References of examples/systems, by SciPy: the equations written out by hand, pieces between switchings one after the other.

Nothing of Segue is used. Prints each figure beside the one that the example quotes; the status is the number of those that differ.
"""
import sys

try:
    import numpy as np
    from scipy.integrate import solve_ivp
    from scipy.linalg import expm
except ImportError as e:
    print("skipped:", e)
    sys.exit(77)

PRECISE = dict(rtol=1e-11, atol=1e-12, method="DOP853")
failed = 0


def compare(what, value, quoted, tolerance):
    global failed
    good = abs(value - quoted) <= tolerance
    failed += not good
    print("%-40s %.8g, quoted %.8g%s" % (what, value, quoted, "" if good else "  DIFFERS"))


def car_start():
    """Slipping and sticking are two models."""
    J_e, J_g, ratio, J_a, m, r = 0.2, 0.02, 12.0, 2.0, 1200.0, 0.3

    def tire(w_gear, v):
        slip = (r * w_gear / ratio - v) / np.sqrt(v * v + 0.25)
        return 0.9 * 6000 * np.sin(1.6 * np.arctan(10 * slip))

    def engine(w):
        return 80 - 0.2 * (w - 120)

    def slips(t, y):
        w_e, w_g, v, s = y
        f, tau = tire(w_g, v), 250 * min(t / 1.5, 1.0)
        return [(engine(w_e) - tau) / J_e, (tau - r * f / ratio) / (J_g + J_a / ratio**2), (f - 0.4 * v * abs(v)) / m, v]

    def meets(t, y):
        return y[0] - y[1]

    meets.terminal = True
    first = solve_ivp(slips, (0, 1.5), [120, 0, 0, 0], events=meets, **PRECISE)
    shut = first.t[-1]

    def sticks(t, y):
        w, v, s = y
        f = tire(w, v)
        return [(engine(w) - r * f / ratio) / (J_e + J_g + J_a / ratio**2), (f - 0.4 * v * abs(v)) / m, v]

    end = solve_ivp(sticks, (shut, 6), first.y[1:, -1], **PRECISE).y[:, -1]
    compare("car: clutch shut [s]", shut, 0.8987270, 1e-6)
    compare("car: speed [m/s]", end[1], 9.0629791, 1e-6)
    compare("car: way [m]", end[2], 32.384196, 1e-5)


class Pid:
    """The sampled controller; the first sample has no derivative."""

    def __init__(self, T, k, Ti, lo, hi, Td=0.0, Tf=0.0):
        self.T, self.k, self.Ti, self.lo, self.hi, self.Td, self.Tf = T, k, Ti, lo, hi, Td, Tf
        self.I = self.D = 0.0
        self.before = None

    def __call__(self, wanted, measured):
        if self.before is not None:
            self.D = (self.Tf * self.D + self.Td * (self.before - measured)) / (self.Tf + self.T)
        self.before = measured
        e = wanted - measured
        more = self.k * self.T / self.Ti * e
        trial = self.k * (e + self.D) + self.I + more
        out = min(max(trial, self.lo), self.hi)
        if not ((trial > self.hi and more > 0) or (trial < self.lo and more < 0)):
            self.I += more
        return out


def flow(A, b, x, h):
    """x after h of x' = A x + b."""
    n = len(x)
    M = np.zeros((n + 1, n + 1))
    M[:n, :n], M[:n, n] = A * h, b * h
    return (expm(M) @ np.append(x, 1.0))[:n]


def servo_drive():
    R, L, k, J, d, c, dc, J_l = 0.8 + 2e-5, 1e-3, 0.05, 5e-5, 1e-4, 20.0, 0.01, 2e-4
    # i, phi, w of the motor, phi, w of the load
    A = np.array([[-R / L, 0, -k / L, 0, 0], [0, 0, 1, 0, 0], [k / J, -c / J, -(d + dc) / J, c / J, dc / J], [0, 0, 0, 0, 1],
                  [0, c / J_l, dc / J_l, -c / J_l, -dc / J_l]])
    pid = Pid(0.002, 0.25, 1.5, -0.45, 0.45, Td=0.03, Tf=0.001)
    x, T, marks = np.zeros(5), 2e-4, {}
    for n in range(1250):
        if n % 10 == 0:
            y = pid(2.0, x[3])
        on = (0.5 + y) * T
        x = flow(A, np.array([24 / L, 0, 0, 0, 0]), x, on)
        x = flow(A, np.array([-24 / L, 0, 0, 0, 0]), x, T - on)
        marks[n + 1] = x[3]
    compare("servo: angle at 0.1 s [rad]", marks[500], 1.9829731, 1e-5)
    compare("servo: angle at the end [rad]", marks[1250], 2.0343912, 1e-5)


def buck_converter():
    """The coil conducts all the time but at the beginning, where the diode shuts when its current is zero."""
    L, R, C, Ron = 1e-4, 0.05, 2e-4, 1e-5
    pid, x, T, marks = Pid(2e-5, 0.02, 4e-4, 0.02, 0.95), np.zeros(2), 2e-5, {}
    for n in range(500):
        t = n * T
        duty = pid(2500 * t if t < 0.002 - 1e-12 else 5.0, x[1])
        G = 1 / 2.5 + (1 / (2.5 + Ron) if t > 0.006 - 1e-12 else 0.0)
        A = np.array([[-(R + Ron) / L, -1 / L], [1 / C, -G / C]])
        x = flow(A, np.array([24 / L, 0]), x, duty * T)
        rest, b = (1 - duty) * T, np.array([-0.4 / L, 0])
        y = flow(A, b, x, rest)
        if y[0] < 0:  # the diode shuts on the way
            lo, hi = 0.0, rest
            for _ in range(80):
                mid = 0.5 * (lo + hi)
                lo, hi = (mid, hi) if flow(A, b, x, mid)[0] > 0 else (lo, mid)
            y = flow(A, b, x, lo)
            y = np.array([0.0, y[1] * np.exp(-G / C * (rest - lo))])
        x = y
        marks[n + 1] = x[1]
    compare("converter: voltage at 6 ms [V]", marks[300], 4.9389062, 1e-5)
    compare("converter: voltage at the end [V]", marks[500], 4.9984513, 1e-5)


def hydraulic_press():
    V, K, G, A, V0, m, d, c = 2e-5, 1.5e9, 2e-10, 2e-3, 1e-4, 50.0, 2e4, 1e6

    def rates(t, y):
        p, q, s, v = y  # chamber, cylinder, ram
        suction = G * max(0 - p, 0) + 1e-16 * (0 - p)
        delivery = G * max(p - q, 0) + 1e-16 * (p - q)
        relief = 1e-9 * max(q - 1e7, 0)
        work = c * max(s - 0.01, 0)
        return [(2e-5 * np.sin(2 * np.pi * t) + suction - delivery) * K / V, (delivery - relief - A * v) * K / (V0 + A * s), v,
                (A * q - d * v - work) / m]

    y, t = [0.0, 0.0, 0.0, 0.0], 0.0
    scale = [1e5, 1e5, 1e-2, 1e-2]
    at3 = None
    for end in np.arange(0.25, 20.01, 0.25):  # in pieces, so that no half stroke is stepped over
        y = solve_ivp(rates, (t, end), y, method="Radau", rtol=1e-9, atol=1e-10 * np.array(scale), max_step=0.01).y[:, -1]
        t = end
        at3 = y[2] if abs(t - 3) < 1e-9 else at3
    compare("press: ram at 3 s [m]", at3, 9.549926e-3, 1e-8)
    compare("press: ram at the end [m]", y[2], 29.999831e-3, 1e-8)
    compare("press: pressure at the end [Pa]", y[1], 9.999911e6, 5.0)


def induction_start():
    """Three coils on the stator, three on the rotor, by phases."""
    p, Rs, Rr, Ls, Lr, Lm, J = 2, 0.5, 0.4, 0.003, 0.003, 0.1, 0.05
    third = 2 * np.pi / 3
    shift = np.array([0.0, third, -third])
    own = 2 / 3 * Lm * np.cos(shift[:, None] - shift[None, :])

    def rates(t, y):
        psi, phi, w, phi_w, w_w = y[:6], y[6], y[7], y[8], y[9]
        angle = p * phi + shift[None, :] - shift[:, None]  # of rotor coils against stator coils
        both = 2 / 3 * Lm * np.cos(angle)
        L = np.block([[own + Ls * np.eye(3), both], [both.T, own + Lr * np.eye(3)]])
        i = np.linalg.solve(L, psi)
        v = np.concatenate([325 * np.cos(100 * np.pi * t - shift), np.zeros(3)])
        tau = -p * i[:3] @ (2 / 3 * Lm * np.sin(angle)) @ i[3:]
        f = 2e5 * (0.08 * phi - 0.16 * phi_w) + 400 * (0.08 * w - 0.16 * w_w)
        fan = 60 * (w_w / 75) ** 2 * np.sign(w_w)
        return np.concatenate([v - np.repeat([Rs, Rr], 3) * i, [w, (tau - 0.08 * f) / J, w_w, (0.16 * f - fan) / 0.3]])

    y = solve_ivp(rates, (0, 0.1), np.zeros(10), rtol=1e-10, atol=1e-11, method="DOP853").y[:, -1]
    compare("induction motor: speed at 0.1 s [rad/s]", y[7], 83.74468, 1e-4)


def heated_tank():
    """Between the switchings of heater and tap."""
    dp0, q0, g, rho, A, c = 6e4, 8e-4, 9.81, 1000.0, 0.1, 4186.0
    D = 0.02
    lam, turb = 128e-3 * 10 / (np.pi * D**4), 0.03 * 10 / D * rho / 2 * (4 / (np.pi * D**2)) ** 2

    def pumped(n):
        left = dp0 * n * n - rho * g * 3.0  # what the curve and the pipe take
        a, b = dp0 + turb * q0**2, 1e-3 * dp0 + lam * q0
        return q0 * 2 * left / (b + np.sqrt(b * b + 4 * a * left)) if left > 0 else 0.0

    def rates(t, y, tap, heat):
        h, T, x = y
        v = 4 * (0.8 - h) + x
        n = min(max(v, 0.0), 1.0)
        q, dp = pumped(n), rho * g * h
        out = tap * 3e-3 / np.sqrt(1e5) * dp / np.sqrt(np.sqrt(dp * dp + 100.0))
        return [(q - out) / A, (rho * c * q * (285 - T) + heat - 200 * (T - 293.15)) / (rho * c * A * h), 4 * (0.8 - h) / 60 + (n - v) / 20]

    def hot(t, y, tap, heat):
        return y[1] - 322

    def cold(t, y, tap, heat):
        return y[1] - 320

    hot.terminal = cold.terminal = True
    y, t, heat, marks = [0.6, 293.15, 0.0], 0.0, 2e4, {}
    for end, tap in ((300.0, 1e-6), (500.0, 1.0), (1500.0, 1e-6)):
        while t < end:
            part = solve_ivp(rates, (t, end), y, args=(tap, heat), events=hot if heat else cold, rtol=1e-10, atol=1e-11, method="DOP853", max_step=0.5)
            t, y = part.t[-1], part.y[:, -1]
            if part.status == 1:
                heat = 0.0 if heat else 2e4
        marks[end] = y
    compare("tank: level at 500 s [m]", marks[500.0][0], 0.3078066, 1e-6)
    compare("tank: temperature at 500 s [K]", marks[500.0][1], 297.72870, 1e-4)
    compare("tank: level at the end [m]", y[0], 0.8, 1e-6)
    compare("tank: temperature at the end [K]", y[1], 321.34787, 1e-4)


def crane():
    """Trolley and hinge each slide forward, backward, or stick: nine models."""
    M, m, L, g, f_max, tau_max = 200.0, 100.0, 4.0, 9.81, 100.0, 40.0
    I = m * (0.8**2 + 0.8**2) / 12

    def forces(phi, w, push):
        return np.array([push + m * L * w * w * np.sin(phi), -m * g * L * np.sin(phi)])

    def mass(phi):
        return np.array([[M + m, m * L * np.cos(phi)], [m * L * np.cos(phi), I + m * L * L]])

    limit = np.array([f_max, tau_max])

    def act(y, mode, push):
        """Accelerations, and what holds those that stick."""
        s, phi, v, w = y
        q, A = forces(phi, w, push) - limit * mode, mass(phi)
        a, moves = np.zeros(2), [k for k in range(2) if mode[k]]
        if moves:
            a[moves] = np.linalg.solve(A[np.ix_(moves, moves)], q[moves])
        return a, q - A @ a

    def settle(y, push):
        """Directions of what moves; what rests sticks, if that holds, else goes where it is pushed."""
        mode = [float(np.sign(y[2 + k])) for k in range(2)]
        for _ in range(4):
            hold = act(y, mode, push)[1]
            loose = [k for k in range(2) if mode[k] == 0 and abs(hold[k]) > limit[k]]
            if not loose:
                break
            mode[loose[0]] = float(np.sign(hold[loose[0]]))
        return mode

    y, t = np.zeros(4), 0.0
    for end, push in ((2.0, 400.0), (4.0, -200.0), (30.0, 0.0)):
        while t < end - 1e-12:
            mode = settle(y, push)
            events = []
            for k in range(2):
                if mode[k]:
                    events.append(lambda t, y, k=k: y[2 + k] if t > begun + 1e-9 else mode[k])
                else:
                    events.append(lambda t, y, k=k: limit[k] * (1 + 1e-12) - abs(act(y, mode, push)[1][k]))
                events[-1].terminal = True
            begun = t
            part = solve_ivp(lambda t, y: np.concatenate([y[2:], act(y, mode, push)[0]]), (t, end), y, events=events, rtol=1e-11, atol=1e-13, method="DOP853", max_step=0.05)
            t, y = part.t[-1], part.y[:, -1]
            for k in range(2):
                if mode[k] and part.t_events[k].size:
                    y[2 + k] = 0.0
    compare("crane: trolley at the end [m]", y[0], 3.6913278, 2e-6)
    compare("crane: load at the end [rad]", y[1], 0.0021141, 1e-6)


def battery_arm():
    """A double pendulum with rotors; windings, bus and battery are solved for the voltage of the bus."""
    g, k, J, iMax = 9.81, 0.05, 5e-5, 12.0
    ratio = np.array([160.0, 100.0])
    m1, c1, I1, l1 = 4.0, 0.25, 4.0 * (0.5**2 + 0.06**2) / 12, 0.5
    # The lower bar and the ball as one body.
    m2, c2 = 3.5, (2.0 * 0.2 + 1.5 * 0.4) / 3.5
    I2 = 2.0 * (0.4**2 + 0.06**2) / 12 + 2.0 * (c2 - 0.2) ** 2 + 0.4 * 1.5 * 0.05**2 + 1.5 * (0.4 - c2) ** 2

    def rates(t, y, wanted):
        phi, w, T, soc = y[0:2], y[2:4], y[4:6], y[6]
        rotor, R = ratio * w, 1 + 0.0039 * (T - 293.15)
        room = iMax * np.clip((323.15 - T) / 20, 0, 1)
        volt = np.clip(300 * (wanted - phi) - 25 * w, k * rotor - room, k * rotor + room)
        duty = np.clip(volt / 24, -1, 1)
        ocv = 20 + 15 * soc if soc < 0.2 else 23 + 2.5 * (soc - 0.2)
        bus = (ocv + 0.1 * np.sum(duty * k * rotor / R)) / (1 + 0.1 * np.sum(duty**2 / R))
        i = (duty * bus - k * rotor) / R
        tau = ratio * k * i
        a = phi[0] + phi[1]
        h, s2 = m2 * l1 * c2 * np.cos(phi[1]), m2 * l1 * c2 * np.sin(phi[1])
        far = I2 + m2 * c2**2
        A = np.array([[I1 + m1 * c1**2 + m2 * l1**2 + far + 2 * h, far + h], [far + h, far]]) + np.diag(ratio**2 * J)
        weight = g * np.array([(m1 * c1 + m2 * l1) * np.cos(phi[0]) + m2 * c2 * np.cos(a), m2 * c2 * np.cos(a)])
        turns = s2 * np.array([-(2 * w[0] * w[1] + w[1] ** 2), w[0] ** 2])
        dw = np.linalg.solve(A, tau - weight - turns)
        return np.concatenate([w, dw, (R * i * i - 0.4 * (T - 293.15)) / 20, [-np.sum(duty * i) / 7200]])

    y = np.array([-1.0, 0.5, 0.0, 0.0, 293.15, 293.15, 1.0])
    for n in range(20):
        wanted = np.array([0.6, -0.4] if n % 2 == 0 else [-1.0, 0.5])
        y = solve_ivp(rates, (2.0 * n, 2.0 * n + 2), y, args=(wanted,), rtol=1e-10, atol=1e-11, method="DOP853", max_step=0.02).y[:, -1]
    compare("arm: shoulder at the end [rad]", y[0], -1.0100372, 1e-6)
    compare("arm: elbow at the end [rad]", y[1], 0.4943162, 1e-6)
    compare("arm: first winding [K]", y[4], 317.21264, 1e-3)
    compare("arm: second winding [K]", y[5], 302.91579, 1e-3)
    compare("arm: charge", y[6], 0.9940840, 1e-6)


if __name__ == "__main__":
    for system in (car_start, servo_drive, buck_converter, hydraulic_press, induction_start, heated_tank, crane, battery_arm):
        system()
    sys.exit(failed)
