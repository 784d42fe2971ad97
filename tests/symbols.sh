#!/bin/sh
# symbols.sh BUILD: all archives end in one library, so every global name is defined once, and each
# begins with sg_, so that it meets nobody else's.
set -u
cd "$1" || exit 1
failed=0
names=$(nm -g --defined-only libsg_*.a 2>/dev/null | awk 'NF == 3 { print $3 }' | sort)
twice=$(printf '%s\n' "$names" | uniq -d)
if [ -n "$twice" ]; then
    echo "defined twice:" $twice
    nm -g --defined-only libsg_*.a 2>/dev/null | grep -wF "$twice"
    failed=1
fi
foreign=$(printf '%s\n' "$names" | grep -vE '^(sg_|__)' | head -n 20)
[ -z "$foreign" ] || { echo "does not begin with sg_:" $foreign; failed=1; }
[ "$(printf '%s\n' "$names" | wc -l)" -gt 100 ] || { echo "found hardly any names"; failed=1; }
exit $failed
