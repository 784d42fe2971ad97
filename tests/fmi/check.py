#!/usr/bin/env python3
"""Exports models as FMUs, validates and runs them with FMPy, and compares with `segue run`.

    check.py --segue SEGUE --tools FOLDER [--importer PROGRAM] [--table FILE] LIST|MODEL.jl...

FOLDER holds FMPy (src/fmpy below FMPy); without it, or without the packages FMPy needs, the status is 77.
A LIST is a text file with a line for each model: its path, and which kinds fit (cs, me, both). With an
importer the FMUs of model exchange run as well. The number behind a run is the largest difference to
`segue run` over all states and outputs, which are what a tolerance is about, at 501 points; in tolerances
of the run (relative to the largest value of any element of the signal, and absolute as the solver has it).
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

# Two runs that keep the same tolerance differ by more than it: errors of steps add up, and events move.
MOST_TOLERANCES = 100.0
# Where they differ by more, a run with a hundredth of the tolerance says how exact `segue run` is there; an FMU
# may be this many times as far from it.
MOST_TIMES = 3.0
# An event may lie this many tolerances of the whole time earlier or later.
EVENT_SHIFT = 100.0


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
                          capture_output=True, text=True)
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
    """How far y is from the curve at t; an event may lie a little earlier or later."""
    lo = bisect.bisect_left(times, t - shift)
    hi = bisect.bisect_right(times, t + shift)
    near = values[max(lo - 1, 0):hi + 1]
    at = bisect.bisect_left(times, t)
    here = []
    for i in range(at, len(times)):  # all points of this very instant
        if times[i] > t * (1 + 1e-12) + 1e-300:
            break
        here.append(values[i])
    if not here and 0 < at < len(times):
        part = (t - times[at - 1]) / (times[at] - times[at - 1])
        here.append(values[at - 1] + part * (values[at] - values[at - 1]))
    here = [v for v in here if v == v]
    if y != y:
        return 0.0 if not here or any(v != v for v in near) else float("inf")
    if not here:
        return 0.0
    direct = min(abs(y - v) for v in here)
    near = [v for v in near if v == v]
    if len(near) > 1 and min(near) <= y <= max(near) and shift > 0 and hi - lo > 1:
        return 0.0
    return direct


def stem(name):
    return name.split("[")[0] if name.endswith("]") else name


def compare(columns, curves, tolerance):
    """The largest difference of any signal, in tolerances, and whose it is."""
    times = columns["time"]
    whole = times[-1] - times[0]
    shift = min(EVENT_SHIFT * tolerance * whole, 1e-3 * whole)
    worst, whose, n = 0.0, "", 0
    sizes = {}
    for name, values in columns.items():
        size = max((abs(v) for v in values if v == v), default=0.0)
        sizes[stem(name)] = max(size, sizes.get(stem(name), 0.0))
    for name, (t_list, y_list) in curves.items():
        if name not in columns:
            continue
        values = columns[name]
        # The absolute tolerance of a state is a tenth of the relative one.
        scale = sizes[stem(name)] + 0.1
        n += 1
        for t, y in zip(t_list, y_list):
            d = differs(times, values, t, y, shift) / (scale * tolerance)
            if d > worst:
                worst, whose = d, "%s at %.6g s" % (name, t)
    if not n:
        raise RuntimeError("no signal to compare")
    return worst, whose, n


def element_name(name, k, n, columns):
    """How the result calls the element of a signal."""
    if n == 1 and name in columns:
        return name
    for form in ("%s[%d]" % (name, k + 1),):
        if form in columns:
            return form
    return None


def wanted_of(names, columns, states):
    """Columns of states and outputs, by value reference."""
    wanted = {}
    for reference, (name, k, n, type_role) in names.items():
        column = element_name(name, k, n, columns)
        if column and type_role[0] == "r" and (type_role[1] == "o" or name in states):
            wanted[reference] = column
    return wanted


def simulate(fmu, wanted, interval):
    from fmpy import read_model_description, simulate_fmu
    description = read_model_description(fmu)
    by_reference = {v.valueReference: v.name for v in description.modelVariables}
    result = simulate_fmu(fmu, fmi_type="CoSimulation", output=[by_reference[r] for r in wanted],
                          output_interval=interval, validate=False)
    times = [float(t) for t in result["time"]]
    return {column: (times, [float(y) for y in result[by_reference[r]]]) for r, column in wanted.items()}


def run_importer(importer, fmu, wanted, folder):
    """The same by our own importer, which writes a table with value references in its head."""
    out = os.path.join(folder, "me.csv")
    done = subprocess.run([importer, fmu, out], capture_output=True, text=True, timeout=600)
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
    columns, fine = None, None
    rows = []
    for version in ("2", "3"):
        fmu = os.path.join(folder, "%s%s.fmu" % (name, version))
        done = subprocess.run([args.segue, "export", model, "--fmu", version, "--kind", kinds,
                               "-o", fmu], capture_output=True, text=True)
        if done.returncode:
            rows.append((version, kinds, False, "export: " + done.stderr.strip()[-200:]))
            continue
        names, keys = read_table(fmu)
        whole = float(keys["stop"]) - float(keys["start"])
        grid = ["--interval", repr(whole / 500.0)]
        if columns is None:
            columns, states = run_segue(args.segue, model, os.path.join(folder, "run"), *grid)
        wanted = wanted_of(names, columns, states)
        tolerance = float(keys.get("tolerance", 1e-6))
        problems = validate_fmu(fmu)
        if problems:
            rows.append((version, kinds, False, "validate: " + "; ".join(problems)[:300]))
            continue
        for kind in ("cs", "me"):
            if kinds not in (kind, "both") or (kind == "me" and not args.importer):
                continue
            try:
                if kind == "cs":
                    curves = simulate(fmu, wanted, whole / 500.0)
                else:
                    curves = run_importer(args.importer, fmu, wanted, folder)
                worst, whose, n = compare(columns, curves, tolerance)
                good = worst <= MOST_TOLERANCES
                text = "%.3g tolerances in %d signals" % (worst, n)
                if not good:
                    if fine is None:
                        fine, _ = run_segue(args.segue, model, os.path.join(folder, "fine"), *grid, "--tol",
                                            repr(tolerance / 100.0))
                    ours = compare(fine, {c: (columns["time"], columns[c]) for c in curves}, tolerance)[0]
                    theirs, whose, _ = compare(fine, curves, tolerance)
                    good = theirs <= MOST_TIMES * max(ours, MOST_TOLERANCES)
                    text += "; from an exact run %.3g, segue run %.3g" % (theirs, ours)
                rows.append((version, kind, good, text + ("" if good else ", " + whose)))
            except Exception as e:  # a row of the table, not the end of the check
                rows.append((version, kind, False, str(e)[-300:].replace("\n", " ")))
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
    failed, n_runs, n_models, lines = 0, 0, 0, []
    for model, kinds in list(models_of(args.models))[::args.every]:
        n_models += 1
        try:
            rows = check_model(args, model, args.kind or kinds, args.scratch)
        except Exception as e:
            rows = [("-", "-", False, str(e)[-300:])]
        for version, kind, good, text in rows:
            n_runs += 1
            failed += not good
            line = "%-6s %-28s FMI %s %-4s %s" % ("ok" if good else "FAILED",
                                                  os.path.basename(model)[:-3], version, kind, text)
            lines.append(line)
            print(line, flush=True)
    line = "%d models, %d runs, %d failed" % (n_models, n_runs, failed)
    print(line)
    if args.table:
        with open(args.table, "w") as f:
            f.write("\n".join(lines + [line]) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
