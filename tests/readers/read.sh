#!/bin/sh
# read.sh WRITE_SAMPLE FORMAT SCRATCH: writes the sample and lets another library read it.
# read.sh SEGUE three|glb SCRATCH: runs models and lets three.js, or the validator of glTF, read their animations.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
scratch=$3/$2
mkdir -p "$scratch"
if [ "$2" = three ]; then
    { command -v node && [ -d "$here/../../node_modules/three" ]; } >/dev/null || { echo "no three.js"; exit 77; }
    "$1" run -o "$scratch" --result-format json "$here/animation/scene.jl"
    "$1" run -o "$scratch" --result-format json "$here/animation/changing.jl"
    node "$here/read_changing.mjs" "$scratch/changing.json" "$scratch/Changing.json"
    exec node "$here/read_three.mjs" "$scratch/scenery.json" "$scratch/Scenery.json"
fi
if [ "$2" = glb ]; then
    { command -v node && [ -d "$here/../../node_modules/gltf-validator" ]; } >/dev/null || { echo "no gltf-validator"; exit 77; }
    "$1" run -q -o "$scratch" --glb "$scratch/scenery.glb" --result-format json "$here/animation/scene.jl"
    exec node "$here/read_glb.mjs" "$scratch/scenery.glb" "$scratch/Scenery.json"
fi
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
