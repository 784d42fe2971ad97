#!/usr/bin/env python3
"""Exports models as FMUs, validates and runs them with FMPy, and compares with `segue run`.

    check.py --segue SEGUE --tools FOLDER [--importer PROGRAM] [--table FILE] LIST|MODEL.jl...

FOLDER holds FMPy (src/fmpy below FMPy); without it, or without the packages FMPy needs, the status is 77.
A LIST is a text file with a line for each model: its path, and which kinds fit (cs, me, both). With an
importer the FMUs of model exchange run as well.

What is compared: all states and outputs, which are what a tolerance is about (all real variables of a model
that shows none of these), at the same 501 points.
What with: a converged run, `segue run` at a hundredth of the tolerance. Differences count relative to the
size of the signal (the largest value of any element of it in that run).
The rule: an FMU may be ten times as far from the converged run as the tolerance says, or as `segue run`
itself is, whichever is more. How far that is, is the larger figure of two runs, at the tolerance and at
half of it, since a single one may be right by luck. Ten is a digit: other lengths of steps change an error by
less than that, a wrong model by more.
FMUs of co-simulation have Segue's solver and run at the tolerance. Those of model exchange are in the hands of a
foreign solver that weighs errors its own way: by |x| and nominals, while Segue's also goes by how much of |x|
counts (a body 1 m away that is pressed in by 1 um). So the same tolerance is not the same accuracy. What is to be
tried there is the model: the importer runs at the tolerance of the converged run, and the same rule holds.
What nobody knows is not compared: a run counts up to the first point where runs at a thirtieth and at a
hundredth of the tolerance differ by a hundredth of the size of a signal. Behind it the model is chaotic.
Models that are so before a tenth of their time are left out, by this rule alone, and the table says so.
Where the converged run jumps within ten tolerances of the whole time of a point, any value between those
before and behind the jump is right.
"""
import argparse
import bisect
import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile

TIMES = 10.0  # as far from the converged run as the tolerance, or as `segue run`
KNOWN = 1e-2  # of the size of a signal: converged runs that differ by more say nothing
LEAST = 0.1  # of the time of a run is known, or the model is left out
CONVERGED, NEARLY, HALF = 1 / 100, 1 / 30, 1 / 2  # of the tolerance
JUMP = 10.0  # tolerances of the whole time: so much an event may move
LONGEST = 900  # of any one run [s]


def read_table(fmu):
    """Names by value reference, and the experiment, of resources/segue.txt."""
    names, keys = {}, {}
    with zipfile.ZipFile(fmu) as z:
        lines = z.read("resources/segue.txt").decode().splitlines()
    for line in lines:
        key, _, rest = line.partition(" ")
        if key != "v":
            keys[key] = rest
            continue
        first, n, kind, name = rest.split(" ", 3)
        for k in range(int(n)):
            names[int(first) + k] = (name, k, int(n), kind)
    return names, keys


def run_segue(segue, model, folder, *options):
    """The columns of the last run of the file, by name, and the names of its states."""
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run([segue, "run", "-q", *options, "--result-format", "csv", "-o", folder, model],
                          capture_output=True, text=True, timeout=LONGEST)
    files = [f for f in os.listdir(folder) if f.endswith(".csv") and not f.endswith(".units.csv")
             and not f.endswith(".contacts.csv")] if os.path.isdir(folder) else []
    if not files:
        raise RuntimeError("segue run wrote no result: " + done.stderr[-300:])
    newest = max(files, key=lambda f: os.stat(os.path.join(folder, f)).st_mtime_ns)
    with open(os.path.join(folder, newest)) as f:
        rows = list(csv.reader(f))
    info = json.loads(subprocess.run([segue, "info", "--json", os.path.join(folder, newest[:-4] + ".segue")],
                                     capture_output=True, text=True).stdout)
    states = {s["name"] for s in info["signals"] if s["state"]}
    columns = {}
    for i, name in enumerate(rows[0]):
        columns[name] = [float(r[i]) if r[i] not in ("", "missing") else float("nan") for r in rows[1:]]
    return columns, states


def differs(times, values, t, y, shift):
    """How far y is from the curve at t; a jump may lie a little earlier or later."""
    at = bisect.bisect_left(times, t - 1e-12 * abs(t))
    here = []
    for i in range(at, len(times)):  # all points of this very instant
        if times[i] > t + 1e-12 * abs(t):
            break
        here.append(values[i])
    if not here and 0 < at < len(times):
        part = (t - times[at - 1]) / (times[at] - times[at - 1])
        here.append(values[at - 1] + part * (values[at] - values[at - 1]))
    near = values[bisect.bisect_left(times, t - shift):bisect.bisect_right(times, t + shift)] + here
    if y != y:  # the signal is not there
        return 0.0 if any(v != v for v in near) or not near else float("inf")
    near = [v for v in near if v == v]
    if not near:
        return float("inf")
    return max(min(near) - y, y - max(near), 0.0)


