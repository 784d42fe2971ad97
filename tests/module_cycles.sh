#!/bin/sh
# No cycle of modules within a folder of src. A module is NAME.h with NAME.c; it stands on those whose
# headers it includes. A header may not include itself on any way around. Sources may include in both
# directions only between a whole and its pieces: where one of the two headers is written in terms of
# the other (model.c calls piece.h, which takes the sg_model of model.h).
#   module_cycles.sh ROOT
#   module_cycles.sh --self SCRATCH: cycles are found, wholes with pieces are not taken for such
set -u

# Lines "module module" of one folder: who stands on whom, without what a whole and a piece owe each other.
edges() {
    (cd "$1" && grep -nE '^[ 	]*#[ 	]*include "' ./*.h ./*.c 2>/dev/null) | grep -v '_test\.[ch]:' |
        awk -v folder="${1##*/}" '
        {
            split($0, part, ":")
            from = part[1]; sub(/^\.\//, "", from)
            if (!match($0, /"[^"]*"/)) next
            to = substr($0, RSTART + 1, RLENGTH - 2)
            if (index(to, "/") && index(to, folder "/") != 1) next
            sub(/^.*\//, "", to)
            is_header = from ~ /\.h$/
            sub(/\.[ch]$/, "", from); sub(/\.[a-z]+$/, "", to)
            if (from == to) next
            name[from] = name[to] = 1
            if (is_header) header[from, to] = above[from, to] = 1
            else source[from, to] = 1
        }
        END {
            for (k in name) for (i in name) if (above[i, k]) for (j in name) if (above[k, j]) above[i, j] = 1
            for (i in name) for (j in name) {
                if (header[i, j] || (source[i, j] && !above[j, i] && !above[i, j])) print i, j
            }
        }'
}

# What goes round in circles, or nothing.
cycles() {
    for folder in "$1"/src/*/; do
        folder=${folder%/}
        edges "$folder" | tsort 2>&1 >/dev/null | sed -n "s|^tsort: \([a-z0-9_]*\)\$|src/${folder##*/}/\1|p"
    done
}

if [ "$1" = --self ]; then
    rm -rf "$2" && mkdir -p "$2/src/room" && cd "$2/src/room" || exit 1
    echo '#include "room/whole.h"' >piece.h
    echo '#include "room/piece.h"' >piece.c
    printf '#include "room/whole.h"\n#include "room/piece.h"\n' >whole.c
    : >whole.h
    [ -z "$(cycles "$2")" ] || { echo "a whole and its piece are refused: $(cycles "$2")"; exit 1; }
    echo '#include "room/b.h"' >a.c
    echo '#include "room/c.h"' >b.c
    echo '#include "room/a.h"' >c.h
    : >a.h && : >b.h
    [ "$(cycles "$2" | sort | tr '\n' ' ')" = 'src/room/a src/room/b src/room/c ' ] ||
        { echo "not found: a, b, c; found: $(cycles "$2")"; exit 1; }
    rm a.c b.c c.h
    echo '#include "room/b.h"' >a.h
    echo '#include "room/a.h"' >b.h
    [ -n "$(cycles "$2")" ] || { echo 'headers that include each other are not found'; exit 1; }
    exit 0
fi

found=$(cycles "$1")
[ -z "$found" ] || { echo "modules that include each other:"; echo "$found"; exit 1; }
