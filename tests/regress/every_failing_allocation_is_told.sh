# label: long
# The whole loop of tests/cli/failing_allocations_are_told.sh, some 7,000 runs.
[ "$SG_SLOWNESS" -gt 1 ] && exit 77 # the sanitizers bring their own malloc
. "$SG_SOURCE_DIR/tests/models/scenes/failing.sh"
(cd start && FAIL_COUNT=count LD_PRELOAD="$LIBRARY" "$SEGUE" run --no-sandbox -e 1)
first=$(cat start/count)
try start 1 1 once run --no-sandbox -e 'println(1)'
for name in $SCENES; do
    try "$name" "$first" 1 once $(options "$name")
    try "$name" "$first" 7 forever $(options "$name")
done
for name in $COMMANDS; do
    try "$name" 1 1 once $(options "$name")
done
