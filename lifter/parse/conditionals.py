"""`test ? a : b`: of numbers, places, pointers, objects, and for its effects."""

from __future__ import annotations

from compiler.ir import TRUE, Const, Expr, Variable, negation

from ..model.kernel import Assign, Declare, If, Stmt
from .bindings import ChosenPlace, Null, Object, Place, Pointer, PointerValue, describe, joined
from .categories import names_place
from .conditions import branch, sequenced_condition
from .dispatch import (
    EFFECT,
    OBJECT,
    PLACE,
    POINTER,
    VALUE,
    discard,
    object_of,
    place_of,
    pointer_of,
    value_of,
)
from .failure import unsupported
from .folding import choose
from .objects import copy_object, new_object
from .order import unsequenced
from .pointer_variables import where
from .records import refuse_own_copy
from .syntax import Node
from .translation import Translation


@VALUE.of("CONDITIONAL_OPERATOR")
def chosen_value(t: Translation, node: Node) -> Expr:
    test, one, other = node.children
    condition = sequenced_condition(t, test, (one, other))
    if isinstance(condition, Const):
        return value_of(t, one if condition.value else other)
    arms: list[tuple[list[Stmt], Expr, list[Stmt]]] = []
    for arm, not_taken in ((one, other), (other, one)):
        with t.block() as out, t.expression_region(arm, (test, not_taken)) as region:
            value = value_of(t, arm)
        arms.append((out, value, region.pending))
    (out_a, a, late_a), (out_b, b, late_b) = arms
    if not (out_a or out_b or late_a or late_b):
        return choose(condition, a, b)
    name = t.fresh("t")
    t.emit(
        Declare(t.span, name, a.type),
        If(
            t.span,
            condition,
            (*out_a, Assign(t.span, name, a), *late_a),
            (*out_b, Assign(t.span, name, b), *late_b),
        ),
    )
    chosen: Expr = Variable(name, a.type)
    return chosen


@POINTER.of("CONDITIONAL_OPERATOR")
def chosen_pointer(t: Translation, node: Node) -> PointerValue:
    test, one, other = node.children
    condition = sequenced_condition(t, test, (one, other))
    if isinstance(condition, Const):
        return pointer_of(t, one if condition.value else other)
    since = len(t.out)
    a, b = pointer_of(t, one), pointer_of(t, other)
    if len(t.out) > since:
        raise unsequenced(node)
    if isinstance(a, Pointer) and isinstance(b, Null):
        return where(t, a, condition)
    if isinstance(a, Null) and isinstance(b, Pointer):
        return where(t, b, negation(condition))
    if isinstance(a, Pointer) and isinstance(b, Pointer) and a.base == b.base:
        row = given = None
        if a.row is not None and b.row is not None:
            row = choose(condition, a.row, b.row)
        if a.given is not None or b.given is not None:
            given = choose(condition, a.given or TRUE, b.given or TRUE)
        offset = choose(condition, a.offset, b.offset)
        return Pointer(a.array, a.element, offset, a.level, row, given)
    raise unsupported(
        "pointer-base",
        node.span,
        f"this pointer may point into {describe(a)} or {describe(b)}",
        "choose between the values instead of the pointers, or branch around the loops",
    )


@PLACE.of("CONDITIONAL_OPERATOR")
def chosen_place(t: Translation, node: Node) -> Place:
    test, one, other = node.children
    condition = sequenced_condition(t, test, (one, other))
    if isinstance(condition, Const):
        return place_of(t, one if condition.value else other)
    since = len(t.out)
    a, b = place_of(t, one), place_of(t, other)
    if len(t.out) > since:
        raise unsequenced(node)
    return ChosenPlace(condition, a, b)


@OBJECT.of("CONDITIONAL_OPERATOR")
def chosen_object(t: Translation, node: Node, lasting: bool) -> Object:
    """`test ? a : b` of objects: a copy of the one that is taken."""
    lasting = lasting and names_place(node)
    test, one, other = node.children
    condition = sequenced_condition(t, test, (one, other))
    if isinstance(condition, Const):
        return object_of(t, one if condition.value else other, lasting)
    if lasting:
        raise unsupported(
            "unsupported-expression",
            node.span,
            "one of two objects is more than read here",
            "branch around what is done with it",
        )
    refuse_own_copy(node.type, node)
    made = new_object(t, (-2 - len(t.inlined), node.cursor.hash), "chosen", node.type, node)
    start = t.environment
    bodies, ends = [], []
    for arm in (one, other):
        t.environment = dict(start)
        with t.block() as out, t.expression_region(arm, (test,)) as region:
            copy_object(t, made, object_of(t, arm, lasting=False), node)
            t.flush(region)
        bodies.append(tuple(out))
        ends.append(t.environment)
    t.environment = joined(ends[0], ends[1])
    t.emit(If(t.span, condition, bodies[0], bodies[1]))
    return made


@EFFECT.of("CONDITIONAL_OPERATOR")
def do_chosen(t: Translation, node: Node) -> None:
    test, one, other = node.children
    condition = sequenced_condition(t, test)
    branch(t, condition, lambda: discard(t, one), lambda: discard(t, other))
