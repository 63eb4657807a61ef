"""The programs of recursive-filters-2015, in the words of `compiler.recfilter`; one file each."""

from importlib import import_module
from pkgutil import iter_modules

from .frame import Recursive

FRAME = ("frame",)

NAMES = tuple(sorted(m.name for m in iter_modules(__path__) if m.name not in FRAME))


def load(name: str) -> Recursive:
    """The program of a file of this folder."""
    program: Recursive = import_module(f"{__name__}.{name}").PROGRAM
    assert program.name == name
    return program
