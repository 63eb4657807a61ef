"""The lifted corpus, emitted and built once a session by lift's own build, and loaded."""

from __future__ import annotations

import ctypes
import functools
import tempfile
from pathlib import Path
from typing import Any

from lifter.build.build import BuiltFunction, build_function
from lifter.emit.emit import emit
from tests.end_to_end.lifted_corpus import lifted
from tests.end_to_end.original import Original


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="lift_built_")


@functools.cache
def emitted(file: str, name: str) -> Path:
    """The folder with the kernel's `pipeline.py` and `summary.json`."""
    folder = Path(_folder().name) / Path(file).parent / name
    emit(lifted(file, name).result, folder)
    return folder


@functools.cache
def built(file: str, name: str) -> BuiltFunction:
    return build_function(emitted(file, name))


@functools.cache
def lifted_function(file: str, name: str) -> Any:
    """`<name>_lifted` of the built shared library; vectors are passed as pointer and size."""
    made = built(file, name)
    assert made.shared is not None, made.note
    library = ctypes.CDLL(str(made.shared))
    kernel = lifted(file, name).kernel
    flat = "_flat" if any(p.kind == "vector" for p in kernel.params) else ""
    return library[f"{name}_lifted{flat}"]


class _Library:
    """Lifted functions under the names that the harness of the original uses."""

    def __init__(self, file: str) -> None:
        self._file = file

    def __getattr__(self, name: str) -> Any:
        return lifted_function(self._file, name.removeprefix("lift_test_"))


def lifted_as_original(file: str) -> Original:
    """The lifted kernels behind the harness that compares the original with an outcome."""
    return Original(_Library(file))  # type: ignore[arg-type]
