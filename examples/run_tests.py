"""Sets up an environment and passes the tests: `python3 examples/run_tests.py [PYTEST OPTIONS]`.

Needs Python 3.11 with venv and pip, nothing else; tests that compare with a C++ compiler say so
and are skipped where there is none. Linters and the type checker run as tests too.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from environment import ROOT, project_python

HANGS = "900"
"""Seconds after which a test fails that waits for what never comes."""


def main() -> None:
    """Ends with pytest's own exit status."""
    python = project_python("test")
    workers = str(len(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else "2"
    os.chdir(ROOT)
    sys.stdout.flush()
    limit = [f"--timeout={HANGS}", "--timeout-method=signal"]
    command = [str(python), "-m", "pytest", "-n", workers, *limit, *sys.argv[1:]]
    os.execve(python, command, compiling_once(python))


def compiling_once(python: Path) -> dict[str, str]:
    """An environment in which modules and tests are compiled once for all processes and runs."""
    env = {**os.environ, "PYTHONPYCACHEPREFIX": str(python.parents[1] / "compiled")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    return env


if __name__ == "__main__":
    main()
