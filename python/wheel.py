"""Writes the wheel: a zip file with the package, the extension module, the command and the library files.

The standard library is all it takes, so it needs no network. The tag of the platform is what the two
binaries really need: the least version of glibc among the symbols that they import.
"""

import argparse
import base64
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LARGEST = 6_000_000  # [bytes]


def glibc_needed(path):
    """The newest version of glibc that an ELF file asks for, as (2, n)."""
    data = Path(path).read_bytes()
    found = [(int(m[1]), int(m[2])) for m in re.finditer(rb"GLIBC_(\d+)\.(\d+)(?:\.\d+)?\0", data)]
    if not found:
        sys.exit(f"wheel: {path} imports nothing of glibc?")
    return max(found)


def machine_of(path):
    """As tags name it; of the file, not of this machine."""
    (number,) = struct.unpack_from("<H", Path(path).read_bytes(), 18)
    names = {0x3E: "x86_64", 0xB7: "aarch64", 0xF3: "riscv64"}
    return names.get(number) or os.uname().machine


def stripped(objcopy, path, folder):
    """The bytes of a binary without what only debuggers need."""
    out = Path(folder) / Path(path).name
    subprocess.run([objcopy, "--strip-all" if out.suffix != ".so" else "--strip-unneeded", path, out], check=True)
    return out.read_bytes()


def contents(arguments, folder):
    """Pairs of a name in the package and its bytes; in order, so that the same sources make the same file."""
    source = Path(arguments.source)
    for path in sorted((source / "python" / "segue").rglob("*")):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            yield f"segue/{path.relative_to(source / 'python' / 'segue')}", path.read_bytes(), False
    yield "segue/_segue.abi3.so", stripped(arguments.objcopy, arguments.module, folder), True
    yield "segue/bin/segue", stripped(arguments.objcopy, arguments.command, folder), True
    for path in sorted((source / "library").rglob("*")):
        if path.is_file():
            yield f"segue/library/{path.relative_to(source / 'library')}", path.read_bytes(), False


def metadata(version, readme):
    return (
        "Metadata-Version: 2.1\nName: segue\n"
        f"Version: {version}\n"
        "Summary: Equations, 3D parts, contact and changing structure in one simulation\n"
        "License: see LICENSE\nRequires-Python: >=3.9\n"
        "Classifier: Operating System :: POSIX :: Linux\n"
        "Classifier: Programming Language :: Python :: 3\n"
        "Classifier: Topic :: Scientific/Engineering :: Physics\n"
        "Provides-Extra: numpy\nRequires-Dist: numpy; extra == 'numpy'\n"
        "Provides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("version", "module", "command", "objcopy", "source", "to", "name"):
        parser.add_argument(f"--{name}", required=True)
    arguments = parser.parse_args()
    source = Path(arguments.source)
    needed = max(glibc_needed(arguments.module), glibc_needed(arguments.command))
    tag = f"cp39-abi3-manylinux_{needed[0]}_{needed[1]}_{machine_of(arguments.module)}"
    info = f"segue-{arguments.version}.dist-info"
    path = Path(arguments.to) / f"segue-{arguments.version}-{tag}.whl"
    with tempfile.TemporaryDirectory() as folder:
        files = list(contents(arguments, folder))
    files += [
        (f"{info}/METADATA", metadata(arguments.version, (source / "python" / "README.md").read_text()).encode(), False),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: segue\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), False),
        (f"{info}/entry_points.txt", b"[console_scripts]\nsegue = segue.__main__:main\n", False),
        (f"{info}/LICENSE", (source / "LICENSE").read_bytes(), False),
    ]
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data, executable in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
            write(wheel, name, data, executable)
        record.append(f"{info}/RECORD,,")
        write(wheel, f"{info}/RECORD", ("\n".join(record) + "\n").encode(), False)
    size = path.stat().st_size
    Path(arguments.name).write_text(f"{path}\n")
    print(f"wheel: {path.name}, {size / 1e6:.2f} MB in {len(files) + 1} files")
    if size >= LARGEST:
        sys.exit(f"wheel: {size} bytes are more than {LARGEST}")


def write(wheel, name, data, executable):
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, data, compresslevel=9)


main()
