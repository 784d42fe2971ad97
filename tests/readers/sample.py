"""What must be in the sample: the formulas of src/result/sample_test.c, written down again."""
import math

MISSING = None


def points():
    return [(segment, segment + 0.1 * i) for segment in (0, 1) for i in range(11)]


# name -> f(segment, t), one scalar a name; None where the signal does not exist
SIGNALS = {
    "time": lambda s, t: t,
    "phi": lambda s, t: math.cos(t),
    "der(phi)": lambda s, t: -math.sin(t),
    "body.r[1]": lambda s, t: t,
    "body.r[2]": lambda s, t: 2 * t,
    "body.r[3]": lambda s, t: math.nan if s else 5.0,
    "body.R[1,1]": lambda s, t: 1.0,
    "body.R[2,1]": lambda s, t: 2 * t,
    "body.R[1,2]": lambda s, t: 3 * t,
    "body.R[2,2]": lambda s, t: 4 * t,
    "w": lambda s, t: -math.sin(t),
    "minus": lambda s, t: -math.cos(t),
    "ground": lambda s, t: 0.0,
    "late.s": lambda s, t: t - 1 if s else MISSING,
}

UNITS = {"phi": "rad", "body.r[1]": "m", "late.s": "m"}
failures = []


def same(what, found, expected):
    """Exactly the same double; a NaN is any NaN."""
    both_nan = found != found and expected is not None and expected != expected
    if not both_nan and found != expected:
        failures.append(f"{what}: found {found!r}, expected {expected!r}")


def check(name, values, missing=MISSING, nan=math.nan):
    """Compares a series; `missing` and `nan` say how the format spells the two."""
    rows = points()
    if len(values) != len(rows):
        failures.append(f"{name}: {len(values)} points, expected {len(rows)}")
        return
    for value, (segment, t) in zip(values, rows):
        expected = SIGNALS[name](segment, t)
        if expected is None:
            expected = missing
        elif expected != expected:
            expected = nan
        same(f"{name} at {t}", value, expected)


def done():
    for failure in failures[:20]:
        print(failure)
    raise SystemExit(1 if failures else 0)
