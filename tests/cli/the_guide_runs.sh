# Every program of the guide runs, and prints what the page shows.
pages_of=$SG_SOURCE_DIR/docs/guide
. "$SG_SOURCE_DIR/tests/cli/documented_examples_run.sh"
for chapter in 1 2 3 4 5 6; do
    set -- "$pages_of/$chapter"-*.md
    [ -f "$1" ] || fail "chapter $chapter is missing"
done
for picture in $(cat "$pages_of"/*.md | sed -n 's/.*](\(img\/[a-z]*\.svg\)).*/\1/p'); do
    [ -s "$pages_of/$picture" ] || fail "$picture is missing"
done
