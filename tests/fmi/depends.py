#!/usr/bin/env python3
"""What an FMU says of dependencies, against what it computes.

    depends.py X.fmu...

Each is one of FMI 3.0 with model exchange. States and inputs are moved one by one, near where the model begins and further
away, in continuous time and through an event; a derivative or an output of which other bits come out must name what was moved.
"""
import ctypes
import re
import shutil
import sys
import zipfile

from misuse import D, OK, P, Z, Fmu


class Exchange:
    def __init__(self, path):
        self.fmu = Fmu(path)
        xml = zipfile.ZipFile(path).read("modelDescription.xml").decode()
        element = re.compile(r"<(\w+) ([^>]*)/>")
        self.inputs, self.rows, state_of, rates = [], {}, {}, []
        for tag, text in element.findall(xml):
            a = dict(re.findall(r'(\w+)="([^"]*)"', text))
            if "causality" in a and a["causality"] == "input" and tag == "Float64":
                self.inputs.append(int(a["valueReference"]))
            if "derivative" in a:
                state_of[int(a["valueReference"])] = int(a["derivative"])
            if tag in ("Output", "ContinuousStateDerivative"):
                r = int(a["valueReference"])
                self.rows[r] = None if "dependencies" not in a else {int(k) for k in a["dependencies"].split()}
                if tag == "ContinuousStateDerivative":
                    rates.append(r)
        self.states = [state_of[r] for r in rates]

    def values(self, x, u, event):
        """All rows for these states and inputs, and what the event made of the states."""
        f, i = self.fmu, self.fmu.ready(exchange=True)
        flags = [ctypes.byref(ctypes.c_bool()) for _ in range(5)]
        assert f.lib.fmi3UpdateDiscreteStates(P(i), *flags, ctypes.byref(D())) == OK
        assert f.lib.fmi3EnterContinuousTimeMode(P(i)) == OK
        n = len(self.states)
        start = (D * (n + 1))()
        assert f.lib.fmi3GetContinuousStates(P(i), start, Z(n)) == OK
        now = (D * (n + 1))(*[start[k] + x[k] for k in range(n)])
        assert f.lib.fmi3SetContinuousStates(P(i), now, Z(n)) == OK
        for r, by in zip(self.inputs, u):
            f.set(i, r, f.get(i, r)[1] + by)
        if event:
            assert f.lib.fmi3EnterEventMode(P(i)) == OK
            assert f.lib.fmi3UpdateDiscreteStates(P(i), *flags, ctypes.byref(D())) == OK
            assert f.lib.fmi3GetContinuousStates(P(i), now, Z(n)) == OK
        found = {r: y for r, (status, y) in ((r, f.get(i, r)) for r in self.rows) if status == OK}
        f.free(i)
        return found, list(now)[:n]

    def check(self):
        n, m, wrong = len(self.states), len(self.inputs), 0
        for event in (False, True):
            for size in (0.0, 0.3, -0.7):
                x, u = [size / (k + 1) for k in range(n)], [size * (k + 1) for k in range(m)]
                here, before = self.values(x, u, event)
                for k in range(n + m):
                    for by in (1e-3, 1.5, -2.5):
                        y = [v + (by if j == k else 0.0) for j, v in enumerate(x + u)]
                        moved = (self.states + self.inputs)[k]
                        there, after = self.values(y[:n], y[n:], event)
                        if any(before[j] != after[j] for j in range(n) if j != k):
                            continue  # set anew by the event, so more than one was moved
                        for r, known in self.rows.items():
                            if known is None or moved in known or r not in here or r not in there:
                                continue  # nothing said, or no value there: an assertion fails
                            if here[r] != there[r]:
                                wrong += 1
                                print("%d depends on %d, which is not said: %r, %r" % (r, moved, here[r], there[r]))
        return wrong


def main():
    wrong = 0
    for path in sys.argv[1:]:
        exchange = Exchange(path)
        wrong += exchange.check()
        named = sum(known is not None for known in exchange.rows.values())
        print("%s: %d of %d rows say what they depend on" % (path, named, len(exchange.rows)))
        wrong += named == 0
        shutil.rmtree(exchange.fmu.folder)
    return min(wrong, 100)


if __name__ == "__main__":
    sys.exit(main())
