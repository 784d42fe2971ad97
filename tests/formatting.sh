#!/bin/sh
# formatting.sh SOURCE: `make format` would change nothing.
cd "$1" || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || { echo "not a git checkout"; exit 77; }
clang-format --version 2>/dev/null | grep -q 'version 14\.' || { echo "no clang-format 14"; exit 77; }
make --no-print-directory format-check && exit 0
echo "run: make format"
exit 1
