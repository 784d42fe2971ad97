#!/usr/bin/env python3
"""Exports models as FMUs, validates and runs them with FMPy, and compares with `segue run`.

    check.py --segue SEGUE --tools FOLDER [--importer PROGRAM] [--table FILE] LIST|MODEL.jl...

FOLDER holds FMPy (src/fmpy below FMPy); without it, or without the packages FMPy needs, the status is 77.
A LIST is a text file with a line for each model: its path, and which kinds fit (cs, me, both). With an
importer the FMUs of model exchange run as well.

What is compared: all states and outputs, which are what a tolerance is about (all real variables of a model
that shows none of these), at the same 501 points.
What with: a converged run, `segue run` at a hundredth of the tolerance. Differences count relative to the
size of the signal (the largest value of any element of it in that run) and a tenth, as tolerances do.
The rule: at that hundredth an FMU gives the values of `segue run` within the tolerance. Some models
magnify errors by so much that `segue run` itself is not known to the tolerance: it moves by `wobble` from
a thirtieth of the tolerance to a hundredth. There an FMU may be ten times as far away as that.
FMUs of co-simulation also run as importers do that say nothing, at the tolerance of the model: ten times as
far from the converged run as the tolerance says, or as `segue run` is at the tolerance and at half of it
(a single run may be right by luck). Ten is a digit: other lengths of steps change an error by less than that, a
wrong model by more.
FMUs of model exchange are in the hands of a foreign solver that weighs errors by |x| and nominals, while
Segue's also goes by how much of |x| counts (a body 1 m away that is pressed in by 1 um). Where its run at a
hundredth is too far away, it has one more at a ten-thousandth, by the same rule. If that one does not come to its
end in 100,000 steps, the run at a hundredth is judged like co-simulation at the tolerance, and is "coarse".
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

TIMES = 10.0  # as far from the converged run as `segue run`
KNOWN = 1e-2  # of the size of a signal: converged runs that differ by more say nothing
LEAST = 0.1  # of the time of a run is known, or the model is left out
CONVERGED, NEARLY, HALF, FINEST = 1 / 100, 1 / 30, 1 / 2, 1 / 10000  # of the tolerance
MOST_STEPS = 100000  # of a run at a ten-thousandth
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
        near = self.at_points(run(NEARLY)[0])
        self.until = compare(self.exact, near, tolerance)[3]
        self.wobble = compare(self.exact, near, tolerance, self.before)[0]
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

    def differ(self, curves):
        return compare(self.exact, curves, self.tolerance, self.before)

    def may(self, converged):
        """How far from the converged run an FMU may be."""
        if converged:
            return max(self.tolerance, TIMES * self.wobble)
        return TIMES * max(self.ours, self.tolerance)


class Run:
    """One FMU in one kind: its figures, and whether they are right."""

    def __init__(self, version, kind, reference=None):
        self.version, self.kind, self.reference = version, kind, reference
        self.verdict, self.text = "ok", ""
        self.plain = self.fine = self.finest = None  # at the tolerance, a hundredth and a ten-thousandth of it

    def fails(self, why):
        self.verdict, self.text = "FAILED", why[-300:].replace("\n", " ")
        return self

    def judge(self, difference, converged):
        theirs, whose, self.n, _ = difference
        if not theirs <= self.reference.may(converged):
            self.verdict, self.text = "FAILED", "%s off by %.2g" % (whose, theirs)
        return theirs

    def within(self):
        """Whether it equals `segue run` within the tolerance itself."""
        best = self.fine if self.finest is None else self.finest
        return best is not None and best <= self.reference.tolerance

    def __str__(self):
        if not self.reference or self.fine is None:
            return self.text
        r = self.reference
        text = "at 1/100 %8.2g" % self.fine
        text += "" if self.plain is None else ", at 1 %8.2g" % self.plain
        text += "" if self.finest is None else ", at 1/10000 %8.2g" % self.finest
        text += "; segue run %8.2g, wobble %8.2g, tolerance %.0e, %d signals" % (r.ours, r.wobble, r.tolerance, self.n)
        if r.until < float("inf"):
            text += ", known until %.4g of %.4g s" % (r.until, r.stop)
        return text + (": " + self.text if self.text else "")


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


def simulate(fmu, wanted, interval, tolerance=None):
    from fmpy import read_model_description, simulate_fmu
    description = read_model_description(fmu)
    by_reference = {v.valueReference: v.name for v in description.modelVariables}
    result = simulate_fmu(fmu, fmi_type="CoSimulation", output=[by_reference[r] for r in wanted],
                          output_interval=interval, relative_tolerance=tolerance, validate=False)
    times = [float(t) for t in result["time"]]
    return {column: (times, [float(y) for y in result[by_reference[r]]]) for r, column in wanted.items()}


def run_importer(importer, fmu, wanted, folder, tolerance, *options):
    """The same by our own importer, which writes a table with value references in its head."""
    out = os.path.join(folder, "me.csv")
    done = subprocess.run([importer, fmu, out, "--tolerance", repr(tolerance), *options], capture_output=True, text=True,
                          timeout=LONGEST)
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


def run_kind(args, run, fmu, folder):
    """All runs of one FMU in one kind."""
    r = run.reference
    interval = (r.stop - r.start) / 500.0
    try:
        if run.kind == "cs":
            run.plain = run.judge(r.differ(simulate(fmu, r.wanted, interval)), False)
            run.fine = run.judge(r.differ(simulate(fmu, r.wanted, interval, CONVERGED * r.tolerance)), True)
            return
        fine = r.differ(run_importer(args.importer, fmu, r.wanted, folder, CONVERGED * r.tolerance))
        run.fine = fine[0]
        if fine[0] > r.may(True):
            try:
                finest = r.differ(run_importer(args.importer, fmu, r.wanted, folder, FINEST * r.tolerance,
                                               "--most-steps", str(MOST_STEPS)))
                run.finest, fine = finest[0], finest
            except RuntimeError:
                run.verdict = "coarse"
        run.judge(fine, run.verdict != "coarse")
    except Exception as e:  # a row of the table, not the end of the check
        run.fails(str(e))


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
            rows.append(Run(version, kinds).fails("export: " + done.stderr.strip()))
            continue
        problems = validate_fmu(fmu)
        if problems:
            rows.append(Run(version, kinds).fails("validate: " + "; ".join(problems)))
            continue
        if not reference:
            names, keys = read_table(fmu)
            reference = Reference(args.segue, model, folder, keys, names)
        for kind in ("cs", "me"):
            if kinds not in (kind, "both") or (kind == "me" and not args.importer):
                continue
            run = Run(version, kind, reference)
            rows.append(run)
            if reference.known:
                run_kind(args, run, fmu, folder)
            else:
                run.verdict = "left out"
                run.text = "validated; chaotic from %.4g of %.4g s on" % (reference.until, reference.stop)
    if not args.keep:
        shutil.rmtree(folder, ignore_errors=True)
    return rows


def number(x):
    return "" if x is None else "0" if x == 0.0 else "%.1e" % x


def write_page(path, models, line):
    """The table as a page: both versions in one row, unless they differ."""
    with open(path, "w") as f:
        f.write(PAGE_HEAD)
        for name, rows in models:
            by_kind = {}
            for run in rows:
                by_kind.setdefault(run.kind, []).append(run)
            cells = []
            for kind in ("cs", "me"):
                runs = by_kind.get(kind, [])
                verdicts = {run.verdict for run in runs}
                cells.append("-" if not runs else " / ".join(sorted(verdicts)))
                for figure in (("plain", "fine") if kind == "cs" else ("fine", "finest")):
                    figures = []
                    for run in runs:
                        text = number(getattr(run, figure))
                        if text not in figures:
                            figures.append(text)
                    cells.append(" / ".join(figures))
            r = rows[0].reference
            about = ["%.0e" % r.tolerance, str(max(getattr(run, "n", 0) for run in rows)), number(r.ours),
                     number(r.wobble)] if r else [""] * 4
            f.write("| " + " | ".join([name] + about + cells) + " |\n")
        f.write("\n" + line + ".\n")


PAGE_HEAD = """# FMUs of 51 models

