"""The kernels of linear algebra on which the scheduling thesis measures its chapter 4 (table 4.4).

One file each, in the frame of `corpus.pipelines.program`. A sum is the output itself, by an update
definition as in the thesis' listing 4.3: there is no stage after it whose tiles could hold it.
"""

from importlib import import_module
from pkgutil import iter_modules

from ..program import Program

FRAME = ("data", "schedules")

NAMES = tuple(sorted(m.name for m in iter_modules(__path__) if m.name not in FRAME))


def load(name: str) -> Program:
    """The program of a file of this folder."""
    program: Program = import_module(f"{__name__}.{name}").PROGRAM
    assert program.name == name
    return program
