"""Sets up and runs the main job: `python3 examples/first_run.py`.

Lifts two files of legacy C++, builds what was proved, checks the built code against the original
bit for bit, and prints the table of proofs and speeds. Needs Python 3.11 with venv and pip. Without
a C++ compiler everything but the comparison works, and the table says what is missing.
"""

from __future__ import annotations

import subprocess
import sys

from environment import ROOT, project_python

OUT = "lifted"
STEPS = (
    (
        "lifting two files of legacy C++",
        (
            "corpus/blend/basic.cpp", "corpus/filter/basic.cpp", "-o", OUT,
            "--model", "corpus/models/hash.cpp", "--grammar", "examples/dissolve.grammar",
        ),
    ),
    ("building what was proved", ("build", OUT)),
    ("checking against the original, and timing both", ("bench", OUT)),
)  # fmt: skip


def main() -> int:
    """The exit status: 0 when lifted and original code were equal wherever both ran."""
    python = project_python()
    statuses = []
    for title, arguments in STEPS:
        print(f"\n== {title}\n$ lift {' '.join(arguments)}\n", flush=True)
        statuses.append(subprocess.run([python, "-m", "lifter", *arguments], cwd=ROOT).returncode)
        if statuses[-1] not in (0, 1, 3):  # bad input or Ctrl-C: the next step has nothing to do
            return statuses[-1]
    print(f"\nThe programs are in {OUT}/; `pipeline.py` in each folder is the one to read.")
    print(f"`{python} -m lifter explain corpus/blend/basic.cpp:dissolve` tells how one was proved.")
    return statuses[-1]


if __name__ == "__main__":
    sys.exit(main())
