"""``python -m segue ...`` is the command ``segue``, with all it can do: run, plot, view, convert ..."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Takes the place of this process by the command that came with the package."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "segue")
    if not os.path.exists(program):
        print(f"segue: the command is missing from the package ({program})", file=sys.stderr)
        return 1
    if not os.access(program, os.X_OK):  # pip marks only scripts
        os.chmod(program, os.stat(program).st_mode | 0o111)
    sys.stdout.flush()
    os.execv(program, ["segue", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
