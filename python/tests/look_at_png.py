"""look_at_png.py FILE: how many colors a picture has; few mean that nothing was drawn."""

import struct
import sys
import zlib


def rows(path):
    data = open(path, "rb").read()
    position, body, width, height, channels = 8, b"", 0, 0, 3
    while position < len(data):
        (length,) = struct.unpack_from(">I", data, position)
        kind = data[position + 4 : position + 8]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack_from(">IIBB", data, position + 8)
            channels = {2: 3, 6: 4}[color]
        elif kind == b"IDAT":
            body += data[position + 8 : position + 8 + length]
        position += 12 + length
    raw, stride = zlib.decompress(body), width * channels
    before = bytearray(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            a = line[i - channels] if i >= channels else 0
            b, c = before[i], before[i - channels] if i >= channels else 0
            if kind == 1:
                line[i] = (line[i] + a) & 255
            elif kind == 2:
                line[i] = (line[i] + b) & 255
            elif kind == 3:
                line[i] = (line[i] + (a + b) // 2) & 255
            elif kind == 4:
                p = a + b - c
                pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
                line[i] = (line[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255
        before = line
        yield [bytes(line[i : i + 3]) for i in range(0, stride, channels)]


def main():
    everywhere = list(rows(sys.argv[1]))
    colors = {c for line in everywhere for c in line}
    # The scene is shaded: hundreds of tones of colors that no text has.
    colorful = {c for c in colors if max(c) - min(c) > 40}
    print(f"{len(colors)} colors, {len(colorful)} of them no gray")
    sys.exit(0 if len(colors) > 200 and len(colorful) > 50 else "nothing to be seen")


main()
