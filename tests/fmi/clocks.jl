# The Reference FMU with scheduled execution; see tests/cli/fmus_are_imported.sh.
using Modia
clocks = FMU("Clocks3.fmu")
