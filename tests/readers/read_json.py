"""SignalTables JSON: a strict parser (no NaN, no doubled keys), the layout, and the numbers."""
import json
import sys

import sample


def refuse(text):
    raise ValueError(f"{text} is not JSON")


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError(f"a key occurs twice in {keys}")
    return dict(pairs)


with open(sys.argv[1], encoding="utf-8") as file:
    table = json.load(file, parse_constant=refuse, object_pairs_hook=unique)

sample.same("_class", table["_class"], "SignalTable")


def column(values, index):
    """One element over time; arrays are column-major with time as their first index."""
    if isinstance(values, dict):
        sample.same("array", values["_class"], "Array")
        sample.same("layout", values["layout"], "column-major")
        size, flat = values["size"], values["values"]
        if len(flat) != __import__("math").prod(size):
            sample.failures.append(f"{len(flat)} values for the size {size}")
        offset, stride = 0, size[0]
        for i, n in zip(index, size[1:]):
            offset += (i - 1) * stride
            stride *= n
        return flat[offset : offset + size[0]]
    return values


for name in sample.SIGNALS:
    base, _, index = name.partition("[")
    index = [int(i) for i in index.rstrip("]").split(",")] if index else []
    signal = table.get(base)
    if signal is None:
        sample.failures.append(f"no {base}")
        continue
    while "alias" in signal and "values" not in signal:
        target = signal["alias"]
        negated = target.startswith("-")
        signal = table[target.lstrip("-")]
        if negated:
            signal = dict(signal, negated=True)
    if "values" not in signal:
        sample.same(f"{name} is constant", "value" in signal, True)
        values = [signal.get("value")] * len(sample.points())
    else:
        values = column(signal["values"], index)
    if signal.get("negated"):
        values = [None if v is None else -v for v in values]
    # JSON has no NaN: it is null as well.
    sample.check(name, values, nan=None)
for name, unit in sample.UNITS.items():
    sample.same(f"unit of {name}", table[name.partition("[")[0]].get("unit"), unit)
sample.done()
