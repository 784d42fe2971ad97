# The command with each example of one topic: allocations that fail alone and with all behind, eight of each, spread
# over the run. The library by itself: long/memory_refused_*.
[ "$SG_SLOWNESS" -gt 1 ] && exit 77 # the sanitizers bring their own malloc
. "$SG_SOURCE_DIR/tests/models/scenes/failing.sh"
(cd start && FAIL_COUNT=count LD_PRELOAD="$LIBRARY" "$SEGUE" run --no-sandbox -e 1)
first=$(cat start/count)
for file in "$SG_SOURCE_DIR/examples/$topic"/*.jl; do
    for kind in once forever; do
        try "$(basename "$file" .jl)" "$first" -8 $kind run --no-sandbox -o out "$file"
    done
done
