"""How many bits a launch's indices need: a kernel has an entry for 32, and one for 64.

With 32 bits an index is right where they tell all elements of each memory apart, and where numbers
and blocks are so few that no coordinate comes near the end of what 32 bits hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ...ir import I32
from ...ir.stmts import Kernel, KernelParameter
from ..builder import FunctionBuilder, Value
from ..narrow_indices import MARGIN

IndexWidth = Literal[32, 64]
INDEX_WIDTHS: tuple[IndexWidth, IndexWidth] = (32, 64)

MOST_ELEMENTS = (1 << 31) - MARGIN
"""From the first to the last that a memory may have, both counted."""
MOST_NUMBER = 1 << 28
"""The largest magnitude of an int32 parameter: sums of several of them fit."""
MOST_BLOCKS = 1 << 20
"""Of the first dimension of a launch; no other one may have that many."""


def index_numbers(kernel: Kernel) -> tuple[KernelParameter, ...]:
    """The parameters of which indices may be made."""
    return tuple(p for p in kernel.parameters if not p.is_memory and p.type is I32)


def index_width(elements: Sequence[int], numbers: Sequence[int], blocks: int) -> IndexWidth:
    """The width of a launch's indices.

    `elements` are those of its memories, from the first to the last one that there is, `numbers`
    the values of the kernel's `index_numbers`, `blocks` how many there are along x.
    """
    is_narrow = (
        all(count <= MOST_ELEMENTS for count in elements)
        and all(abs(number) <= MOST_NUMBER for number in numbers)
        and blocks <= MOST_BLOCKS
    )
    return 32 if is_narrow else 64


def takes_narrow(
    f: FunctionBuilder, elements: Sequence[Value], numbers: Sequence[Value], blocks: Value
) -> Value:
    """Whether `index_width` is 32, as an i1 of the host's code; its arguments are i64s."""
    tests = [f.emit("i1", f"icmp sle {count}, {MOST_ELEMENTS}") for count in elements]
    for number in numbers:
        shifted = f.emit("i64", f"add {number}, {MOST_NUMBER}")
        tests.append(f.emit("i1", f"icmp ule {shifted}, {2 * MOST_NUMBER}"))
    tests.append(f.emit("i1", f"icmp sle {blocks}, {MOST_BLOCKS}"))
    holds = tests[0]
    for test in tests[1:]:
        holds = f.emit("i1", f"and {holds}, {test.text}")
    return holds


__all__ = [
    "INDEX_WIDTHS", "MOST_BLOCKS", "MOST_ELEMENTS", "MOST_NUMBER", "IndexWidth", "index_numbers",
    "index_width", "takes_narrow",
]  # fmt: skip
