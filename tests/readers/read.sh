#!/bin/sh
# read.sh WRITE_SAMPLE FORMAT SCRATCH: writes the sample and lets another library read it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$3/$2
mkdir -p "$scratch"
"$1" "$scratch"
export PYTHONDONTWRITEBYTECODE=1
case $2 in
arrow)
    [ -d "$here/../../node_modules/apache-arrow" ] || { echo "no apache-arrow"; exit 77; }
    exec node "$here/read_arrow.mjs" "$scratch/sample.arrow"
    ;;
mat) /usr/bin/python3 -c 'import scipy.io' 2>/dev/null || { echo "no SciPy"; exit 77; } ;;
*) [ -x /usr/bin/python3 ] || { echo "no Python"; exit 77; } ;;
esac
exec /usr/bin/python3 "$here/read_$2.py" "$scratch/sample.$2"
