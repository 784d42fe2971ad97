# Every program of the guide runs, and prints what the page shows.
pages_of=$SG_SOURCE_DIR/docs/guide
. "$SG_SOURCE_DIR/tests/cli/documented_examples_run.sh"
for chapter in 1 2 3 4 5 6; do
    set -- "$pages_of/$chapter"-*.md
    [ -f "$1" ] || fail "chapter $chapter is missing"
done
# The pictures are those that the programs draw today: the same texts and as many lines.
sh "$SG_SOURCE_DIR/tools/guide" "$SEGUE" "$pages_of" made >/dev/null 2>&1
looks() { grep -o '>[^<]*</text>' "$1"; grep -c '<path' "$1"; }
for picture in $(cat "$pages_of"/*.md | sed -n 's/.*](img\/\([a-z_]*\.[a-z]*\)).*/\1/p'); do
    [ -s "$pages_of/img/$picture" ] || fail "$picture is missing"
    case $picture in *.svg) ;; *) continue ;; esac
    looks "$pages_of/img/$picture" >want
    looks "made/$picture" >got
    cmp -s got want || fail "img/$picture is not what the program draws; run make guide: $(diff want got)"
done
