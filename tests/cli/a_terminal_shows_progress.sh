# On a terminal a run that takes longer than a second shows one line that is rewritten.
cp "$SG_SOURCE_DIR/tests/models/scenes/long.jl" long.jl

# Where there are no pseudo terminals (a bare chroot), there is nothing to look at.
script -qec true probe > /dev/null 2>&1 < /dev/null
[ -f probe ] || {
    echo "skipped: no pseudo terminal here"
    exit 77
}
# A terminal: the line names the model and is erased before other output and at the end. (In the foreground timeout
# sends one signal; else a second one to its group, and two end the program at once.)
script -qec "timeout --foreground -s INT 6 '$SEGUE' run long.jl" terminal > /dev/null 2>&1 < /dev/null
tr '\r' '\n' < terminal > lines
[ "$(grep -c 'Long .* %  t = .* s  ETA' lines)" -gt 3 ] || fail "no progress line: $(cat lines)"
[ "$(grep -c 'Long .* %  t = .* s  ETA' lines)" -lt 40 ] || fail "too many progress lines"
has lines "interrupted at time = "
# Short runs show none.
script -qec "'$SEGUE' run --stop 0.0001 long.jl" terminal > /dev/null 2>&1 < /dev/null
lacks terminal "ETA"
has terminal after
# Nor does a quiet one.
script -qec "timeout --foreground -s INT 3 '$SEGUE' run -q long.jl" terminal > /dev/null 2>&1 < /dev/null
lacks terminal "ETA"
