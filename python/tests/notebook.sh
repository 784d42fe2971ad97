#!/bin/sh
# notebook.sh ENVIRONMENT SCRATCH: a notebook with a model and a result, run and turned into a page by nbconvert;
# Chromium shows it, and the picture of the result must not be empty.
set -eu
environment=$1 scratch=$2
tests=$(cd "$(dirname "$0")" && pwd)
command -v chromium >/dev/null 2>&1 || { echo "no chromium"; exit 77; }
/usr/bin/python3 -c 'import nbconvert, ipykernel' 2>/dev/null || { echo "no nbconvert (Debian's jupyter-nbconvert, python3-ipykernel)"; exit 77; }
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
"$environment/bin/python" "$tests/make_notebook.py" pendulum.ipynb
# The kernel is that of the system, which is to find the package.
PYTHONPATH=$("$environment/bin/python" -c 'import os, segue; print(os.path.dirname(segue.__path__[0]))')
export PYTHONPATH
"$environment/bin/python" -m nbconvert --to html --execute pendulum.ipynb >log 2>&1 || { tail -n 20 log; exit 1; }
grep -q '<iframe' pendulum.html || { echo "the page is not in the notebook"; exit 1; }
grep -q 'image/svg+xml;base64' pendulum.html || { echo "no figure in the notebook"; exit 1; }
grep -q 'R.R' pendulum.html || { echo "no parameters in the notebook"; exit 1; }
chromium --headless --no-sandbox --hide-scrollbars --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
    --window-size=1100,2600 --virtual-time-budget=8000 --screenshot=notebook.png "file://$PWD/pendulum.html" >browser.log 2>&1
"$environment/bin/python" "$tests/look_at_png.py" notebook.png
