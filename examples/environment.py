"""A Python with this project in it: the active virtual environment, or `.venv` in the checkout.

Works with nothing but a Python of the machine's (with venv and pip); installs again when
pyproject.toml has changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 11)


def project_python(extra: str = "") -> Path:
    """The interpreter of an environment in which the project (and its `extra`) is installed."""
    if sys.prefix != sys.base_prefix and sys.version_info >= OLDEST:
        folder, python = Path(sys.prefix), Path(sys.executable)
    else:
        folder = ROOT / ".venv"
        python = folder / "bin" / "python"
        if not python.exists():
            _say(f"making a virtual environment in {folder}")
            _run([_new_enough_python(), "-m", "venv", str(folder)])
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest() + extra
    mark = folder / f".lift-installed{extra}"
    if not mark.exists() or mark.read_text() != wanted:
        what = f"{ROOT}[{extra}]" if extra else str(ROOT)
        _say("installing lift and what it needs (a minute or two, once)")
        _run([str(python), "-m", "pip", "install", "--quiet", "--editable", what])
        mark.write_text(wanted)
    return python


def _new_enough_python() -> str:
    if sys.version_info >= OLDEST:
        return sys.executable
    for minor in range(14, OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found:
            return found
    raise SystemExit(
        f"lift needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]} "
        f"({sys.executable}), and no newer one is on PATH"
    )


def _run(command: list[str]) -> None:
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, env=environment, cwd=ROOT)
    if done.returncode != 0:
        raise SystemExit(f"this failed, with status {done.returncode}: {' '.join(command)}")


def _say(text: str) -> None:
    print(f"== {text}", file=sys.stderr, flush=True)
