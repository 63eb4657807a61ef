"""The programs on which the compiler is measured: one file each, named like the program."""

from importlib import import_module
from pkgutil import iter_modules

from .program import Algorithm, Array, Compiled, Program, Size, Values, estimate, single, stream

FRAME = ("program", "images")

NAMES = tuple(sorted(m.name for m in iter_modules(__path__) if not m.ispkg and m.name not in FRAME))


def load(name: str) -> Program:
    """The program of a file of this folder."""
    program: Program = import_module(f"{__name__}.{name}").PROGRAM
    assert program.name == name
    return program
