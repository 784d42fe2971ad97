"""read_mat.py FILE CSV: does SciPy, with the lookup rules of DyMat, see in a MAT file what the CSV says?"""
import csv
import math
import sys

try:
    import scipy.io
except ImportError:
    print("SciPy is not installed")
    sys.exit(77)

mat = scipy.io.loadmat(sys.argv[1], chars_as_strings=False)
kind = "".join(mat["Aclass"][3]).rstrip(" \0")
assert kind == "binTrans", kind
assert "".join(mat["Aclass"][0]).rstrip(" \0") == "Atrajectory"
assert "".join(mat["Aclass"][1]).rstrip(" \0") == "1.1"


def texts(matrix):
    return ["".join(column).rstrip(" \0") for column in matrix.T]


names, info = texts(mat["name"]), mat["dataInfo"]
descriptions = texts(mat["description"])
assert info.shape == (4, len(names)) and len(descriptions) == len(names)
data = {1: mat["data_1"], 2: mat["data_2"]}
assert names[0] == "time" and list(info[:, 0]) == [0, 1, 0, -1]
series = {}
for i, name in enumerate(names):
    table, row = info[0, i], info[1, i]
    if table == 0:
        series[name] = data[2][0]
        continue
    # DyMat takes row 1 for the abscissa in either table.
    assert abs(row) > 1, name
    values = data[table][abs(row) - 1]
    series[name] = values if row > 0 else -values

with open(sys.argv[2], encoding="utf-8", newline="") as file:
    rows = list(csv.reader(file))
for column, name in enumerate(rows[0]):
    found = series[name]
    for point, row in enumerate(rows[1:]):
        expected = float(row[column]) if row[column] else math.nan
        value = found[point] if len(found) == len(rows) - 1 else found[0]
        assert value == expected or (math.isnan(value) and math.isnan(expected)), (name, point)
assert series["L"][0] == 0.8 and descriptions[names.index("phi")] == "angle [rad]"
print(len(names), "variables read by SciPy")
