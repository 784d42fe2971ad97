# Any allocation may fail, those of the libraries below as well: no signal, no other cause, no status 0 with other
# bytes. Here a sample; tests/regress/every_failing_allocation_is_told.sh takes them all.
[ "$SG_SLOWNESS" -gt 1 ] && exit 77 # the sanitizers bring their own malloc
. "$SG_SOURCE_DIR/tests/models/scenes/failing.sh"

# How many an empty script takes: they are tried once.
(cd start && FAIL_COUNT=count LD_PRELOAD="$LIBRARY" "$SEGUE" run --no-sandbox -e 1)
first=$(cat start/count)
try start 1 200 once run --no-sandbox -e 'println(1)'
for name in $SCENES; do
    try "$name" "$first" 0 once $(options "$name")
done
try contact "$first" 400 forever $(options contact)
try equations 1 400 forever $(options equations)
for name in mechanics/sling loops/suspension; do # all examples: long/failing_allocations_*
    try "$(basename $name)" "$first" -6 forever run --no-sandbox -o out "$SG_SOURCE_DIR/examples/$name.jl"
done
for name in $COMMANDS; do
    try "$name" 1 0 once $(options "$name")
done
