"""read_run.py FILE CSV: a reader of the run file written from docs/formats.md alone, against the CSV."""
import csv
import math
import struct
import sys

MASK = (1 << 64) - 1
P = [0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5]


def rotate(x, bits):
    return ((x << bits) | (x >> (64 - bits))) & MASK


def lane(x, word):
    return rotate((x + word * P[1]) & MASK, 31) * P[0] & MASK


def xxh64(data, seed=0):
    at, n = 0, len(data)
    if n >= 32:
        v = [(seed + P[0] + P[1]) & MASK, (seed + P[1]) & MASK, seed, (seed - P[0]) & MASK]
        while at + 32 <= n:
            for k, word in enumerate(struct.unpack_from("<4Q", data, at)):
                v[k] = lane(v[k], word)
            at += 32
        h = (rotate(v[0], 1) + rotate(v[1], 7) + rotate(v[2], 12) + rotate(v[3], 18)) & MASK
        for x in v:
            h = ((h ^ lane(0, x)) * P[0] + P[3]) & MASK
    else:
        h = (seed + P[4]) & MASK
    h = (h + n) & MASK
    while at + 8 <= n:
        h = (rotate(h ^ lane(0, struct.unpack_from("<Q", data, at)[0]), 27) * P[0] + P[3]) & MASK
        at += 8
    if at + 4 <= n:
        h = (rotate(h ^ (struct.unpack_from("<I", data, at)[0] * P[0] & MASK), 23) * P[1] + P[2]) & MASK
        at += 4
    while at < n:
        h = rotate(h ^ (data[at] * P[4] & MASK), 11) * P[0] & MASK
        at += 1
    h = (h ^ (h >> 33)) * P[1] & MASK
    h = (h ^ (h >> 29)) * P[2] & MASK
    return h ^ (h >> 32)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, code):
        value = struct.unpack_from("<" + code, self.data, self.at)[0]
        self.at += struct.calcsize("<" + code)
        return value

    def text(self):
        n = self.take("I")
        self.at += n
        return self.data[self.at - n:self.at].decode()

    def numbers(self):
        return [self.take("d") for _ in range(self.take("I"))]

    def record(self):
        n = self.take("I")
        self.at += n
        return Reader(self.data[self.at - n:self.at])


def read_schema(r):
    signals = []
    for _ in range(r.take("I")):
        s = r.record()
        name, unit, info, der, alias = (s.text() for _ in range(5))
        kind, kind_of_value, vary, rank, rows, columns, state, fixed = (s.take("I") for _ in range(8))
        start, value = s.numbers(), s.numbers()
        names = [name]
        if rank == 1:
            names = [f"{name}[{i + 1}]" for i in range(rows)]
        if rank == 2:
            names = [f"{name}[{i + 1},{j + 1}]" for j in range(columns) for i in range(rows)]
        signals.append((name, kind, alias, names, value))
    return signals


data = open(sys.argv[1], "rb").read()
assert data[:8] == b"SEGUERUN" and struct.unpack_from("<I", data, 8)[0] == 1
schemas, segments, table, time, finished = [], [], {}, [], False
at = 16
while at < len(data):
    magic, kind, payload_size, meta_size, checksum = struct.unpack_from("<IIQQQ", data, at)
    assert magic == 0x4B424753
    payload = data[at + 32:at + 32 + payload_size]
    assert xxh64(payload[:meta_size], xxh64(data[at:at + 24])) == checksum
    at += 32 + payload_size
    r = Reader(payload)
    if kind == 2:
        schemas.append(read_schema(r))
    elif kind == 3:
        segments.append(schemas[r.take("I")])
    elif kind == 7:
        assert r.take("I") == 0 and r.take("I") == len(segments) and r.take("Q") == len(time)
        finished = True
    elif kind == 4:
        segment, points, columns, _ = struct.unpack_from("<4I", payload)
        first = struct.unpack_from("<Q", payload, 16)[0]
        assert first == len(time) and meta_size == 24 + 32 * columns
        series = []
        for c in range(columns):
            encoding, check, offset, flags, low, high = struct.unpack_from("<4I2d", payload, 24 + 32 * c)
            start = meta_size + 8 * offset
            n = points if encoding == 0 else 1
            raw = payload[start:start + 8 * n]
            assert xxh64(raw) & 0xFFFFFFFF == check
            values = list(struct.unpack(f"<{n}d", raw)) * (points // n)
            numbers = [x for x in values if not math.isnan(x)]
            assert (min(numbers), max(numbers)) == (low, high) if numbers else low > high
            assert bool(flags & 1) == any(map(math.isnan, values))
            series.append(values)
        time += series[0]
        column, own = 1, {}
        for name, what, alias, names, value in segments[segment]:
            if what == 0:
                own[name] = series[column:column + len(names)]
                column += len(names)
            elif what == 3:
                own[name] = [[x] * points for x in value]
        for name, what, alias, names, value in segments[segment]:
            if what in (1, 2):
                own[name] = [[x if what == 1 else -x for x in s] for s in own[alias]]
            for element, values in zip(names, own[name]):
                table.setdefault(element, [None] * first)
                table[element] += [None] * (first - len(table[element])) + values
assert finished
table["time"] = time
rows = list(csv.reader(open(sys.argv[2], encoding="utf-8", newline="")))
for c, name in enumerate(rows[0]):
    for p, row in enumerate(rows[1:]):
        found = table[name][p]
        if row[c] == "":
            assert found is None, (name, p)
        else:
            expected = float(row[c])
            assert found == expected or (math.isnan(found) and math.isnan(expected)), (name, p)
print(len(rows[0]), "columns read by the documentation")
