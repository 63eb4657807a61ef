"""Conditions, and the operators whose right side may not be evaluated."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.ir import BOOL, TRUE, And, Const, Expr, Or, negation

from ..model.kernel import Assign, If, Stmt
from .bindings import joined
from .dispatch import EFFECT, VALUE, discard, pointer_of, value_of
from .folding import convert
from .null_tests import is_not_null
from .syntax import Node, strip
from .translation import Translation
from .types import is_array, is_pointer, number_type


def condition_of(t: Translation, node: Node) -> Expr:
    """A scalar or pointer expression as a boolean."""
    if is_pointer(node.type) or is_array(node.type):
        return pointer_truth(t, node)
    return convert(value_of(t, node), BOOL)


def sequenced_condition(t: Translation, node: Node, after: Sequence[Node] = ()) -> Expr:
    """A condition whose side effects, if any, are over when it has its value, and before those
    of `after` begin."""
    with t.expression_region(node, after) as region:
        found = condition_of(t, node)
        if region.pending:
            found = t.capture(found)
            t.flush(region)
    return found


def pointer_truth(t: Translation, node: Node) -> Expr:
    """A pointer as a condition."""
    if strip(node).kind == "STRING_LITERAL":
        return TRUE
    return is_not_null(t, pointer_of(t, node), node)


@VALUE.of_operator("BINARY_OPERATOR", "&&", "||")
def logical_value(t: Translation, node: Node) -> Expr:
    left, right = node.children
    kind: type[Expr] = And if node.operator == "&&" else Or
    first = sequenced_condition(t, left, (right,))
    if isinstance(first, Const):
        if bool(first.value) == (kind is Or):
            return convert(first, number_type(node))
        return convert(sequenced_condition(t, right), number_type(node))
    with t.block() as out, t.expression_region(right, (left,)) as region:
        second = condition_of(t, right)
    if out or region.pending:
        name = t.fresh("t")
        t.made.add(name)
        test = t.assign(name, first)
        body = (*out, Assign(t.span, name, second), *region.pending)
        t.emit(If(t.span, test if kind is And else negation(test), body))
        return convert(test, number_type(node))
    if isinstance(second, Const):
        if bool(second.value) == (kind is And):
            return convert(first, number_type(node))
        return convert(second, number_type(node))
    return convert(kind(first, second), number_type(node))


@EFFECT.of_operator("BINARY_OPERATOR", "&&", "||")
def do_logical(t: Translation, node: Node) -> None:
    left, right = node.children
    test = sequenced_condition(t, left)
    branch(t, negation(test) if node.operator == "||" else test, lambda: discard(t, right))


def branch(
    t: Translation,
    test: Expr,
    then: Callable[[], None],
    otherwise: Callable[[], None] | None = None,
) -> None:
    """Emits `if (test) then(); else otherwise();`, or what a constant test chooses."""
    if isinstance(test, Const):
        chosen = then if test.value else otherwise
        if chosen is not None:
            chosen()
        return
    bodies: list[tuple[Stmt, ...]] = []
    start, ends = t.environment, []
    for action in (then, otherwise):
        t.environment = dict(start)
        with t.block() as out:
            if action is not None:
                action()
        bodies.append(tuple(out))
        ends.append(t.environment)
    t.environment = joined(ends[0], ends[1])
    t.emit(If(t.span, test, bodies[0], bodies[1]))
