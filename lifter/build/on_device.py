"""Whether images of a call can be copied to a device and back around what runs there.

A copy reads all that lies between the ends of what is read, and writes whole boxes back: that is
the original's own memory only where it reads those ends whatever pixels say, and stores to all of
the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from compiler.ir import And, Call, Expr, Or, Select, postorder

from ..emit.interface import Interface
from .same_memory import is_everywhere

if TYPE_CHECKING:
    from compiler.ir.stmts import LoweredFunction


def reads_or_stores_in_part(
    interface: Interface, fn: LoweredFunction, outputs: Sequence[Any]
) -> bool:
    """Whether the original may leave an element alone that such copies touch."""
    from compiler.lower import realization_order

    conditions = {output.condition for output in interface.outputs}
    return (
        len(conditions) > 1
        or bool(fn.read_by_pixels or fn.left_to_chance)
        or any(o.is_never_copied or o.stores_changed for o in interface.outputs)
        or any(map(is_everywhere, (b for v in interface.images for b in _ends(interface, v.array))))
        or any(
            definition.predicates
            for function in realization_order(outputs)
            for definition in function.definitions
        )
        or any(
            _reads_in_part(e)
            for function in realization_order(outputs)
            for definition in function.definitions
            for e in (*definition.args, *definition.values)
        )
    )


def _ends(interface: Interface, array: str) -> list[tuple[Expr, Expr]]:
    return [ends for box in interface.accesses[array] for ends in box]


def _reads_in_part(expr: Expr) -> bool:
    """Whether something is read under a condition."""
    for node in postorder(expr):
        chosen: tuple[Expr, ...] = ()
        if isinstance(node, Select):
            chosen = (node.a, node.b)
        elif isinstance(node, (And, Or)):
            chosen = (node.b,)
        if any(isinstance(x, Call) and x.kind in ("func", "image") for x in postorder(*chosen)):
            return True
    return False


__all__ = ["reads_or_stores_in_part"]
