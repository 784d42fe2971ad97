# Every part that `segue library` lists from the model library, and every joint, stands in a test of models with closed forms
# (`ctest -R library`; joints also in others), and has a picture. Connectors are tested by what has them; bases of other parts through these.
# (That the tests run what they name is asked by long/library_parts_run.)
"$SEGUE" library >list
awk '/^[A-Za-z0-9]+$/ { title = $0; next }
     /^  [A-Z][A-Za-z0-9_]*$/ { print title, $1; next }
     /^  [A-Z][A-Za-z0-9_]* / && $0 !~ /^  [A-Za-z0-9_]+ +Base of/ { print title, $1 }' list |
    grep -E '^(Electric|Blocks|Rotational|Translational|HeatTransfer|Circuits|Sources|Control|Driveline|LinearMotion|Machines|Thermal|Fluid|Mechanics3D|Joints) ' |
    grep -vE ' (Pin|Plug|Flange|TranslationalFlange|HeatPort|FluidPort)$' >parts
[ "$(wc -l <parts)" -ge 200 ] || fail "only $(wc -l <parts) parts were found"
for file in "$SG_SOURCE_DIR"/tests/models/library_*.jl; do
    grep -q '@test' "$file" || fail "$file tests nothing"
    sed 's/#.*//' "$file" # names in comments do not count
done >tests.txt
sed 's/#.*//' "$SG_SOURCE_DIR"/tests/models/joints_in_*.jl "$SG_SOURCE_DIR"/tests/models/prescribed_frames.jl \
    "$SG_SOURCE_DIR"/tests/models/c7_free_shaft.jl "$SG_SOURCE_DIR"/tests/models/*_joints.jl >joints.txt
while read -r title name; do
    more=
    [ "$title" != Joints ] || more=joints.txt
    grep -qw "$name" tests.txt $more || fail "$name of $title stands in no test"
    grep -q "^$name |" "$SG_SOURCE_DIR/library/symbols.txt" || fail "$name of $title has no picture"
done <parts
[ -z "$("$SEGUE" library --undocumented)" ] || fail "without words: $("$SEGUE" library --undocumented)"
