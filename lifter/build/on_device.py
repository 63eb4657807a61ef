"""Whether images of a call can be copied to a device and back around what runs there.

A copy reads all that lies between the ends of what is read, and writes whole boxes back: that is
the original's own memory only where it touches those ends whatever pixels say, and stores to all of
the box.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from compiler.ir import (
    Add,
    And,
    Call,
    Cast,
    Const,
    Expr,
    Max,
    Min,
    Mul,
    Or,
    Select,
    Sub,
    Variable,
    postorder,
)

from ..emit.interface import Interface
from .same_memory import is_everywhere

if TYPE_CHECKING:
    from compiler.ir.stmts import LoweredFunction


def reads_or_stores_in_part(
    interface: Interface, fn: LoweredFunction, outputs: Sequence[Any]
) -> bool:
    """Whether the original may leave an element alone that such copies touch."""
    from compiler.lower import realization_order

    ends = (b for v in interface.images for box in interface.accesses[v.array] for b in box)
    return (
        len({output.condition for output in interface.outputs}) > 1
        or bool(fn.read_by_pixels or fn.left_to_chance)
        or any(o.is_never_copied or o.stores_changed for o in interface.outputs)
        or any(map(is_everywhere, ends))
        or any(
            _reads_in_part(definition, function.args)
            for function in realization_order(outputs)
            for definition in function.definitions
        )
    )


def _reads_in_part(definition: Any, arguments: Sequence[str]) -> bool:
    """Whether something is read under a condition, or in a box whose ends nobody may reach."""
    domain = definition.domain
    sizes = [] if domain is None else [extent for _, extent in domain.bounds]
    if definition.predicates or not all(isinstance(e, Const) and e.value > 0 for e in sizes):
        return True
    coordinates = {*arguments, *(() if domain is None else domain.names)}
    for node in postorder(*definition.args, *definition.values):
        chosen: tuple[Expr, ...] = ()
        if isinstance(node, Select):
            chosen = (node.a, node.b)
        elif isinstance(node, (And, Or)):
            chosen = (node.b,)
        if any(map(_is_read, postorder(*chosen))):
            return True
        if isinstance(node, Call) and _is_read(node) and not _reaches_ends(node.args, coordinates):
            return True
    return False


def _is_read(node: Expr) -> bool:
    return isinstance(node, Call) and node.kind in ("func", "image")


def _reaches_ends(places: Sequence[Expr], coordinates: Collection[str]) -> bool:
    """Whether what is read at the places is a box with the first and the last of its elements: each
    grows or falls with coordinates of its own."""
    seen: set[str] = set()
    for place in places:
        own = _variables(place) & set(coordinates)
        if own & seen or not _is_monotonic(place, coordinates):
            return False
        seen |= own
    return True


def _is_monotonic(place: Expr, coordinates: Collection[str]) -> bool:
    """Whether a place is least and greatest where each of its coordinates is at an end, and each
    stands in it once."""
    if not _variables(place) & set(coordinates):
        return not any(map(_is_read, postorder(place)))
    match place:
        case Variable():
            return True
        case Cast(value=value):
            return _is_monotonic(value, coordinates)
        case Add(a=a, b=b) | Sub(a=a, b=b):
            apart = not (_variables(a) & _variables(b) & set(coordinates))
            return apart and _is_monotonic(a, coordinates) and _is_monotonic(b, coordinates)
        case Mul(a=a, b=b):
            return (isinstance(b, Const) and _is_monotonic(a, coordinates)) or (
                isinstance(a, Const) and _is_monotonic(b, coordinates)
            )
        case Min(a=a, b=b) | Max(a=a, b=b):
            one = a if _variables(a) & set(coordinates) else b
            other = b if one is a else a
            fixed = not _variables(other) & set(coordinates)
            return fixed and _is_monotonic(one, coordinates) and _is_monotonic(other, coordinates)
    return False


def _variables(expr: Expr) -> set[str]:
    return {node.name for node in postorder(expr) if isinstance(node, Variable)}


__all__ = ["reads_or_stores_in_part"]
