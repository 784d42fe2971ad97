"""A run beside measured data: which heat loss explains how a cup cooled down?

`cup.csv` holds the time [s] and the temperature [K] of a cup, every minute, read to a tenth of a
degree. The data were made up for this example from a loss of 0.9 W/K, with errors of 0.2 K. The
model is run for several losses, and the one with the least sum of squares is refined by a parabola.
Expect a loss within 2 % of 0.9 W/K, what is left to be as large as the errors, and a figure
that shows both.
"""

from __future__ import annotations

import math
import os
import tempfile
from typing import List

import segue

TEXT = """
using Modia
Cup = Model(C = 950.0u"J/K", loss = 0.5u"W/K", T_air = 293.0u"K", T = Var(init = 363.0u"K"),
    equations = :[C*der(T) = loss*(T_air - T)])
"""


def deviations(model: segue.Model, loss: float, measured: segue.Result) -> List[float]:
    """Simulated minus measured, at the times of the measurements, where points are stored."""
    model["loss"] = loss
    run = model.run(stop=measured.time[-1], tolerance=1e-8, interval=60)
    assert len(run.time) == len(measured.time)
    return [float(a - b) for a, b in zip(run["T"], measured["T"])]


def main() -> None:
    measured = segue.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "cup.csv"))
    model = segue.loads(TEXT)

    def squares(loss: float) -> float:
        return sum(d * d for d in deviations(model, loss, measured))

    losses = [0.4 + 0.1 * k for k in range(12)]
    best = min(losses, key=squares)
    for h in (0.1, 0.02, 0.005):  # a parabola through three points, closer each time
        left, middle, right = squares(best - h), squares(best), squares(best + h)
        best += 0.5 * h * (left - right) / (left - 2 * middle + right)
    left_over = math.sqrt(squares(best) / len(measured.time))
    print(f"loss = {best:.3f} W/K, what is left: {left_over:.2f} K")
    assert model.result is not None
    figure = model.result.plot("T", against=[measured], heading="a cup: run and measurement")
    path = os.path.join(tempfile.gettempdir(), f"cup-{os.getpid()}.svg")
    figure.save(path)
    print(f"{os.path.getsize(path)} bytes of SVG")
    os.remove(path)
    assert abs(best - 0.9) < 0.02 * 0.9 and left_over < 0.3


if __name__ == "__main__":
    main()
