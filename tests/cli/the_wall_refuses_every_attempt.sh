# From inside the wall a hostile program tries what it must not: every attempt is refused, and what a run needs works. The same
# attempts without the wall show that each would be possible here (some only for root, or not on every file system).
probe=$SG_BINARY_DIR/wall_probe
mkdir outside results free_results temporary
TMPDIR=$PWD/temporary # that of all holds what others make meanwhile
export TMPDIR
fresh() {
    rm -rf outside/* # what attempts left behind
    echo secret >outside/secret
    echo victim >outside/victim
    echo extra >outside/extra
    echo other >outside/other
    chmod 644 outside/victim
    touch -d '2001-01-01' outside/victim
}

fresh
"$probe" outside results >walled
got=$?
[ $got -eq 77 ] && { cat walled; exit 77; }
[ $got -eq 0 ] || fail "the probe ends with status $got"
grep ' done$' walled && fail 'these attempts succeeded behind the wall'
grep FAILS walled && fail 'these are needed and fail'
n=$(grep -c ' refused: ' walled)
[ "$n" -ge 115 ] || fail "only $n attempts were made"
[ "$(grep -c ' works$' walled)" -ge 12 ] || fail 'not all that is needed was tried'
# Refused means so, and is not a consequence of something else.
grep ' refused: ' walled | grep -vE 'Operation not permitted|Permission denied|Function not implemented|Invalid cross-device link' |
    grep . && fail 'these were refused for another reason'
[ "$(cat outside/victim)" = victim ] || fail 'the file outside was changed'
[ "$(ls outside | tr '\n' ' ')" = 'extra other secret victim ' ] || fail "outside now holds $(ls outside)"
[ "$(stat -c '%a %Y' outside/victim)" = "644 $(date -d '2001-01-01' +%s)" ] || fail 'mode or time of the file outside was changed'
[ -z "$(ls temporary)" ] || fail "a folder of temporary files stays: $(ls temporary)"

# Without the wall: most of them succeed, so that the list above means something.
fresh
"$probe" --free outside free_results >freed || fail 'without a wall the probe fails'
done=$(grep -c ' done$' freed)
[ "$done" -ge 60 ] || { cat freed; fail "only $done attempts succeed without a wall"; }
for name in 'read outside' 'chmod outside' 'times outside' fork clone 'signal another process' 'writable code' 'data that becomes code' \
    'socket' 'write /dev/null' 'memory as a file' 'symbolic link'; do
    grep -q "^$name done\$" freed || fail "'$name' does not succeed without a wall, so its refusal shows nothing"
done
