# A model as an FMU: the file has all that it needs, FMPy finds no problem with it, runs it, and comes to
# the result of `segue run`; the same export twice gives the same bytes.
tools=$SG_SOURCE_DIR/../shared/tools/fmi
examples=$SG_SOURCE_DIR/examples
[ -e "$SG_BINARY_DIR/segue_fmu.so" ] || { echo "no segue_fmu.so in this build"; exit 77; }

"$SEGUE" export "$examples/first/rc_filter.jl" --fmu 3 -o a.fmu >out || fail "rc_filter cannot be exported"
grep -q "a.fmu: FMI 3.0, co-simulation" out || fail "the export says nothing"
"$SEGUE" export "$examples/first/rc_filter.jl" --fmu 3 -o b.fmu >out || fail "not a second time"
cmp -s a.fmu b.fmu || fail "two exports differ"
for wrong in "--fmu 1" "--kind cosim" "--model Nobody"; do
    "$SEGUE" export "$examples/first/rc_filter.jl" $wrong -o c.fmu >out 2>&1 && fail "$wrong was taken"
    [ ! -e c.fmu ] || fail "$wrong left a file"
done

python=/usr/bin/python3
[ -d "$tools" ] || { echo "no $tools"; exit 77; }
$python "$SG_SOURCE_DIR/tests/fmi/check.py" --segue "$SEGUE" --tools "$tools" --kind cs \
    "$examples/first/rc_filter.jl" "$examples/events/bouncing_ball.jl" "$examples/mechanics/mesh_bracket.jl" \
    "$examples/loops/fourbar.jl" >out 2>err
status=$?
[ $status -ne 77 ] || { cat out; exit 77; }
[ $status -eq 0 ] || fail "$(cat out)"
