"""`Pipeline`: one or more stages that are computed together."""

from __future__ import annotations

from collections.abc import Sequence

from .compile import Compilable
from .errors import fail
from .func import Func
from .function import Function


class Pipeline(Compilable):
    """What to compute: the given `Func` or `Func`s, and all that they read."""

    def __init__(self, outputs: Func | Sequence[Func]) -> None:
        self._funcs = [outputs] if isinstance(outputs, Func) else list(outputs)
        if not self._funcs:
            fail("A Pipeline needs an output.")
        for func in self._funcs:
            if not func.defined():
                fail(f"Func {func.name()} is undefined; a Pipeline cannot output it.")

    def outputs(self) -> list[Func]:
        return list(self._funcs)

    def defined(self) -> bool:
        return True

    def _outputs(self) -> list[Function]:
        return [f.function for f in self._funcs]

    def __repr__(self) -> str:
        return f"<Pipeline {', '.join(f.name() for f in self._funcs)}>"
