"""What the entry of a lifted function promises of its buffers: origins, and common memory.

Which images lie where one of its outputs is stored:

The compiler may then read them in place (`compiler/lower/in_place.py`) if no two coordinates that
are read or written are the same element. The proof says so of the points that are written
("unique: different points of dst are different elements"), under the preconditions. What is read
beside them, as the alpha of a pixel of which the colours are written, is another element where all
strides are constants, each larger than all that the smaller ones reach together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from compiler.ir import Const, Expr, Max, Min, Sub
from compiler.ir.simplify_coordinate import simplify_coordinate

from ..emit.interface import Box, ImageView, Interface, OutputView

if TYPE_CHECKING:
    from compiler.lower.kept_elements import CallersMemory


def same_memory(
    interface: Interface, outputs: Sequence[Any], hulls: dict[str, Box]
) -> dict[str, str]:
    """The output buffer in whose place each such image lies, both by their names in the pipeline.

    `outputs` are the pipeline's buffers in the interface's order; `hulls` has what is read of each
    array, (smallest, largest) of each coordinate.
    """
    made: dict[str, str] = {}
    for buffer, output in zip(outputs, interface.outputs, strict=True):
        for image in interface.images:
            if _is_laid_out_alike(image, output.view) and _are_different_elements(
                output, hulls[image.array]
            ):
                made[image.name] = buffer.name()
    return made


def callers_memory(interface: Interface, outputs: Sequence[Any]) -> CallersMemory:
    """What lifted code may touch: see `same_memory` for `outputs`."""
    from compiler.lower.kept_elements import CallersMemory

    same: dict[str, str] = {}
    changed: set[str] = set()
    for buffer, output in zip(outputs, interface.outputs, strict=True):
        alike = [i.name for i in interface.images if _is_laid_out_alike(i, output.view)]
        same.update((image, buffer.name()) for image in alike)
        if output.stores_changed:
            changed.add(buffer.name())
    return CallersMemory(same, frozenset(changed))


def promise_origins(
    interface: Interface, outputs: Sequence[Any], arguments: Sequence[Any], hulls: dict[str, Box]
) -> None:
    """Promises the constant first coordinates that the entry binds buffers with.

    With them `x / 4 * 4 + 3` is a known lane of each vector. `arguments` are what the pipeline
    reads; see `same_memory` for the others.
    """
    from compiler.lang.params import InputImageParam

    arrays = {view.name: view.array for view in interface.images}
    for buffer, output in zip(outputs, interface.outputs, strict=True):
        _promise_first(buffer, output.region)
    for argument in arguments:
        if isinstance(argument, InputImageParam):
            _promise_first(argument, hulls[arrays[argument.name()]])


def is_everywhere(ends: tuple[Expr, Expr]) -> bool:
    """Whether there are more coordinates between two ends than a buffer's extent can say: what is
    read is where a number that was read says."""
    lows, highs = list(_numbers(ends[0], Min)), list(_numbers(ends[1], Max))
    return bool(lows and highs) and max(highs) - min(lows) >= (1 << 31) - 1


def _numbers(end: Expr, joins: type[Min] | type[Max]) -> Iterator[int]:
    """Numbers that an end of a hull of several boxes lies at or beyond."""
    pending = [end, simplify_coordinate(end)]
    while pending:
        part = pending.pop()
        if isinstance(part, Const):
            yield int(part.value)
        elif isinstance(part, joins):
            pending += (part.a, part.b)


def _promise_first(image: Any, box: Box) -> None:
    for d, ends in enumerate(box):
        low = simplify_coordinate(ends[0])
        if is_everywhere(ends):
            continue
        dimension = image.dim(d)
        if isinstance(low, Const) and dimension.promised.get("min") is None:
            dimension.set_min(int(low.value))


def _is_laid_out_alike(image: ImageView, output: ImageView) -> bool:
    return (
        image.array == output.array
        and image.type is output.type
        and image.offset is output.offset
        and len(image.strides) == len(output.strides)
        and all(a is b for a, b in zip(image.strides, output.strides, strict=True))
    )


def _are_different_elements(output: OutputView, hull: Box) -> bool:
    """Whether no two points of the region and of what is read are one element."""
    ends = [
        (low, simplify_coordinate(Sub(high, Const(high.type, 1)))) for low, high in output.region
    ]
    if all(
        _is_at_most(low, read_low) and _is_at_most(read_high, high)
        for (low, high), (read_low, read_high) in zip(ends, hull, strict=True)
    ):
        return True
    reach = 0
    strides = output.view.strides
    order = sorted(
        (int(stride.value), number)
        for number, stride in enumerate(strides)
        if isinstance(stride, Const)
    )
    if len(order) < len(strides):
        return False
    for place, (stride, number) in enumerate(order):
        if stride <= reach:
            return False
        bounds = [simplify_coordinate(b) for b in (*ends[number], *hull[number])]
        values = [int(b.value) for b in bounds if isinstance(b, Const)]
        if len(values) == len(bounds):
            reach += stride * (max(values) - min(values))
        elif place < len(order) - 1:
            return False
    return True


def _is_at_most(a: Expr, b: Expr) -> bool:
    """Whether `a` is surely no larger than `b`, both whole numbers without a limit."""
    apart = simplify_coordinate(Sub(b, a))
    return isinstance(apart, Const) and apart.value >= 0