def stem(name):
    return name.split("[")[0] if name.endswith("]") else name


def sizes_of(columns):
    sizes = {}
    for name, values in columns.items():
        size = max((abs(v) for v in values if v == v), default=0.0)
        sizes[stem(name)] = max(size, sizes.get(stem(name), 0.0))
    return sizes


def compare(exact, curves, tolerance, until=float("inf")):
    """The largest difference of any signal up to that time, relative to its size, and whose it is; the
    number of signals; and the first time at which one is beyond what is known."""
    times = exact["time"]
    shift = JUMP * tolerance * (times[-1] - times[0])
    sizes = sizes_of(exact)
    worst, whose, n, unknown = 0.0, "", 0, float("inf")
    for name, (t_list, y_list) in curves.items():
        if name not in exact:
            continue
        n += 1
        # The absolute tolerance of a state is a tenth of the relative one.
        scale = sizes[stem(name)] + 0.1
        for t, y in zip(t_list, y_list):
            if t > until:
                break
            d = differs(times, exact[name], t, y, shift) / scale
            if d > worst:
                worst, whose = d, "%s at %.6g s" % (name, t)
            if d > KNOWN:
                unknown = min(unknown, t)
    if not n:
        raise RuntimeError("no signal to compare")
    return worst, whose, n, unknown


class Reference:
    """What is known of a model: its converged run, up to when, and how exact `segue run` is."""

    def __init__(self, segue, model, folder, keys, names):
        self.tolerance = tolerance = float(keys.get("tolerance", 1e-6))
        self.start, self.stop = float(keys["start"]), float(keys["stop"])
        grid = ["--interval", repr((self.stop - self.start) / 500.0)]
        self.points = [self.start + i * (self.stop - self.start) / 500.0 for i in range(501)]

        def run(part):
            return run_segue(segue, model, os.path.join(folder, "run"), *grid, "--tol", repr(tolerance * part))

        def error():
            return max(compare(self.exact, self.at_points(run(part)[0]), tolerance, self.before)[0]
                       for part in (1.0, HALF))

        self.exact, states = run(CONVERGED)
        self.wanted = wanted_of(names, self.exact, states)
        self.until = compare(self.exact, self.at_points(run(NEARLY)[0]), tolerance)[3]
        self.ours = error() if self.known else 0.0  # how far `segue run` is from the converged run

    def at_points(self, columns):
        """Only what a tool with the same grid sees: not the points of events."""
        times, curves = columns["time"], {}
        rows = []
        for t in self.points:
            i = bisect.bisect_right(times, t + 1e-12 * abs(t)) - 1  # the last one of this instant
            if i >= 0 and abs(times[i] - t) <= 1e-9 * (abs(t) + self.stop - self.start):
                rows.append(i)
        for name in self.wanted.values():
            if name in columns:
                curves[name] = ([times[i] for i in rows], [columns[name][i] for i in rows])
        return curves

    @property
    def before(self):
        """The last time that is compared."""
        return self.until - 0.25 * (self.stop - self.start) / 500.0

    @property
    def known(self):
        return self.until > self.start + LEAST * (self.stop - self.start)

    def judge(self, curves):
        theirs, whose, n, _ = compare(self.exact, curves, self.tolerance, self.before)
        good = theirs <= TIMES * max(self.ours, self.tolerance)
        text = "%8.2g, segue run %8.2g, tolerance %.0e, %d signals" % (theirs, self.ours, self.tolerance, n)
        if self.until < float("inf"):
            text += ", known until %.4g of %.4g s" % (self.until, self.stop)
        return good, text + ("" if good else ": " + whose)


def element_name(name, k, n, columns):
    """How the result calls the element of a signal."""
    if n == 1 and name in columns:
        return name
    for form in ("%s[%d]" % (name, k + 1),):
        if form in columns:
            return form
    return None


def wanted_of(names, columns, states):
    """Columns of states and outputs, by value reference; of all real variables where none of these is seen."""
    wanted, others = {}, {}
    for reference, (name, k, n, type_role) in names.items():
        column = element_name(name, k, n, columns)
        if column and type_role[0] == "r" and (type_role[1] == "o" or name in states):
            wanted[reference] = column
        elif column and type_role[:2] == "rl":
            others[reference] = column
    return wanted or others


