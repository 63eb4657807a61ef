"""Builds the driver's library, once a process."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
"""Where `emulated.h` is, for programs in C."""
SOURCES = (str(FOLDER / "libcuda.c"), str(FOLDER / "ptx_image.c"))
_FOR_OTHERS = (str(FOLDER / "others_calls.c"), "-Wl,-soname,libcuda.so")
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Werror")


@cache
def built(is_for_others: bool = False) -> Path:
    """The library, in a folder that goes with this process; for the runtimes of `others`, who call
    more and ask the loader for `libcuda.so`, who has it under that name once it is there."""
    folder = Path(tempfile.mkdtemp(prefix="emulated_driver"))
    atexit.register(_remove, folder, os.getpid())
    made = folder / "libcuda.so.1"
    compile_library(made, *(_FOR_OTHERS if is_for_others else ()))
    return made


def compile_library(made: Path, *flags: str) -> None:
    """Compiles the library, without warnings."""
    command = ["gcc", *WARNINGS, "-g", "-fPIC", "-shared", *flags, *SOURCES, "-o"]
    subprocess.run([*command, str(made), "-lpthread"], check=True)


def _remove(folder: Path, owner: int) -> None:
    """Removes the folder, but not at the end of a child of the process that made it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
