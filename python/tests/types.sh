#!/bin/sh
# types.sh SOURCE ENVIRONMENT SCRATCH: mypy --strict finds nothing in the package and in the examples.
set -eu
source=$1 environment=$2 scratch=$3
mypy=$(command -v mypy || true)
[ "$mypy" ] || { echo "no mypy (Debian's package)"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
export MYPYPATH="$source/python"
echo '[mypy]' >"$scratch/mypy.ini"
for module in numpy pandas scipy; do
    printf '[mypy-%s.*]\nignore_missing_imports = True\nfollow_imports = silent\n' $module
done >>"$scratch/mypy.ini"
"$mypy" --strict --config-file "$scratch/mypy.ini" --cache-dir "$scratch/cache" --python-version 3.9 \
    -p segue
for file in "$source"/examples/python/*.py; do
    "$mypy" --strict --config-file "$scratch/mypy.ini" --cache-dir "$scratch/cache" --python-version 3.9 "$file"
done
rm -rf "$scratch"
