"""Kernels of a file compiled by g++ as it is, with nothing included before or after it."""

from __future__ import annotations

import ctypes
import subprocess
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lifter.model.kernel import ParsedFile
from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import Original, may_be_called

_SEEDS, _CASES = (3, 4), 6


class _PlainNames:
    """A shared library whose functions are called by their own names."""

    def __init__(self, path: Path) -> None:
        self._library = ctypes.CDLL(str(path))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._library, name.removeprefix("lift_test_"))


def written(text: str, folder: Path, name: str = "snippet.cpp") -> Path:
    """`text` as a file, without its indentation."""
    path = folder / name
    path.write_text(textwrap.dedent(text).lstrip("\n"))
    return path


def assert_equal_to_original(
    path: Path, flags: Sequence[str] = (), linked: Sequence[Path] = ()
) -> ParsedFile:
    """All kernels of `path` (of `extern "C"`, by pointers and numbers) do what g++'s code does.

    `linked` are sources of other functions that the kernels call. Gives the parsed file.
    """
    found = parse_file(path, clang_args=flags)
    library = path.with_suffix(".so")
    compiler = "gcc" if path.suffix == ".c" else "g++"
    command = [compiler, "-O1", "-ffp-contract=off", "-w", "-shared", "-fPIC", "-Wl,-Bsymbolic"]
    done = subprocess.run(
        [*command, *flags, str(path), *map(str, linked), "-o", str(library), "-lm"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    original = Original(_PlainNames(library))  # type: ignore[arg-type]
    for kernel in found.kernels:
        called = 0
        for seed in _SEEDS:
            for case in cases(kernel, seed, _CASES):
                outcome = run_case(kernel, case)
                if may_be_called(outcome):
                    differences = original.differences(kernel, case, outcome)
                    assert not differences, f"{kernel.source}\n{case}\n{differences[0]}"
                    called += 1
        assert called, f"{kernel.name} was never run"
    return found
