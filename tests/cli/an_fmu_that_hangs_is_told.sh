# label: long
# An FMU that does not answer any more is waited for, a minute and ten seconds, and told in words: also where the solver had tried
# once more in the meantime.
python=/usr/bin/python3
"${CC:-cc}" -shared -fPIC -DHANG "$SG_SOURCE_DIR/tests/fmi/ill.c" -o ill.so || exit 77
$python "$SG_SOURCE_DIR/tests/fmi/ill.py" HANG || fail "no FMU of ill.c"
printf 'using Modia\nm = @instantiateModel(Model(f = FMU("HANG.fmu")), unitless = true)\nsimulate!(m, stopTime = 1.0)\n' >hangs.jl
status 4 "$SEGUE" run -q --allow-fmu hangs.jl
has err "the process of the FMUs does not answer"
