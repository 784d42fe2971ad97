"""A sweep in a pool of processes: how long does a capacitor take to charge, for fifty resistors?

A model can be pickled, so a pool takes it as it is: each process loads it once and runs its share.
Expect the time to 63 % to be R*C, to a part in a thousand.
"""

from __future__ import annotations

import multiprocessing
from typing import List, Tuple

import segue

TEXT = """
using Modia
Charge = Model(R = 1.0, C = 2.0, v = Var(init = 0.0),
    equations = :[C*der(v) = (10.0 - v)/R])
"""


def time_to_63_percent(task: Tuple[segue.Model, float]) -> Tuple[float, float]:
    model, R = task
    model["R"] = R
    result = model.run(stop=5 * R * model["C"], tolerance=1e-8, signals="v")
    level = 10.0 * (1.0 - 0.36787944117144233)
    time, v = result.time, result["v"]
    k = next(i for i in range(len(v)) if v[i] >= level)
    part = (level - v[k - 1]) / (v[k] - v[k - 1])
    return R, float(time[k - 1] + part * (time[k] - time[k - 1]))


def main() -> None:
    model = segue.loads(TEXT)
    values: List[float] = [0.5 + 0.1 * i for i in range(50)]
    with multiprocessing.Pool(4) as pool:
        found = pool.map(time_to_63_percent, [(model, R) for R in values], chunksize=5)
    for R, t in found[::10]:
        print(f"R = {R:4.1f} Ohm: {t:7.4f} s, R*C = {2 * R:7.4f} s")
    worst = max(abs(t - 2 * R) / (2 * R) for R, t in found)
    print(f"{len(found)} runs, largest deviation from R*C: {worst:.1e}")
    assert worst < 1e-3


if __name__ == "__main__":
    main()
