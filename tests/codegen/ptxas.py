"""NVIDIA's assembler on PTX text: whether it takes it, and what the machine code takes."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

NEEDS_PTXAS = pytest.mark.skipif(
    shutil.which("ptxas") is None, reason="there is no ptxas, which comes with the CUDA toolkit"
)
ASSEMBLED_FOR = (75, 80, 86, 90)


@dataclass(frozen=True)
class Usage:
    """What one kernel takes."""

    registers: int
    stack: int
    spilled: int
    barriers: int
    shared: int


def usage(text: str, capability: int) -> dict[str, Usage]:
    """By kernel; fails where ptxas rejects the text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernels.ptx"
        path.write_text(text)
        done = subprocess.run(
            ["ptxas", "-v", f"-arch=sm_{capability}", str(path), "-o", str(path) + ".cubin"],
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    found = {}
    for part in done.stderr.split("Compiling entry function '")[1:]:
        stores, loads = (
            _number(r"(\d+) bytes spill stores", part),
            _number(r"(\d+) bytes spill loads", part),
        )
        found[part.split("'")[0]] = Usage(
            _number(r"Used (\d+) registers", part),
            _number(r"(\d+) bytes stack frame", part),
            stores + loads,
            _number(r"used (\d+) barriers", part),
            _number(r"(\d+) bytes smem", part),
        )
    return found


def _number(pattern: str, text: str) -> int:
    match = re.search(pattern, text)
    return int(match[1]) if match else 0
