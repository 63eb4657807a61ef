"""What the names in a loop nest stand for at one place of the generated code."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir import Type
from .builder import Value

_RECORD = "$record"


def record_name(buffer: str) -> str:
    """What a scope calls the `halide_buffer_t` of a buffer that kernels use."""
    return f"{buffer}{_RECORD}"


@dataclass(frozen=True, slots=True)
class BoundVariable:
    """A variable: its value, and for an index the same number in 64 bits.

    Where indices have 32 bits, `low` are those of the number, if they aren't the value, and `range`
    is what the number may be, if that is known.
    """

    type: Type
    value: Value
    wide: Value | None = None
    low: Value | None = None
    range: tuple[int, int] | None = None


@dataclass(slots=True)
class Scope:
    """Variables by name, and the addresses of buffers by name.

    `sizes` has the number of elements (i64) of buffers that lie without gaps, where it is known.
    """

    variables: dict[str, BoundVariable] = field(default_factory=dict)
    buffers: dict[str, Value] = field(default_factory=dict)
    sizes: dict[str, Value] = field(default_factory=dict)

    def with_variable(self, name: str, bound: BoundVariable) -> Scope:
        return Scope({**self.variables, name: bound}, self.buffers, self.sizes)

    def with_buffer(self, name: str, address: Value, size: Value | None = None) -> Scope:
        sizes = self.sizes if size is None else {**self.sizes, name: size}
        return Scope(self.variables, {**self.buffers, name: address}, sizes)

    def records(self) -> set[str]:
        """The names that stand for a `halide_buffer_t`."""
        return {name for name in self.buffers if name.endswith(_RECORD)}
