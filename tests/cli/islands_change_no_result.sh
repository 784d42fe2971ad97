# Bodies with solvers of their own move as with one solver for all: each model twice at a tight tolerance, with islands wherever they fit
# and without. Places, speeds and angles at the same times are the same; where they are not, one solver alone must be as far from itself
# at a tenth of the tolerance, or nobody knows them better. `ISLANDS_OF` names other models than this sample.
: "${ISLANDS_OF:=examples/contact/rolling_down tests/models/e4_capsules tests/models/e6_two_balls tests/models/e7_four_balls tests/models/contact_physics tests/models/contact_events_of_scenarios}"
: "${ISLANDS_TOL:=1e-9}"
states='*.translation,*.velocity,*.rotation,*.angularVelocity'

# copy FOLDER VALUE: all models, with Scene(islands = VALUE)
copy() {
    mkdir -p "$1/tests"
    cp -r "$SG_SOURCE_DIR/examples" "$1/examples"
    cp -r "$SG_SOURCE_DIR/tests/models" "$1/tests/models"
    grep -rl 'Scene(' "$1" --include='*.jl' | while read -r file; do
        sed -e 's/islands = [a-z]*, //g; s/islands = [a-z]*//g' -e "s/\<Scene(\([^)]\)/Scene(islands = $2, \1/g; s/\<Scene()/Scene(islands = $2)/g" \
            "$file" >edited && cp edited "$file"
    done
}
copy on true
copy off false

# go FOLDER MODEL TOLERANCE RESULTS
go() {
    (cd "$1/$(dirname "$2")" && "$SEGUE" run -q --tol "$3" -o "$here/$4" --log statistics "$(basename "$2").jl") >"$4.out" 2>"$4.err"
    got=$?
}

same() {
    "$SEGUE" compare --rtol 1e-4 --atol 1e-6 --signals "$states" "$1" "$2" >compared 2>&1
    differ=$?
    [ $differ -eq 0 ] || [ $differ -eq 5 ] || grep -q E0803 compared || fail "$1 and $2 could not be compared: $(head -n 1 compared)"
    return $differ
}

here=$(pwd)
count=0
open=0
for model in $ISLANDS_OF; do
    name=$(basename "$model")
    go on "$model" "$ISLANDS_TOL" a
    with=$got
    go off "$model" "$ISLANDS_TOL" b
    # Expectations may be for another tolerance, and it may be too tight for a model.
    case $with in
    0 | 4 | 5) [ "$with" -eq "$got" ] || fail "$model ended with $with and $got: $(grep -h error a.err b.err | head -n 1)" ;;
    *) fail "$model ended with $with: $(grep error a.err | head -n 1)" ;;
    esac
    grep -q nIslands a.out || fail "$model: no islands"
    grep -q nIslands b.out && fail "$model: islands although they are switched off"
    closer=
    for result in $(cd a && find . -name '*.segue' | sort); do
        same "a/$result" "b/$result" && count=$((count + 1)) && continue
        grep -q E0803 compared && continue # it has no free bodies
        count=$((count + 1))
        why=$(head -n 1 compared)
        [ -n "$closer" ] || go off "$model" "$(awk -v t="$ISLANDS_TOL" 'BEGIN { print t/10 }')" c
        closer=1
        if [ -f "c/$result" ] && same "b/$result" "c/$result"; then
            fail "$model, $result: $why"
        else
            open=$((open + 1))
        fi
    done
    rm -rf a b c
done
echo "$count results compared, $open of them not known better by one solver"
[ "$count" -gt 0 ] || fail "nothing was compared"
[ "$((open * 4))" -le "$count" ] || fail "of $count results $open could not be compared"
