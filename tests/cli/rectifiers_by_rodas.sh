# label: long
# What tests/models/rectifiers_without_resistance.jl leaves out: Rodas5 at 1e-8. Over a minute for the bridge with 10 uF, whose current is
# smaller than what tolerances leave of it: its diodes go to and fro, then have no events, and Newton's method fails from the wrong side.
sed -e 's/^fine = .*/fine = [Rodas5()]/' "$SG_SOURCE_DIR/tests/models/rectifiers_without_resistance.jl" > rectifiers.jl
grep -q 'fine = .Rodas5' rectifiers.jl || fail "the line of methods is not there"
status 0 "$SEGUE" run -q rectifiers.jl
