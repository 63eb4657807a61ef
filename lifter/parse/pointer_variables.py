"""Pointer variables: what is bound to them, and the scalars that hold where they point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from compiler.ir import (
    BOOL,
    FALSE,
    I64,
    TRUE,
    Add,
    And,
    Cast,
    Const,
    Expr,
    Mul,
    Sub,
    TruncDiv,
    Variable,
    postorder,
)

from ..model.kernel import Assign, Stmt, statements
from .bindings import (
    ZERO,
    Address,
    ElementPlace,
    Environment,
    Key,
    Null,
    Pointer,
    PointerBinding,
    PointerValue,
)
from .bound import pointer_binding, pointers_of
from .categories import NAMES
from .effects import reads, writes
from .failure import unsupported
from .folding import choose
from .memory import refuse_foreign
from .steady import freeze
from .syntax import Node, strip_parentheses
from .translation import Translation

_PLAIN = (Cast, Add, Sub, Mul)


def pointer_variable(t: Translation, node: Node) -> tuple[Node, PointerBinding]:
    """The name of the pointer variable that an expression is, and what it is bound to."""
    target = strip_parentheses(node)
    while target.kind == "UNEXPOSED_EXPR" and len(target.children) == 1:
        target = strip_parentheses(target.children[0])
    is_variable = target.kind in NAMES or pointers_of(t, target) is not None
    binding = pointer_binding(t, target) if is_variable else None
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
    if key in t.freed:
        refuse_foreign(t, value, t.freed[key], f"the end of `{name}`")
    if isinstance(value, Address):
        place = freeze(t, value.place, name)
        assert not isinstance(place, ElementPlace)
        value = Address(place)
    if not isinstance(value, Pointer) or (
        constant and all(isinstance(part, Const) for part in value.parts) and value.row is None
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
    start, given = value.offset, value.given
    if emitted and f"{scalar}.row" in reads(start):
        start = t.capture(start)
    if given is not None and reads(given) & {scalar, f"{scalar}.row"}:
        given = t.capture(given)
    if start is not offset:
        emitted.append(Assign(t.span, scalar, start))
    if given is not None:
        own = given_name(t, key, scalar)
        if given is not own:
            emitted.append(Assign(t.span, own.name, given))
        given = own
    t.emit(*emitted)
    label = old.name if isinstance(old, PointerBinding) else name
    bound = Pointer(value.array, value.element, offset, value.level, row, given)
    t.environment[key] = PointerBinding(label, bound)


def remember_row(t: Translation, key: Key) -> None:
    """That a variable which was just declared stays in its row, if no assignment changes it."""
    bound = t.environment[key]
    if key not in t.reassigned and isinstance(bound, PointerBinding):
        row = bound.value.row if isinstance(bound.value, Pointer) else None
        if isinstance(row, Variable):
            t.steady_rows.add(row.name)


def where(t: Translation, pointer: Pointer, condition: Expr) -> Pointer:
    """The pointer where a condition holds, else null."""
    _note_chosen(t, pointer)
    both = condition if pointer.given is None else And(condition, pointer.given)

    def there(part: Expr) -> Expr:
        return part if _is_harmless(part) else choose(condition, part, ZERO)

    row = None if pointer.row is None else there(pointer.row)
    return replace(pointer, offset=there(pointer.offset), row=row, given=both)


def _is_harmless(offset: Expr) -> bool:
    """Whether an offset may be computed for a null pointer, too, of which it says nothing: it reads
    no memory, and no overflow would tell anything of its parts."""
    return all(
        isinstance(n, (Variable, Const))
        or (n.type is I64 and isinstance(n, _PLAIN))
        or (n.type is I64 and isinstance(n, TruncDiv) and isinstance(n.b, Const) and n.b.value > 0)
        for n in postorder(offset)
    )


def _note_chosen(t: Translation, pointer: Pointer) -> None:
    start = Variable(pointer.array, I64)
    if pointer.offset in (ZERO, start):
        t.chosen.add(pointer.array)


def given_name(t: Translation, key: Any, scalar: str) -> Variable:
    """The boolean that says whether a pointer variable isn't null, beside that of its offset."""
    names = t.declared.pointer_names
    if (key, scalar) not in names:
        names[key, scalar] = t.fresh(f"{scalar}.leads")
    found: Variable = Variable(names[key, scalar], BOOL)
    return found


def met(
    t: Translation, ends: Sequence[Environment], bodies: Sequence[tuple[Stmt, ...]]
) -> list[tuple[Stmt, ...]]:
    """Two branches that meet, with what tells which of them has left a pointer variable null; both
    `ends` then know the variable alike."""
    made = [list(body) for body in bodies]
    for key in ends[0].keys() & ends[1].keys():
        bindings = [b for end in ends if isinstance(b := end[key], PointerBinding)]
        if len(bindings) < len(ends) or bindings[0] == bindings[1]:
            continue
        values = [b.value for b in bindings]
        pointers = [v for v in values if isinstance(v, Pointer) and v.row is None]
        if (
            key in t.constant_keys
            or not all(v in pointers or isinstance(v, Null) for v in values)
            or len({p.base for p in pointers}) != 1
            or (len(pointers) == 2 and pointers[0].given == pointers[1].given)
        ):
            continue
        first, name = pointers[0], bindings[0].name
        _note_chosen(t, first)
        scalar = offset_name(t, key, name, first.base, False)
        own = given_name(t, key, scalar)
        offset = Variable(scalar, I64)
        nowhere = _anywhere(first.offset, bodies[values.index(first)])
        for end, body, value in zip(ends, made, values, strict=True):
            start: Expr = nowhere
            given: Expr = FALSE
            if isinstance(value, Pointer):
                start, given = value.offset, TRUE if value.given is None else value.given
            if start is not offset:
                body.append(Assign(t.span, scalar, start))
            if given is not own:
                body.append(Assign(t.span, own.name, given))
            end[key] = PointerBinding(name, replace(first, offset=offset, given=own))
    return [tuple(body) for body in made]


def _anywhere(offset: Expr, body: Sequence[Stmt]) -> Expr:
    """The offset of a null pointer, which says nothing: that which the pointer has in the other
    branch, at the end of `body`, where it is the same before that branch; else 0."""
    changed = writes(body)
    if isinstance(offset, Variable):
        last = [s.value for s in body if isinstance(s, Assign) and s.name == offset.name]
        times = sum(
            isinstance(s, Assign) and s.name == offset.name for s in statements(tuple(body))
        )
        if len(last) == times == 1:
            offset = last[0]
    is_same = _is_harmless(offset) and changed.isdisjoint(reads(offset))
    return offset if is_same else ZERO


def offset_name(t: Translation, key: Any, name: str, base: tuple[str, int], rows: bool) -> str:
    """The scalar that holds a pointer variable's offset: one for each base it points into."""
    known = t.declared.pointer_names.setdefault((key, base, rows), "")
    if not known:
        known = t.fresh(name, base[0])
        if rows:
            t.declared.names.add(f"{known}.row")
        t.declared.pointer_names[(key, base, rows)] = known
    return known
