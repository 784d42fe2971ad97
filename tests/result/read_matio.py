"""read_matio.py FILE: does libmatio list the six matrices of a MAT file with their shapes?"""
import ctypes
import sys

try:
    matio = ctypes.CDLL("libmatio.so.11")
except OSError:
    print("libmatio is not installed")
    sys.exit(77)


class Variable(ctypes.Structure):
    _fields_ = [("nbytes", ctypes.c_size_t), ("rank", ctypes.c_int), ("data_type", ctypes.c_int),
                ("data_size", ctypes.c_int), ("class_type", ctypes.c_int),
                ("is_complex", ctypes.c_int), ("is_global", ctypes.c_int),
                ("is_logical", ctypes.c_int), ("dims", ctypes.POINTER(ctypes.c_size_t)),
                ("name", ctypes.c_char_p), ("data", ctypes.c_void_p)]


matio.Mat_Open.restype = ctypes.c_void_p
matio.Mat_Open.argtypes = [ctypes.c_char_p, ctypes.c_int]
matio.Mat_VarRead.restype = ctypes.POINTER(Variable)
matio.Mat_VarRead.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
file = matio.Mat_Open(sys.argv[1].encode(), 0)
assert file, "libmatio cannot open it"
shapes = {}
for name in ("Aclass", "name", "description", "dataInfo", "data_1", "data_2"):
    variable = matio.Mat_VarRead(file, name.encode())
    assert variable, name + " is missing"
    v = variable.contents
    assert v.rank == 2
    shapes[name] = (v.dims[0], v.dims[1])
    if name == "data_2":
        values = ctypes.cast(v.data, ctypes.POINTER(ctypes.c_double))
        times = [values[p * v.dims[0]] for p in range(v.dims[1])]
assert shapes["Aclass"] == (4, 11)
assert shapes["dataInfo"] == (4, shapes["name"][1])
assert times[0] == 0 and times[-1] == 2 and times == sorted(times)
print("six matrices read by libmatio")
