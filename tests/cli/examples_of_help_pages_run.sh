# Whoever copies a line of a help page gets what it promises.
ln -s "$SG_SOURCE_DIR/examples" examples
mkdir bin
ln -s "$SEGUE" bin/segue
PATH=$PWD/bin:$PATH
rm -f out # a folder of that name is asked for
n=0
for page in "" run check info "info x.segue" plot compare convert dump distance; do
    # shellcheck disable=SC2086
    "$SEGUE" $page --help | grep '^  segue .*[./]' >lines
    while IFS= read -r line; do
        case $line in
        *"FILE"*) continue ;;
        esac
        n=$((n + 1))
        eval "$line" >printed 2>told </dev/null || {
            fail "a line of 'segue $page --help' fails:$line"
            head -n 5 told
        }
        lacks told "error["
    done <lines
done
[ "$n" -ge 14 ] || fail "only $n lines were found"
[ -s both.svg ] || fail "no plot"
[ -s charge.csv ] || fail "no table"
rm -rf out
status 0 "$SEGUE" help run
has out "usage: segue run"
status 0 "$SEGUE" help plot
has out "usage: segue plot"
