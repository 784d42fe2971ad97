"""make_notebook.py OUT: a notebook with a model, a figure and a result with 3D parts."""

import json
import sys

from test_segue import RC, TWO_BALLS

CELLS = [
    "import segue",
    f"m = segue.loads('''{RC}''')\nm",
    "m.run(stop=5).plot('C.v', ['R.i', 'C.i'])",
    f"segue.loads('''{TWO_BALLS}''').run()",
]
cells = [
    {"cell_type": "code", "execution_count": None, "id": f"cell-{i}", "metadata": {}, "outputs": [], "source": text}
    for i, text in enumerate(CELLS)
]
notebook = {
    "cells": cells,
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
with open(sys.argv[1], "w") as file:
    json.dump(notebook, file)
