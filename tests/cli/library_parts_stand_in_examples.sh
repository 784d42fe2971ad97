# Every part that `segue library` lists from the model library, and every joint, stands in an example. Bases of other parts stand there through these;
# functions of the library begin with a small letter.
"$SEGUE" library >list
awk '/^[A-Za-z0-9]+$/ { title = $0; next }
     /^  [A-Z][A-Za-z0-9_]*$/ { print title, $1; next }
     /^  [A-Z][A-Za-z0-9_]* / && $0 !~ /^  [A-Za-z0-9_]+ +Base of/ { print title, $1 }' list |
    grep -E '^(Electric|Blocks|Rotational|Translational|HeatTransfer|Circuits|Sources|Control|Driveline|LinearMotion|Machines|Thermal|Fluid|Mechanics3D|Joints) ' >parts
[ "$(wc -l <parts)" -ge 200 ] || fail "only $(wc -l <parts) parts were found"
for file in "$SG_SOURCE_DIR"/examples/*/*.jl; do
    sed 's/#.*//' "$file" # names in comments do not count
done >examples.txt
while read -r title name; do
    grep -qw "$name" examples.txt || fail "$name of $title stands in no example"
done <parts
