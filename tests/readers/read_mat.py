"""MAT 1.1 through SciPy: the six matrices, then the lookup that every reader of the format does."""
import math
import sys

import scipy.io

import sample

mat = scipy.io.loadmat(sys.argv[1], chars_as_strings=False)


def texts(matrix, transposed):
    rows = matrix.T if transposed else matrix
    return ["".join(row).rstrip(" \0") for row in rows]


aclass = texts(mat["Aclass"], False)
sample.same("Aclass", [a.strip() for a in aclass[:2]], ["Atrajectory", "1.1"])
transposed = aclass[3].strip() == "binTrans"
names = texts(mat["name"], transposed)
descriptions = texts(mat["description"], transposed)
info = mat["dataInfo"].T if transposed else mat["dataInfo"]
tables = {1: mat["data_1"], 2: mat["data_2"]}
if not transposed:
    tables = {i: table.T for i, table in tables.items()}

n_points = tables[2].shape[1]


def series(name):
    table, row = int(info[names.index(name)][0]), int(info[names.index(name)][1])
    sign = -1.0 if row < 0 else 1.0
    values = tables[table or 2][abs(row) - 1]
    return [sign * float(v) for v in (values if table != 1 else [values[0]] * n_points)]


for name in sample.SIGNALS:
    if name not in names:
        sample.failures.append(f"no {name} among {names}")
        continue
    sample.check(name, series(name), missing=math.nan)
for name, unit in sample.UNITS.items():
    if f"[{unit}]" not in descriptions[names.index(name)]:
        sample.failures.append(f"no unit {unit} in '{descriptions[names.index(name)]}'")
sample.same("parameter L", series("L")[0], 0.8)
sample.same("parameter world.g[2]", series("world.g[2]")[0], -9.81)
sample.done()
