#!/usr/bin/env python3
"""Elements of arrays in FMUs, set before anything is computed: the others are what they would be.

    arrays.py X2.fmu X3.fmu

Both are of the model in tests/cli/fmus_of_models.sh: x' = 0, x(0) = [p, 2*p, 3*p], y = x + q with vectors x and q.
"""
import sys

import misuse
from misuse import ERROR, OK, P, Fmu, check


def start_values(fmu, exchange):
    i = fmu.instance(exchange=exchange)
    x, q, y = fmu.refs["x"], fmu.refs["q"], fmu.refs["y"]
    check(fmu.set(i, x + 1, 7.0) == OK, "one element of a start value can be set before the initialization")
    check(fmu.get(i, x + 1) == (OK, 7.0), "and read back")
    check(fmu.get(i, x)[0] == ERROR, "the others are not known yet")
    check(fmu.set(i, q + 2, 0.5) == OK and fmu.get(i, q) == (OK, 0.0), "elements of parameters are")
    check(fmu.set(i, "p", 10.0) == OK, "a parameter that the others depend on")
    check(fmu.enter(i, 1.0) == OK, "it begins")
    check([fmu.get(i, x + k)[1] for k in range(3)] == [10.0, 7.0, 30.0], "the others follow the parameter")
    check(fmu.set(i, x, 1.0) == OK and fmu.get(i, y + 1) == (OK, 7.0), "another one is set")
    check(fmu.f("ExitInitializationMode")(P(i)) == OK, "it runs")
    check([fmu.get(i, y + k)[1] for k in range(3)] == [1.0, 7.0, 30.5], "from all of that")
    check(fmu.f("Reset")(P(i)) == OK and fmu.enter(i, 1.0) == OK, "it is reset")
    check([fmu.get(i, x + k)[1] for k in range(3)] == [2.0, 4.0, 6.0], "and all is as it was")
    fmu.free(i)


def main():
    for path in sys.argv[1:3]:
        for exchange in (False, True):
            start_values(Fmu(path), exchange)
    print("%d checks, %d failed" % (misuse.n_checks, misuse.failed))
    return min(misuse.failed, 100)


if __name__ == "__main__":
    sys.exit(main())
