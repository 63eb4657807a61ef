"""The flat `extern "C"` function around a pipeline, with exactly the original's parameters.

Expressions in an entry are over the parameters: `Variable(name, type)` for a scalar,
`Load(name, (index,), type)` for what a pointer points to, `Variable("NAME.given", BOOL)` for
whether a pointer or a table of row pointers isn't null, and for such a table the int64
`Variable("NAME.row_stride", I64)`, the elements from one row to the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..ir import BOOL, I64, Expr, Type, Variable, postorder
from ..ir.stmts import LoweredFunction
from .errors import CodegenError


@dataclass(frozen=True)
class EntryParam:
    """One parameter of the C function."""

    name: str
    kind: Literal["scalar", "pointer", "rows"]
    type: Type
    """Of the scalar, or of one element."""
    spelling: str
    """The C declaration without the name, `const uint8_t *`; `{}` in it is the name's place."""
    first_row: Expr | None = None
    """The first row of a row table that may be read, 0 where it is None."""
    row_count: Expr | None = None
    """How many rows of the table there are; None: as many as the buffers over it have."""

    @property
    def declaration(self) -> str:
        if "{}" in self.spelling:
            return self.spelling.format(self.name)
        glue = "" if self.spelling.endswith(("*", "&")) else " "
        return f"{self.spelling.replace('&', '*')}{glue}{self.name}"


@dataclass(frozen=True)
class BufferBinding:
    """Where a buffer of the pipeline lies in the caller's memory.

    The element at `mins` is `offset` elements after what the parameter `pointer` points to (after
    the start of row 0 for a row table). All are int64 expressions; strides count elements.
    """

    pointer: str
    offset: Expr
    mins: tuple[Expr, ...]
    extents: tuple[Expr, ...]
    strides: tuple[Expr, ...]
    copied: tuple[Expr, Expr] | None = None
    """Where the pipeline reads a copy, because it overwrites the memory before it has read it: the
    first and the last element that it reads, counted from the one at `mins`. What the box has
    before and after them may be nobody's."""


@dataclass(frozen=True)
class Entry:
    """A C function that gives the pipeline's arguments their values and calls it.

    Nothing is touched where `condition` does not hold or an output has an extent below 1. Where the
    run fails, the function ends the program, since its caller expects a result. One without a
    result has a twin, `int try_name(...)` with the same parameters: it gives 0 when all is done, or
    the code of a failure, and then it has stored nothing.
    """

    name: str
    params: tuple[EntryParam, ...]
    buffers: Mapping[str, BufferBinding]
    scalars: Mapping[str, Expr] = field(default_factory=dict)
    return_type: Type | None = None
    result: Expr | str | None = None
    """What is returned: an expression, or the name of an output without dimensions."""
    tables: Mapping[str, tuple[Type, Sequence[int | float]]] = field(default_factory=dict)
    """Buffers with constant contents, which become part of the machine code."""
    condition: Expr | None = None
    device: tuple[LoweredFunction, Entry] | None = None
    """The same with kernels, for calls whose images lie on a device or are large enough to be
    copied there."""
    refuses_device: bool = False
    """Whether it has no such alternative and fails for images on a device, of which others know."""
    copies: bool = True
    """Of a pipeline with kernels, whether it may be called for images on the host: its inputs are
    bound with what is `copied` of them, and its outputs are stored to as a whole."""
    is_hidden: bool = False
    """Whether only what it is linked with may see it, as a function for one program's own use."""

    @property
    def try_name(self) -> str | None:
        """`f_try` for `f_lifted`; None for a function with a result."""
        if self.return_type is not None:
            return None
        return try_name(self.name)

    def check(self, fn: LoweredFunction) -> None:
        """Raises `CodegenError` unless every argument of `fn` gets a value that fits it."""
        params = {param.name: param for param in self.params}
        for argument in fn.args:
            name = argument.name
            if not argument.is_buffer:
                value = self.scalars.get(name)
                if value is None or value.type is not argument.type:
                    raise CodegenError(f"{self.name}: no {argument.type} for {name}")
            elif name in self.buffers:
                binding = self.buffers[name]
                shape = (binding.mins, binding.extents, binding.strides)
                if any(len(part) != argument.dimensions for part in shape):
                    raise CodegenError(f"{self.name}: {name} has {argument.dimensions} dimensions")
                if any(e.type is not I64 for e in (binding.offset, *sum(shape, ()))):
                    raise CodegenError(f"{self.name}: the layout of {name} is not in int64")
                pointer = params.get(binding.pointer)
                if pointer is None or pointer.kind == "scalar":
                    raise CodegenError(f"{self.name}: {binding.pointer} is no pointer parameter")
                if pointer.type is not argument.type:
                    raise CodegenError(
                        f"{self.name}: {name} holds {argument.type}, "
                        f"{binding.pointer} points to {pointer.type}"
                    )
            elif name not in self.tables and name != self.result:
                raise CodegenError(f"{self.name}: nothing is bound to {name}")
        if (self.return_type is None) != (self.result is None):
            raise CodegenError(f"{self.name}: a return type needs a result, and a result a type")

    def rows_of(self, param: EntryParam) -> tuple[Expr, ...]:
        """Numbers of rows that the buffers over the row table `param` have."""
        if param.row_count is not None:
            return (param.row_count,)
        stride = row_stride(param.name)
        return tuple(
            extent
            for binding in self.buffers.values()
            if binding.pointer == param.name
            for extent, step in zip(binding.extents, binding.strides, strict=True)
            if stride in set(postorder(step))
        )


def try_name(name: str) -> str:
    """The name of the twin that tells whether it failed: `f_try` of `f_lifted`."""
    stem, found, rest = name.rpartition("_lifted")
    return f"{stem}_try{rest}" if found else f"{name}_try"


def is_given(name: str) -> Variable:
    """The variable that stands for whether the pointer `name` isn't null."""
    made: Variable = Variable(f"{name}.given", BOOL)
    return made


def row_stride(name: str) -> Variable:
    """The variable that stands for the distance of the rows of the table `name`, in elements."""
    made: Variable = Variable(f"{name}.row_stride", I64)
    return made
