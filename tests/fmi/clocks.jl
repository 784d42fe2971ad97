# The Reference FMU with scheduled execution; see tests/cli/reference_fmus_are_imported.sh.
using Modia
clocks = FMU("Clocks3.fmu")
