# FMUs of other tools as components of models: each Reference FMU in each version and kind that it offers gives what it is known
# for, the one with scheduled execution is refused by name, and a broken one is a message. Needs no FMU of Segue's own, so it
# also runs under the sanitizers.
tools=$SG_SOURCE_DIR/../shared/tools/fmi
examples=$SG_SOURCE_DIR/examples
python=/usr/bin/python3
export TMPDIR=$PWD

cat >lag.jl <<'END'
using Modia
lag = @instantiateModel(Model(x = Var(init = 1.0), equations = :[der(x) = -x]), unitless = true)
simulate!(lag, stopTime = 1.0)
END
refused() { # words, text, options
    printf 'using Modia\n%s\n' "$2" >wrong.jl
    "$SEGUE" run -q --allow-fmu ${3-} ${4-} wrong.jl >out 2>err && fail "no error: $2"
    has err "$1"
}
run_it='m = @instantiateModel(Model(f = f), unitless = true); simulate!(m, stopTime = 1.0)'

# One that crashes in the middle, one that hangs, one that wants to start a program or to write elsewhere.
if command -v "${CC:-cc}" >/dev/null; then
    for what in CRASH HANG STARTS WRITES; do
        "${CC:-cc}" -shared -fPIC -D$what "$SG_SOURCE_DIR/tests/fmi/ill.c" -o ill.so || fail "ill.c"
        $python "$SG_SOURCE_DIR/tests/fmi/ill.py" $what || fail "no FMU of ill.c"
    done
    crashed="the process of the FMUs crashed (signal 11)"
    [ "$SG_SLOWNESS" -eq 1 ] || crashed="the process of the FMUs gave no answer" # the sanitizer catches the signal
    refused "$crashed" "f = FMU(\"CRASH.fmu\"); $run_it"
    # It is waited for a minute, or as long as the run may take.
    refused "the limit of 2 s was reached" "f = FMU(\"HANG.fmu\"); $run_it" --max-time 2
    case $("$SEGUE" version 2>/dev/null; "$SEGUE" run --sandbox=require lag.jl 2>&1) in
    *sandbox*) echo "no wall here" ;;
    *)
        refused "reports an error in the derivatives" "f = FMU(\"STARTS.fmu\"); $run_it"
        refused "reports an error in the derivatives" "f = FMU(\"WRITES.fmu\"); $run_it"
        ;;
    esac
    [ ! -e written ] || fail "an FMU wrote outside of its folder"
fi

[ -d "$tools" ] || { echo "no $tools"; exit 77; }
command -v cmake >/dev/null || { echo "no cmake"; exit 77; }
for version in 2 3; do
    cmake -S "$tools/Reference-FMUs" -B made$version -DFMI_VERSION=$version >log 2>&1 &&
        cmake --build made$version >>log 2>&1 || fail "the Reference FMUs cannot be built: $(tail -n 5 log)"
    for fmu in made$version/fmus/*.fmu; do
        cp "$fmu" "$(basename "$fmu" .fmu)$version.fmu"
    done
done
cp "$SG_SOURCE_DIR/tests/fmi/reference.jl" "$SG_SOURCE_DIR/tests/fmi/clocks.jl" .
status 0 "$SEGUE" run -q --allow-fmu reference.jl
refused "'g' is in m*s^-2, and the value is in kg" 'FMU("BouncingBall3.fmu", g = -1.0u"kg")'
# Merged later; a check finds it as well.
refused "'g' is in m*s^-2, and the value is in kg" "f = FMU(\"BouncingBall3.fmu\") | Map(g = -1.0u\"kg\"); $run_it"
"$SEGUE" check wrong.jl >out 2>err && fail "a check finds no wrong unit"
has err "'g' is in m*s^-2, and the value is in kg"
refused "'h' is in m, and the value is in s" 'FMU("BouncingBall2.fmu", start = Map(h = 2.0u"s"))'
status 2 "$SEGUE" run -q --allow-fmu clocks.jl
has err "it offers scheduled execution only"
status 0 "$SEGUE" run -q --allow-fmu --allow-read "$PWD" "$examples/fmu/charger.jl" -- "$PWD/StateSpace3.fmu"
