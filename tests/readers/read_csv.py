"""CSV through Python's reader."""
import csv
import sys

import sample

with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = list(csv.reader(file))
header, data = rows[0], rows[1:]
sample.same("first column", header[0], "time")


def number(text):
    return None if text == "" else float(text)


for name in sample.SIGNALS:
    if name not in header:
        sample.failures.append(f"no {name} among {header}")
        continue
    at = header.index(name)
    sample.check(name, [number(row[at]) for row in data])
sample.done()
