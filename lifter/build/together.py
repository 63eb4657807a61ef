"""Outputs over one region that are computed in one loop nest: two images that change places.

    one_out[x] = other[x]          both[x] = Tuple(other[x], one[x])
    other_out[x] = one[x]     ->

A stage with several values computes all of a point before it stores any, so that each may replace
what the others read; and what several of them read is read once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..emit.interface import Interface

if TYPE_CHECKING:
    from compiler.lang.params import OutputImageParam

MOST_TOGETHER = 4


def together(
    interface: Interface, outputs: Sequence[Any]
) -> tuple[list[Any], list[OutputImageParam]]:
    """The `Func`s to compute, and the buffer of each of `outputs` (in the interface's order)."""
    from compiler.frontend.func import Func
    from compiler.lang.references import Tuple
    from compiler.lang.variables import Var

    if not _belong_together(interface, outputs):
        return list(outputs), [func.output_buffer() for func in outputs]
    vars = [Var(name) for name in outputs[0].function.args]
    both = Func("_".join(func.name() for func in outputs))
    both[tuple(vars)] = Tuple([func[tuple(vars)] for func in outputs])
    buffers = list(both.output_buffers())
    for func, buffer in zip(outputs, buffers, strict=True):
        for d in range(buffer.dimensions()):
            buffer.dim(d).promised.update(func.output_buffer().dim(d).promised)
    return [both], buffers


def _belong_together(interface: Interface, outputs: Sequence[Any]) -> bool:
    """Whether all have one region and one layout, nobody has scheduled them, and none reads or
    updates another."""
    if not 2 <= len(outputs) <= MOST_TOGETHER:
        return False
    first, view = outputs[0], interface.outputs[0]
    names = {func.name() for func in outputs}
    for func, other in zip(outputs, interface.outputs, strict=True):
        function = func.function
        same_region = len(view.region) == len(other.region) and all(
            a is c and b is d for (a, b), (c, d) in zip(view.region, other.region, strict=True)
        )
        plain = (
            len(function.definitions) == 1
            and len(function.types) == 1
            and not names & _read_by(function)
            and not any(schedule.touched for schedule in function.schedule.stages)
        )
        if not same_region or view.condition is not other.condition or not plain:
            return False
        for d in range(len(view.region)):
            if func.output_buffer().dim(d).promised != first.output_buffer().dim(d).promised:
                return False
    return len(view.region) > 0


def _read_by(function: Any) -> set[str]:
    from compiler.ir import Call, postorder

    nodes = postorder(*function.definitions[0].values)
    return {node.name for node in nodes if isinstance(node, Call) and node.kind == "func"}