What `make fmu-check` found (`tests/fmi/check.py --page`; the rule stands there and in [fmi.md](fmi.md#checked)). Each model is
exported for FMI 2.0 and 3.0 and in each kind that fits; two figures in a cell are those of 2.0 and 3.0 where they differ. Differences from
the converged run (`segue run` at a hundredth of the tolerance) are relative to the size of the signal and a tenth.

| column | what |
| --- | --- |
| run | `segue run` at the tolerance of the model, and at half of it: the larger difference |
| wobble | `segue run` at a thirtieth of the tolerance |
| cs 1, cs 1/100 | co-simulation by FMPy at the tolerance, and at a hundredth of it |
| me 1/100, me 1/10000 | model exchange by the importer over CVODE; the second one only where the first is too far away |
| coarse | CVODE does not come to the end at a ten-thousandth; at a hundredth the run is within ten times the error of `segue run` at the tolerance |

| model | tolerance | signals | run | wobble | cs | cs 1 | cs 1/100 | me | me 1/100 | me 1/10000 |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""


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
    parser.add_argument("--page", help="the table as a page of the documentation")
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
    runs, models, lines = [], [], []
    for model, kinds in list(models_of(args.models))[::args.every]:
        try:
            rows = check_model(args, model, args.kind or kinds, args.scratch)
        except Exception as e:
            rows = [Run("-", "-").fails(str(e))]
        name = os.path.basename(model)[:-3]
        models.append((name, rows))
        runs += rows
        for run in rows:
            lines.append("%-8s %-24s FMI %s %-4s %s" % (run.verdict, name, run.version, run.kind, run))
            print(lines[-1], flush=True)
    failed, left_out = [sum(run.verdict == v for run in runs) for v in ("FAILED", "left out")]
    line = "%d models, %d runs: %d left out, %d failed; %d equal `segue run` within the tolerance, %d within ten times its wobble, %d coarse" % (
        len(models), len(runs), left_out, failed, sum(run.verdict == "ok" and run.within() for run in runs),
        sum(run.verdict == "ok" and not run.within() for run in runs), sum(run.verdict == "coarse" for run in runs))
    print(line)
    if args.table:
        with open(args.table, "w") as f:
            f.write("\n".join(lines + [line]) + "\n")
    if args.page:
        write_page(args.page, models, line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
