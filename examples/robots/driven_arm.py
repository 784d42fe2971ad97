#!/usr/bin/env python3
"""A controller of another tool drives the arm of driven_arm.jl, which is an FMU of Segue.

    segue export driven_arm.jl --fmu 3 -o driven_arm.fmu
    python3 driven_arm.py driven_arm.fmu

The other tool is FMPy with a controller in Python, at 1 kHz: it reads the angle, computes a torque, and lets
the arm go on for a millisecond. Expect: the arm is within 0.01 rad of 0.5 rad after 3 s.
"""
import shutil
import sys

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave

WANTED, STIFFNESS, DAMPING, INTEGRAL = 0.5, 600.0, 150.0, 800.0
STEP, STOP = 1e-3, 3.0

fmu = sys.argv[1]
description = read_model_description(fmu)
reference = {v.name: v.valueReference for v in description.modelVariables}
folder = extract(fmu)
arm = FMU3Slave(guid=description.guid, unzipDirectory=folder, instanceName="arm",
                modelIdentifier=description.coSimulation.modelIdentifier)
arm.instantiate()
arm.enterInitializationMode(startTime=0.0, stopTime=STOP)
arm.exitInitializationMode()
total = 0.0
for i in range(round(STOP / STEP)):
    phi, w = arm.getFloat64([reference["phi"], reference["w"]])
    total += STEP * (WANTED - phi)
    torque = STIFFNESS * (WANTED - phi) - DAMPING * w + INTEGRAL * total
    arm.setFloat64([reference["torque"]], [torque])
    arm.doStep(currentCommunicationPoint=i * STEP, communicationStepSize=STEP)
phi, = arm.getFloat64([reference["phi"]])
arm.terminate()
arm.freeInstance()
shutil.rmtree(folder)
print("phi = %.5f rad at %.1f s" % (phi, STOP))
sys.exit(abs(phi - WANTED) > 1e-2)
