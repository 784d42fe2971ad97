#!/usr/bin/env python3
"""Inputs by signals of a file: FMPy and `segue run --input` with the same table come to the same result.

    inputs.py SEGUE TOOLS

The input of a lag, der(x) = u - x, jumps from 1 to 3 at 1 s; the solution is known.
"""
import math
import os
import subprocess
import sys

MODEL = """using Modia
Lag = Model(u = Var(input = true, start = 1.0), x = Var(init = 0.0), y = Var(output = true),
            equations = :[der(x) = u - x; y = 2*x])
lag = @instantiateModel(Lag, unitless = true)
simulate!(lag, stopTime = 2.0, tolerance = 1e-8)
println("x = ", getLastValue(lag, "x"))
"""
ROWS = [(0.0, 1.0), (1.0, 1.0), (1.0, 3.0), (2.0, 3.0)]

segue, tools = os.path.abspath(sys.argv[1]), sys.argv[2]
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(tools, "FMPy", "src"))
try:
    import numpy
    from fmpy import simulate_fmu
except ImportError as e:
    print("skipped:", e)
    sys.exit(77)

with open("lag.jl", "w") as f:
    f.write(MODEL)
with open("lag.csv", "w") as f:
    f.write("time,u\n" + "".join("%g,%g\n" % row for row in ROWS))
run = subprocess.run([segue, "run", "-q", "--input", "lag.csv", "lag.jl"], capture_output=True, text=True)
ours = float(run.stdout.split("x =")[1])
first = 1 - math.exp(-1)
exact = 3 + (first - 3) * math.exp(-1)
worst = abs(ours - exact)
signals = numpy.array(ROWS, dtype=[("time", numpy.float64), ("u", numpy.float64)])
for version in ("2", "3"):
    subprocess.run([segue, "export", "lag.jl", "--fmu", version, "-o", "lag.fmu"], check=True,
                   stdout=subprocess.DEVNULL)
    result = simulate_fmu("lag.fmu", input=signals, output=["x", "y"], output_interval=0.01)
    worst = max(worst, abs(float(result["x"][-1]) - exact), abs(float(result["y"][-1]) - 2 * exact) / 2)
print("x(2) = %.10f; FMPy and segue run are off by %.2g" % (exact, worst))
sys.exit(worst > 1e-6)
