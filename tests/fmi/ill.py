"""ill.py NAME: NAME.fmu of the library ill.so (tests/fmi/ill.c)."""
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1] + ".fmu", "w") as z:
    z.write("ill.so", "binaries/linux64/ill.so")
    z.writestr("modelDescription.xml", """<fmiModelDescription fmiVersion="2.0" modelName="ill" guid="1">
<ModelExchange modelIdentifier="ill"/><ModelVariables><ScalarVariable name="x" valueReference="1" initial="exact">
<Real start="1"/></ScalarVariable><ScalarVariable name="der(x)" valueReference="2"><Real derivative="1"/></ScalarVariable>
</ModelVariables><ModelStructure><Derivatives><Unknown index="2"/></Derivatives></ModelStructure></fmiModelDescription>""")
