#!/usr/bin/env python3
"""Calls an FMU of Segue wrongly, and in the order that the standard allows but few tools use.

    misuse.py X2.fmu X3.fmu

Both are examples/events/bouncing_ball.jl, exported with --kind both. Needs nothing but Python: the functions
are called as they are. Each check is a sentence; the status is the number of those that do not hold.
"""
import ctypes
import os
import shutil
import struct
import sys
import tempfile
import zipfile

D, U, Z = ctypes.c_double, ctypes.c_uint, ctypes.c_size_t
P = ctypes.c_void_p
OK, DISCARD, ERROR = 0, 2, 3
LOG2 = ctypes.CFUNCTYPE(None, P, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
LOG3 = ctypes.CFUNCTYPE(None, P, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p)
UPDATE = ctypes.CFUNCTYPE(None, P, D, ctypes.c_bool, ctypes.c_bool, ctypes.c_bool, ctypes.c_bool,
                          ctypes.POINTER(ctypes.c_bool), ctypes.POINTER(D))
messages = []
failed = 0
n_checks = 0
keep = []


def check(holds, sentence):
    global failed, n_checks
    n_checks += 1
    if not holds:
        failed += 1
        print("FAILED:", sentence, "| last message:", messages[-1] if messages else "-")


class Callbacks(ctypes.Structure):
    _fields_ = [("logger", LOG2), ("allocate", P), ("free", P), ("finished", P), ("environment", P)]


def log2(environment, instance, status, category, message):
    messages.append((message or b"").decode())  # as importers do that show the format alone


def log3(environment, status, category, message):
    messages.append((message or b"").decode())


class Fmu:
    """One unpacked FMU, with its library."""

    def __init__(self, path):
        self.folder = tempfile.mkdtemp(dir=".")
        with zipfile.ZipFile(path) as z:
            z.extractall(self.folder)
            xml = z.read("modelDescription.xml").decode()
            table = z.read("resources/segue.txt").decode()
            names = [n for n in z.namelist() if n.startswith("binaries/") and n.endswith(".so")]
        self.folder = os.path.abspath(self.folder)
        self.version = 2 if 'fmiVersion="2.0"' in xml else 3
        self.token = [line[6:] for line in table.splitlines() if line.startswith("token ")][0].encode()
        self.refs = {}
        for line in table.splitlines():
            if line.startswith("v "):
                _, first, n, kind, name = line.split(" ", 4)
                self.refs[name] = int(first)
        self.lib = ctypes.CDLL(os.path.join(self.folder, names[0]))
        self.prefix = "fmi%d" % self.version
        for name in ("Instantiate", "InstantiateCoSimulation", "InstantiateModelExchange"):
            if self.prefix == "fmi2" and name == "Instantiate" or self.prefix == "fmi3" and name != "Instantiate":
                getattr(self.lib, self.prefix + name).restype = P

    def f(self, name):
        return getattr(self.lib, self.prefix + name)

    def instance(self, exchange=False, token=None, resources=None, events=False, early=False, update=None):
        folder = os.path.join(self.folder, "resources") if resources is None else resources
        token = self.token if token is None else token
        if self.version == 2:
            callbacks = Callbacks(LOG2(log2), None, None, None, None)
            keep.append(callbacks)
            return self.f("Instantiate")(b"i", 0 if exchange else 1, token, ("file://" + folder).encode(),
                                         ctypes.byref(callbacks), 0, 0)
        log = LOG3(log3)
        keep.append(log)
        if exchange:
            return self.f("InstantiateModelExchange")(b"i", token, folder.encode(), False, False, None, log)
        keep.append(update)
        return self.f("InstantiateCoSimulation")(b"i", token, folder.encode(), False, False,
                                                 ctypes.c_bool(events), ctypes.c_bool(early), None, Z(0), None, log,
                                                 update)

    def enter(self, i, stop=3.0):
        if self.version == 2:
            a = self.f("SetupExperiment")(P(i), 0, D(0), D(0), 1 if stop else 0, D(stop or 0))
            return a or self.f("EnterInitializationMode")(P(i))
        return self.f("EnterInitializationMode")(P(i), False, D(0), D(0), ctypes.c_bool(bool(stop)), D(stop or 0))

    def ready(self, stop=3.0, **how):
        i = self.instance(**how)
        check(i, "an instance is made")
        check(self.enter(i, stop) == OK, "the initialization begins")
        check(self.f("ExitInitializationMode")(P(i)) == OK, "the initialization ends")
        return i

    def get(self, i, name, n=1):
        value, ref = D(), U(name if isinstance(name, int) else self.refs[name])
        if self.version == 2:
            status = self.f("GetReal")(P(i), ctypes.byref(ref), Z(n), ctypes.byref(value))
        else:
            status = self.f("GetFloat64")(P(i), ctypes.byref(ref), Z(n), ctypes.byref(value), Z(n))
        return status, value.value

    def set(self, i, name, x):
        value, ref = D(x), U(name if isinstance(name, int) else self.refs[name])
        if self.version == 2:
            return self.f("SetReal")(P(i), ctypes.byref(ref), Z(1), ctypes.byref(value))
        return self.f("SetFloat64")(P(i), ctypes.byref(ref), Z(1), ctypes.byref(value), Z(1))

    def step(self, i, t, h):
        if self.version == 2:
            return self.f("DoStep")(P(i), D(t), D(h), 1)
        event, ends, early, reached = ctypes.c_bool(), ctypes.c_bool(), ctypes.c_bool(), D()
        status = self.f("DoStep")(P(i), D(t), D(h), True, ctypes.byref(event), ctypes.byref(ends),
                                  ctypes.byref(early), ctypes.byref(reached))
        self.event, self.early, self.reached = event.value, early.value, reached.value
        return status

    def free(self, i):
        self.f("FreeInstance")(P(i))


def height(t, v0=0.0, h0=1.0):
    """Of the ball, before its second impact."""
    t1 = (2 * h0 / 9.81) ** 0.5
    if t <= t1:
        return h0 - 9.81 * t * t / 2
    v, s = 0.7 * 9.81 * t1, t - t1
    return v * s - 9.81 * s * s / 2


def wrong_calls(fmu):
    check(not fmu.instance(token=b"{another}"), "another token makes no instance")
    check(not fmu.instance(resources="/nowhere"), "a folder that is not there makes no instance")
    i = fmu.instance()
    check(fmu.step(i, 0.0, 0.1) == ERROR, "no step before the initialization")
    check(fmu.f("ExitInitializationMode")(P(i)) == ERROR, "no end of an initialization that did not begin")
    check(fmu.f("Terminate")(P(i)) == ERROR, "no end before the beginning")
    check(fmu.get(i, "h")[0] in (OK, ERROR), "a state may be known before")
    check(fmu.get(i, "der(h)")[0] == ERROR, "a derivative has no value before the initialization")
    check(fmu.set(i, 99999, 1.0) == ERROR, "an unknown reference cannot be set")
    check(fmu.get(i, 99999)[0] == ERROR, "an unknown reference cannot be read")
    check("99999" in messages[-1], "the message names the reference")
    check(fmu.set(i, "g", float("nan")) == ERROR, "NaN is no value")
    check(fmu.set(i, "g", float("inf")) == ERROR, "infinity is no value")
    check(fmu.set(i, "der(h)", 1.0) == ERROR, "what is computed cannot be set")
    check(fmu.get(i, fmu.refs["resting"])[0] == ERROR, "a Boolean is no real number")
    check(fmu.enter(i) == OK, "all of that did no harm")
    check(fmu.enter(i) == ERROR, "no second initialization")
    check(fmu.f("ExitInitializationMode")(P(i)) == OK, "and it ends")
    check(fmu.set(i, "g", 1.0) == ERROR, "parameters are fixed while it runs")
    check(fmu.step(i, 0.5, 0.1) == ERROR, "a step begins where the model stands")
    check(fmu.step(i, 0.0, -0.1) == ERROR, "steps have a positive length")
    check(fmu.step(i, 0.0, float("nan")) == ERROR, "NaN is no length")
    check(fmu.step(i, 0.0, 5.0) == ERROR, "no step leads beyond the stop time")
    check(fmu.step(i, 0.0, 0.3) == OK, "all of that did no harm")
    check(abs(fmu.get(i, "h")[1] - height(0.3)) < 1e-5, "and the ball falls")
    check(fmu.f("EnterContinuousTimeMode")(P(i)) == ERROR, "co-simulation has no continuous-time mode")
    if fmu.version == 2:
        check(fmu.lib.fmi2CancelStep(P(i)) == ERROR, "there is no step to be canceled")
    check(fmu.f("Terminate")(P(i)) == OK, "it ends")
    check(fmu.step(i, 0.3, 0.1) == ERROR, "no step after the end")
    check(fmu.get(i, "h")[0] == OK, "values stay")
    fmu.free(i)
    fmu.free(None)


def reset_and_values(fmu):
    i = fmu.instance()
    check(fmu.set(i, "g", 1.0) == OK, "a parameter can be set")
    check(fmu.get(i, "g") == (OK, 1.0), "and read back")
    fmu.enter(i)
    check(fmu.set(i, "h", 2.0) == OK, "a start value can be set")
    check(fmu.get(i, "der(v)") == (OK, -1.0), "what is computed is known during the initialization")
    check(fmu.set(i, "g", 2.0) == OK and fmu.get(i, "der(v)") == (OK, -2.0), "and follows what is set")
    check(fmu.f("ExitInitializationMode")(P(i)) == OK and fmu.step(i, 0.0, 1.0) == OK, "it runs")
    check(abs(fmu.get(i, "h")[1] - 1.0) < 1e-5, "with these values")
    check(fmu.f("Reset")(P(i)) == OK, "it can be reset")
    check(fmu.get(i, "g") == (OK, 9.81), "which takes back what was set")
    fmu.enter(i)
    check(fmu.f("ExitInitializationMode")(P(i)) == OK and fmu.step(i, 0.0, 0.3) == OK, "it runs again")
    check(abs(fmu.get(i, "h")[1] - height(0.3)) < 1e-5, "with the old values")
    fmu.free(i)


def states(fmu):
    i, other = fmu.ready(), fmu.instance()
    t = 0.0
    for h in (0.1, 0.07, 0.13, 0.2, 0.01):
        check(fmu.step(i, t, h) == OK, "communication steps have any length")
        t += h
    state, size = P(), Z()
    check(fmu.f("GetFMUstate" if fmu.version == 2 else "GetFMUState")(P(i), ctypes.byref(state)) == OK, "a state is saved")
    s = "state" if fmu.version == 2 else "State"
    check(fmu.f("SerializedFMU%sSize" % s)(P(i), state, ctypes.byref(size)) == OK, "it has a size")
    data = ctypes.create_string_buffer(size.value)
    check(fmu.f("SerializeFMU" + s)(P(i), state, data, size) == OK, "and bytes")
    check(fmu.f("SerializeFMU" + s)(P(i), state, data, Z(1)) == ERROR, "which need room")
    fmu.step(i, t, 0.4)
    after = fmu.get(i, "h")[1]
    back = P()
    name = "DeSerializeFMUstate" if fmu.version == 2 else "DeserializeFMUState"
    bad = ctypes.create_string_buffer(data.raw[:size.value // 2])
    check(fmu.f(name)(P(other), bad, Z(size.value // 2), ctypes.byref(back)) == ERROR, "half a state is none")
    check(fmu.f(name)(P(other), data, size, ctypes.byref(back)) == OK, "another instance takes the bytes")
    check(fmu.f("SetFMU" + s)(P(other), back) == OK, "and stands there")
    check(fmu.step(other, t, 0.4) == OK, "goes on")
    check(struct.pack("d", fmu.get(other, "h")[1]) == struct.pack("d", after), "and comes to the same bits")
    check(fmu.f("SetFMU" + s)(P(i), state) == OK and fmu.step(i, t, 0.4) == OK, "the first one goes back, too")
    check(struct.pack("d", fmu.get(i, "h")[1]) == struct.pack("d", after), "to the same bits")
    fmu.f("FreeFMU" + s)(P(i), ctypes.byref(state))
    fmu.f("FreeFMU" + s)(P(other), ctypes.byref(back))
    fmu.free(i)
    fmu.free(other)


def many(fmu):
    all_ = [fmu.ready() for _ in range(3)]
    for k in range(3):
        for n, i in enumerate(all_):
            check(fmu.step(i, 0.1 * (n + 1) * k, 0.1 * (n + 1)) == OK, "instances run side by side")
    for n, i in enumerate(all_):
        t = 0.3 * (n + 1)
        check(abs(fmu.get(i, "h")[1] - height(t)) < 1e-4, "each at its own time")
        fmu.free(i)
    i = fmu.ready(stop=None)
    check(fmu.step(i, 0.0, 4.0) == OK and fmu.step(i, 4.0, 3.0) == OK, "an open end is open")
    fmu.free(i)


def events3(fmu):
    i = fmu.ready(events=True, early=True)
    check(fmu.step(i, 0.0, 1.0) == ERROR, "after the initialization comes event mode")
    flags = [ctypes.c_bool() for _ in range(5)]
    time = D()
    check(fmu.lib.fmi3UpdateDiscreteStates(P(i), *[ctypes.byref(f) for f in flags], ctypes.byref(time)) == OK
          and not flags[0].value, "which is over at once")
    check(fmu.lib.fmi3EnterStepMode(P(i)) == OK, "then steps")
    t, found = 0.0, []
    while t < 1.4:
        check(fmu.step(i, t, 1.4 - t) == OK, "steps end at events")
        t = fmu.reached
        if fmu.event:
            found.append(t)
            check(fmu.lib.fmi3EnterEventMode(P(i)) == OK, "event mode")
            check(fmu.lib.fmi3EnterStepMode(P(i)) == OK, "and back")
    t1 = (2 / 9.81) ** 0.5
    check(any(abs(x - t1) < 2e-6 for x in found), "the impact is told at its time: %s" % found)
    check(any(abs(x - 2.4 * t1) < 2e-5 for x in found), "and the next one: %s" % found)
    fmu.free(i)
    seen = []

    def update(environment, t, sets, gets, finished, can, wanted, when):
        seen.append(t)
        wanted[0] = can and t > 0.2
        when[0] = t

    i = fmu.ready(early=True, update=UPDATE(update))
    check(fmu.step(i, 0.0, 0.44) == OK and fmu.early and 0.2 < fmu.reached < 0.44, "the importer cancels a step")
    check(seen == sorted(seen) and seen, "points on the way come in order")
    check(abs(fmu.get(i, "h")[1] - height(fmu.reached)) < 1e-5, "and hold")
    check(fmu.step(i, fmu.reached, 0.1) == OK, "it goes on from there")
    fmu.free(i)


def exchange(fmu):
    i = fmu.ready(exchange=True)
    x = (D * 2)(0.0, 0.0)
    get = fmu.f("GetContinuousStates")
    check(get(P(i), x, Z(3)) == ERROR, "the number of states is known")
    check(get(P(i), x, Z(2)) == OK and list(x) == [1.0, 0.0], "states are read")
    check(fmu.f("SetContinuousStates")(P(i), x, Z(2)) == ERROR, "and not set in event mode")
    check(fmu.f("EnterContinuousTimeMode")(P(i)) == OK, "continuous-time mode")
    x[0] = float("nan")
    check(fmu.f("SetContinuousStates")(P(i), x, Z(2)) == ERROR, "NaN is no state")
    check(fmu.f("SetTime")(P(i), D(float("nan"))) == ERROR, "NaN is no time")
    check(fmu.step(i, 0.0, 0.1) == ERROR, "model exchange has no steps")
    indicators(fmu, i)
    fmu.free(i)


def indicators(fmu, i):
    """They are crossing functions of what is set, not of what has switched: a ball below the ground goes on falling
    until an event is asked for."""
    n = 8
    z = (D * n)()
    sizes = [k for k in range(1, n) if fmu.f("GetEventIndicators")(P(i), z, Z(k)) == OK]
    check(len(sizes) == 1, "the number of indicators is known")
    size = sizes[0]
    signs = []
    for h, v in ((0.5, -1.0), (0.1, -2.0), (-1e-6, -2.0), (-1e-3, -2.0), (0.1, -2.0)):
        x, dx = (D * 2)(h, v), (D * 2)()
        check(fmu.f("SetTime")(P(i), D(0.01)) == OK and fmu.f("SetContinuousStates")(P(i), x, Z(2)) == OK, "it moves")
        check(fmu.f("GetEventIndicators")(P(i), z, Z(size)) == OK, "indicators have values")
        check(0.0 not in list(z)[:size], "none is zero")
        signs.append([y > 0 for y in list(z)[:size]])
        name = "GetDerivatives" if fmu.version == 2 else "GetContinuousStateDerivatives"
        check(fmu.f(name)(P(i), dx, Z(2)) == OK and abs(dx[1] + 9.81) < 1e-12, "it falls, above and below")
    check(signs[0] == signs[1] == signs[4] != signs[2] == signs[3], "signs tell above from below: %s" % signs)


def main():
    for path in sys.argv[1:3]:
        fmu = Fmu(path)
        for part in (wrong_calls, reset_and_values, states, many, exchange):
            part(fmu)
        if fmu.version == 3:
            events3(fmu)
        shutil.rmtree(fmu.folder)
    print("%d checks, %d failed" % (n_checks, failed))
    return min(failed, 100)


if __name__ == "__main__":
    sys.exit(main())
