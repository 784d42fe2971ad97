"""Gains of a PID controller by SciPy's optimizer: the arm of a motor is to reach 1 rad quickly.

The cost is the integral of time times error, plus a little for effort. Each evaluation sets three
parameters and runs the model again; nothing is translated anew. Expect a cost of less than half of
that of the first guess, and an arm that has arrived after 2 s.
"""

from __future__ import annotations

import sys
from typing import Any

import segue

try:
    import numpy as np
    from scipy.optimize import minimize
except ImportError:
    print("this example needs numpy and scipy")
    sys.exit(77)

TEXT = """
using Modia
# An arm on a motor with a slow current; friction and gravity disturb it.
Servo = Model(kp = 2.0, ki = 0.5, kd = 0.2, J = 0.05, d = 0.1, T = 0.02,
    phi = Var(init = 0.0), w = Var(init = 0.0), torque = Var(init = 0.0), sum = Var(init = 0.0),
    equations = :[
        e = 1.0 - phi
        der(sum) = e
        u = kp*e + ki*sum - kd*w
        T*der(torque) = u - torque
        der(phi) = w
        J*der(w) = torque - d*w - 0.3*sin(phi)
    ])
"""


def cost(gains: Any, model: segue.Model) -> float:
    kp, ki, kd = np.exp(gains)  # they stay positive
    model.set(kp=kp, ki=ki, kd=kd)
    r = model.run(stop=4, tolerance=1e-6, interval=0.01)
    t, e, u = r.time, r["e"], r["u"]
    return float(np.trapz(t * np.abs(e) + 1e-4 * u**2, t))


def main() -> None:
    model = segue.loads(TEXT)
    first = np.log([2.0, 0.5, 0.2])
    before = cost(first, model)
    found = minimize(cost, first, args=(model,), method="Nelder-Mead", options={"xatol": 0.02, "fatol": 1e-4})
    kp, ki, kd = np.exp(found.x)
    cost(found.x, model)
    result = model.result
    assert result is not None
    late = np.abs(result["e"][result.time > 2.0]).max()
    print(f"kp = {kp:.3g}, ki = {ki:.3g}, kd = {kd:.3g} after {found.nfev} runs")
    print(f"cost {before:.4f} -> {found.fun:.4f}; largest error after 2 s: {late:.4f} rad")
    assert found.fun < 0.5 * before and late < 0.02


if __name__ == "__main__":
    main()