def simulate(fmu, wanted, interval):
    from fmpy import read_model_description, simulate_fmu
    description = read_model_description(fmu)
    by_reference = {v.valueReference: v.name for v in description.modelVariables}
    result = simulate_fmu(fmu, fmi_type="CoSimulation", output=[by_reference[r] for r in wanted],
                          output_interval=interval, validate=False)
    times = [float(t) for t in result["time"]]
    return {column: (times, [float(y) for y in result[by_reference[r]]]) for r, column in wanted.items()}


def run_importer(importer, fmu, wanted, folder, tolerance):
    """The same by our own importer, which writes a table with value references in its head."""
    out = os.path.join(folder, "me.csv")
    done = subprocess.run([importer, fmu, out, "--tolerance", repr(tolerance)], capture_output=True, text=True, timeout=LONGEST)
    if done.returncode:
        raise RuntimeError("importer: " + (done.stderr or done.stdout)[-300:])
    with open(out) as f:
        rows = list(csv.reader(f))
    times = [float(r[0]) for r in rows[1:]]
    curves = {}
    for i, head in enumerate(rows[0]):
        if i > 0 and int(head) in wanted:
            curves[wanted[int(head)]] = (times, [float(r[i]) for r in rows[1:]])
    return curves


def check_model(args, model, kinds, scratch):
    """Rows of the table: version and kind, and what came out."""
    from fmpy.validation import validate_fmu
    name = os.path.basename(model)[:-3]
    folder = os.path.join(scratch, name)
    os.makedirs(folder, exist_ok=True)
    reference = None
    rows = []
    for version in ("2", "3"):
        fmu = os.path.join(folder, "%s%s.fmu" % (name, version))
        done = subprocess.run([args.segue, "export", model, "--fmu", version, "--kind", kinds,
                               "-o", fmu], capture_output=True, text=True)
        if done.returncode:
            rows.append((version, kinds, "FAILED", "export: " + done.stderr.strip()[-200:]))
            continue
        problems = validate_fmu(fmu)
        if problems:
            rows.append((version, kinds, "FAILED", "validate: " + "; ".join(problems)[:300]))
            continue
        if not reference:
            names, keys = read_table(fmu)
            reference = Reference(args.segue, model, folder, keys, names)
        if not reference.known:
            rows.append((version, kinds, "left out", "validated; chaotic from %.4g of %.4g s on"
                         % (reference.until, reference.stop)))
            continue
        for kind in ("cs", "me"):
            if kinds not in (kind, "both") or (kind == "me" and not args.importer):
                continue
            try:
                if kind == "cs":
                    curves = simulate(fmu, reference.wanted, (reference.stop - reference.start) / 500.0)
                else:
                    curves = run_importer(args.importer, fmu, reference.wanted, folder,
                                          CONVERGED * reference.tolerance)
                good, text = reference.judge(curves)
                rows.append((version, kind, "ok" if good else "FAILED", text))
            except Exception as e:  # a row of the table, not the end of the check
                rows.append((version, kind, "FAILED", str(e)[-300:].replace("\n", " ")))
    if not args.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return rows


def models_of(arguments):
    for argument in arguments:
        if argument.endswith(".jl"):
            yield argument, "cs"
            continue
        root = os.path.dirname(os.path.abspath(argument))
        for line in open(argument):
            words = line.split("#")[0].split()
            if words:
                yield os.path.normpath(os.path.join(root, words[0])), words[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--segue", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--importer")
    parser.add_argument("--kind", help="instead of what the list says")
    parser.add_argument("--every", type=int, default=1, help="only each n-th model of the list")
    parser.add_argument("--table")
    parser.add_argument("--scratch", default="fmu-check")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("models", nargs="+")
    args = parser.parse_args()
    args.segue = os.path.abspath(args.segue)
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(args.tools, "FMPy", "src"))
    try:
        import fmpy  # noqa: F401
        import lark  # noqa: F401
        import lxml  # noqa: F401
    except ImportError as e:
        print("skipped: FMPy cannot be used here:", e)
        return 77
    failed, left_out, n_runs, n_models, lines = 0, 0, 0, 0, []
    for model, kinds in list(models_of(args.models))[::args.every]:
        n_models += 1
        try:
            rows = check_model(args, model, args.kind or kinds, args.scratch)
        except Exception as e:
            rows = [("-", "-", "FAILED", str(e)[-300:])]
        for version, kind, verdict, text in rows:
            n_runs += 1
            failed += verdict == "FAILED"
            left_out += verdict == "left out"
            line = "%-8s %-24s FMI %s %-4s %s" % (verdict, os.path.basename(model)[:-3], version, kind, text)
            lines.append(line)
            print(line, flush=True)
    line = "%d models, %d runs, %d left out, %d failed" % (n_models, n_runs, left_out, failed)
    print(line)
    if args.table:
        with open(args.table, "w") as f:
            f.write("\n".join(lines + [line]) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
