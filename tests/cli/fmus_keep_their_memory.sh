# FMUs under a memory checker: model exchange by a foreign solver; co-simulation with a state that is saved, serialized, given
# to another instance and taken back, and a reset, all to the same bits. Nothing is read before it was written, and nothing is
# lost. (Imports are tried under the sanitizers: reference_fmus_are_imported.sh.)
examples=$SG_SOURCE_DIR/examples
importer=$SG_BINARY_DIR/fmu_importer
[ -e "$SG_BINARY_DIR/segue_fmu.so" ] && [ -e "$importer" ] || { echo "no segue_fmu.so or no importer in this build"; exit 77; }

# Events, closed loops, contacts with a memory, structures that change.
for model in events/bouncing_ball:both loops/fourbar:both contact/two_balls:both space/two_stage_rocket:cs; do
    name=$(basename "${model%:*}")
    for version in 2 3; do
        "$SEGUE" export "$examples/${model%:*}.jl" --fmu $version --kind "${model#*:}" -o $name$version.fmu >out 2>&1 ||
            fail "$name: $(cat out)"
        "$importer" $name$version.fmu steps.csv --steps >out 2>&1 || fail "$name, FMI $version: $(cat out)"
    done
done

command -v valgrind >/dev/null || { echo "no valgrind"; exit 77; }
checked() { # FMU, options
    valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible "$importer" "$@" >out 2>&1 ||
        fail "$*: $(head -n 20 out)"
}
checked two_balls3.fmu out.csv --steps
checked two_stage_rocket2.fmu out.csv --steps
checked bouncing_ball2.fmu out.csv
checked fourbar3.fmu out.csv
