"""check_symbols.py MODULE LIST: what the module imports of Python is in its stable ABI since 3.9 or earlier.

With --self the check is shown to find a symbol that is too new, and one that is not in the list.
"""

import re
import subprocess
import sys

OLDEST = (3, 9)


def read_list(path):
    known = {}
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, version = line.split()
                known[name] = tuple(int(n) for n in version.split("."))
    return known


def imported(module):
    text = subprocess.run(["nm", "-D", "--undefined-only", module], check=True, capture_output=True, text=True).stdout
    return sorted(set(re.findall(r"\bU (_?Py[A-Za-z0-9_]*)", text)))


def problems(names, known):
    for name in names:
        if name not in known:
            yield f"{name} is not in the list of the stable ABI"
        elif known[name] > OLDEST:
            yield f"{name} joined the stable ABI in {'.'.join(map(str, known[name]))}"


def main():
    if sys.argv[1] == "--self":
        found = list(problems(["PyList_New", "PyObject_GetBuffer", "PyDict_Foo"], {"PyList_New": (3, 2), "PyObject_GetBuffer": (3, 11)}))
        sys.exit(0 if len(found) == 2 else f"expected two problems, found {found}")
    names = imported(sys.argv[1])
    wrong = list(problems(names, read_list(sys.argv[2])))
    exported = subprocess.run(["nm", "-D", "--defined-only", sys.argv[1]], check=True, capture_output=True, text=True).stdout
    strange = [n for n in re.findall(r" [TDBRVW] (\S+)", exported) if n != "PyInit__segue"]
    wrong += [f"{n} is exported" for n in strange]
    print(f"{len(names)} symbols of Python are imported")
    sys.exit("\n".join(wrong) or (0 if len(names) > 20 else "hardly any symbols: is this the module?"))


main()
