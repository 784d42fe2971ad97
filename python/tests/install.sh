#!/bin/sh
# install.sh BUILD ENVIRONMENT: builds the wheel, and installs it in a fresh environment, without network and
# without a compiler on the path. Debian's Python where it is there, for its own packages (numpy) can be seen.
set -eu
build=$1 environment=$2
cmake --build "$build" --target wheel >"$build/python/wheel.log" 2>&1 || { tail -n 30 "$build/python/wheel.log"; exit 1; }
wheel=$(cat "$build/python/wheel.txt")
[ "$(wc -c <"$wheel")" -lt 6000000 ] || { echo "the wheel is too large: $(wc -c <"$wheel") bytes"; exit 1; }
python=/usr/bin/python3
[ -x $python ] || python=python3
rm -rf "$environment"
if ! $python -m venv --system-site-packages "$environment" >"$build/python/venv.log" 2>&1; then
    cat "$build/python/venv.log"
    echo "no environment can be made (Debian's python3-venv)"
    exit 77
fi
PATH=$environment/bin "$environment/bin/pip" install --quiet --no-index --no-deps --disable-pip-version-check "$wheel"
cd "$environment"
./bin/python -c 'import segue; print("segue", segue.__version__, "in", segue.__path__[0])' | grep "in $environment/" || {
    echo "another segue is imported"
    exit 1
}
./bin/segue --version
