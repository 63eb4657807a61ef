"""Pointer variables: what is bound to them, and the scalars that hold where they point."""

from __future__ import annotations

from typing import Any

from compiler.ir import I64, Const, Expr, Variable

from ..model.kernel import Assign
from .bindings import Address, ElementPlace, Key, Pointer, PointerBinding, PointerValue
from .bound import pointer_binding
from .categories import NAMES
from .effects import reads
from .failure import unsupported
from .steady import freeze
from .syntax import Node, strip_parentheses
from .translation import Translation


def pointer_variable(t: Translation, node: Node) -> tuple[Node, PointerBinding]:
    """The name of the pointer variable that an expression is, and what it is bound to."""
    target = strip_parentheses(node)
    while target.kind == "UNEXPOSED_EXPR" and len(target.children) == 1:
        target = strip_parentheses(target.children[0])
    binding = pointer_binding(t, target) if target.kind in NAMES else None
    if binding is None:
        raise unsupported("unsupported-expression", node.span, "this pointer isn't a variable")
    return target, binding


def set_pointer(
    t: Translation, key: Any, name: str, value: PointerValue, constant: bool = False
) -> None:
    """Binds a pointer variable and emits its new offset (and row).

    A `constant` variable that starts at a constant place needs no scalar of its own.
    """
    if key in t.constant_keys:
        raise t.field_written(t.constant_keys[key])
    if isinstance(value, Address):
        place = freeze(t, value.place, name)
        assert not isinstance(place, ElementPlace)
        value = Address(place)
    if not isinstance(value, Pointer) or (
        constant and isinstance(value.offset, Const) and value.row is None
    ):
        t.environment[key] = PointerBinding(name, value)
        return
    old = t.environment.get(key)
    scalar = offset_name(t, key, name, value.base, value.row is not None)
    row: Expr | None = None
    emitted: list[Assign] = []
    if value.row is not None:
        row = Variable(f"{scalar}.row", I64)
        if constant and reads(value.row) & t.steady_rows and not value.row.children:
            row = value.row  # `end` of `p` is in p's row
        elif value.row is not row:
            emitted.append(Assign(t.span, f"{scalar}.row", value.row))
    offset = Variable(scalar, I64)
    start = value.offset
    if emitted and f"{scalar}.row" in reads(start):
        start = t.capture(start)
    if start is not offset:
        emitted.append(Assign(t.span, scalar, start))
    t.emit(*emitted)
    label = old.name if isinstance(old, PointerBinding) else name
    bound = Pointer(value.array, value.element, offset, value.level, row)
    t.environment[key] = PointerBinding(label, bound)


def remember_row(t: Translation, key: Key) -> None:
    """That a variable which was just declared stays in its row, if no assignment changes it."""
    bound = t.environment[key]
    if key not in t.reassigned and isinstance(bound, PointerBinding):
        row = bound.value.row if isinstance(bound.value, Pointer) else None
        if isinstance(row, Variable):
            t.steady_rows.add(row.name)


def offset_name(t: Translation, key: Any, name: str, base: tuple[str, int], rows: bool) -> str:
    """The scalar that holds a pointer variable's offset: one for each base it points into."""
    known = t.declared.pointer_names.setdefault((key, base, rows), "")
    if not known:
        known = t.fresh(name, base[0])
        if rows:
            t.declared.names.add(f"{known}.row")
        t.declared.pointer_names[(key, base, rows)] = known
    return known
