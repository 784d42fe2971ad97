"""check_json.py FILE SCHEMA CSV: does the JSON fit its schema, and do its values equal the CSV's?"""
import csv
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    table = json.load(file)
keys = list(table)
assert keys[:4] == ["_class", "_classVersion", "_attributes", "time"], keys[:4]
points = len(table["time"]["values"])


def elements(name, signal):
    if "alias" in signal:
        signal = table[signal["alias"]]
    values = signal["values"]
    if isinstance(values, list):
        yield name, values
        return
    size = values["size"]
    assert size[0] == points
    flat = values["values"]
    rows = size[1]
    columns = size[2] if len(size) == 3 else 1
    for j in range(columns):
        for i in range(rows):
            element = j * rows + i
            index = f"{i + 1},{j + 1}" if len(size) == 3 else f"{i + 1}"
            yield f"{name}[{index}]", flat[element * points:(element + 1) * points]


found = {}
for name, signal in table.items():
    if isinstance(signal, dict) and signal.get("_class") == "Var":
        found.update(elements(name, signal))
with open(sys.argv[3], encoding="utf-8", newline="") as file:
    rows = list(csv.reader(file))
for column, name in enumerate(rows[0]):
    for point, row in enumerate(rows[1:]):
        text = row[column]
        expected = None if text in ("", "NaN") else float(text)
        assert found[name][point] == expected, (name, point)
try:
    import jsonschema
except ImportError:
    print("the values are right, but python3-jsonschema is not installed")
    sys.exit(77)
with open(sys.argv[2], encoding="utf-8") as file:
    jsonschema.validate(table, json.load(file))
print(len(found), "signals fit schema and values")
