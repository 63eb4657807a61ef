"""Short loops whose counters say which of several pointers is meant, iteration by iteration.

    const u8 *row[3] = { s - pitch, s, s + pitch };      row.0 = ..., row.1 = ..., row.2 = ...
    for (i = 0; i < 3; i++)                              sum += row.0[x];
        sum += row[i][x];                                sum += row.1[x];
                                                         sum += row.2[x];

A local array of pointers is so many pointer variables, each with an array that it leads to, which
can't be looked up by a number that isn't known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from compiler.ir import Type

from .bindings import Binding, ConstantBinding, Key, ScalarBinding, ScalarPlace
from .bound import pointers_of
from .dispatch import run
from .folding import number
from .jumps import jumps
from .loop_parts import loop_parts
from .syntax import Node, sets, strip
from .translation import Translation
from .types import scalar_type

_MOST_ITERATIONS = 16


@dataclass(frozen=True, slots=True)
class _Count:
    """A loop's counter: its declaration, its value in each iteration, and behind the loop."""

    key: Key
    type: Type
    values: tuple[int, ...]
    after: int
    is_own: bool
    """Whether the loop declares it."""


def run_pointers_in_turn(t: Translation, node: Node) -> bool:
    """Emits the iterations of a loop one by one, if it is one of those above."""
    if node.kind != "FOR_STMT":
        return False
    start, test, step, body = loop_parts(node)
    if start is None or test is None or step is None or jumps(body):
        return False
    count = _count(start, test, step)
    if count is None or not _names_pointers(t, body, count.key) or _is_changed(body, count.key):
        return False
    before: Binding | None = t.environment.get(count.key)
    is_plain = isinstance(before, ScalarBinding) and isinstance(before.place, ScalarPlace)
    if not (count.is_own or is_plain):
        return False
    for value in count.values:
        t.environment[count.key] = ConstantBinding(number(value, count.type))
        run(t, (body,))
    if isinstance(before, ScalarBinding) and isinstance(before.place, ScalarPlace):
        t.environment[count.key] = before
        t.span = t.span_of(node)
        t.assign(before.place.name, number(count.after, count.type))
    else:
        del t.environment[count.key]
    return True


def _count(start: Node, test: Node, step: Node) -> _Count | None:
    """The counter of a loop whose text says how many iterations it has."""
    begun = _begun(start)
    if begun is None:
        return None
    key, counted, first, is_own = begun
    type = scalar_type(counted)
    by = _step(step, key)
    if type is None or not type.is_int or counted.is_volatile_qualified() or not by:
        return None
    if test.kind != "BINARY_OPERATOR" or not _is_named(test.children[0], key):
        return None
    bound = test.children[1].evaluate()
    goes_on = {
        "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "!=": int.__ne__,
    }.get(test.operator)  # fmt: skip
    if goes_on is None or not isinstance(bound, int) or not isinstance(first, int):
        return None
    values: list[int] = []
    value = first
    while goes_on(value, bound):
        if len(values) == _MOST_ITERATIONS or not type.contains(value + by):
            return None
        values.append(value)
        value += by
    return _Count(key, type, tuple(values), value, is_own)


def _begun(start: Node) -> tuple[Key, Any, int | float | None, bool] | None:
    """The variable that a loop's first part sets, its type and the number, and whether it is the
    loop's own."""
    if start.kind == "DECL_STMT" and len(start.children) == 1:
        (own,) = start.children
        if own.kind == "VAR_DECL" and own.initializer is not None:
            return own.key, own.type, own.initializer.evaluate(), True
    if start.kind == "BINARY_OPERATOR" and start.operator == "=":
        target = strip(start.children[0])
        if target.kind == "DECL_REF_EXPR" and target.declaration is not None:
            return target.key, target.type, start.children[1].evaluate(), False
    return None


def _step(step: Node, key: Key) -> int | None:
    """By how much a loop's last part changes its counter; None for anything else."""
    if not step.children or not _is_named(step.children[0], key):
        return None
    if step.kind == "UNARY_OPERATOR" and step.is_step:
        return 1 if "++" in step.operator else -1
    if step.kind == "COMPOUND_ASSIGNMENT_OPERATOR" and step.operator in ("+=", "-="):
        by = step.children[1].evaluate()
        return None if not isinstance(by, int) else by if step.operator == "+=" else -by
    return None


def _is_named(node: Node, key: Key) -> bool:
    found = strip(node)
    return found.kind == "DECL_REF_EXPR" and found.declaration is not None and found.key == key


def _names(node: Node, key: Key) -> Iterator[Node]:
    """Where below a node a variable is named."""
    return (n for n in node.walk() if n.kind == "DECL_REF_EXPR" and _is_named(n, key))


def _names_pointers(t: Translation, body: Node, key: Key) -> bool:
    """Whether the counter says which element of an array of pointers is meant."""
    return any(
        pointers_of(t, node) is not None and any(True for _ in _names(node.children[1], key))
        for node in body.walk()
        if node.kind == "ARRAY_SUBSCRIPT_EXPR"
    )


def _is_changed(body: Node, key: Key) -> bool:
    """Whether anything in an iteration may change the counter, or keep where it is: only values of
    it may be taken."""
    values = 0
    for node in body.walk():
        if sets(node) and _is_named(node.children[0], key):
            return True
        if node.kind == "UNEXPOSED_EXPR" and len(node.children) == 1:
            inner = node.children[0]
            values += inner.kind == "DECL_REF_EXPR" and _is_named(inner, key)
    return values != sum(1 for _ in _names(body, key))
