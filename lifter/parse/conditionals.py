"""`test ? a : b`: of numbers, places, pointers, objects, and for its effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compiler.ir import TRUE, Add, Cast, Const, Expr, Mul, Sub, Variable, negation

from ..model.kernel import Assign, Declare, If, Stmt
from .bindings import (
    ArrayBinding,
    ChosenPlace,
    ElementPlace,
    Null,
    Object,
    ObjectBinding,
    Place,
    Pointer,
    PointerBinding,
    PointerValue,
    ScalarBinding,
    describe,
    joined,
)
from .bound import binding_key, field_key, flag_at
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
from .objects import copy_object, new_copy, scalars_of
from .order import unsequenced
from .pointer_variables import where
from .records import Field, bases_of, own_fields, refuse_own_copy
from .steady import steady_object
from .syntax import Node, strip
from .translation import Translation
from .types import (
    is_array,
    is_flag_among_bytes,
    is_pointer,
    is_reference,
    pointee_of,
    scalar_type,
)

_CHOSEN = -8
"""The first number of the keys of objects that are one of two."""


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
    if node.cursor.hash in t.decided:
        return pointer_of(t, t.decided[node.cursor.hash])
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


def pointers_to_choose(t: Translation, declared: Node) -> Node | None:
    """The choice by which a pointer that is declared leads into one of two arrays (else it is one
    of offsets), or a reference is one to one of two pointers."""
    start = declared.initializer
    is_reference_to = is_reference(declared.type) and is_pointer(pointee_of(declared.type))
    if start is None or not (is_pointer(declared.type) or is_reference_to):
        return None
    choice = strip(start) if is_reference_to else _begin_of(start)
    if choice.kind != "CONDITIONAL_OPERATOR":
        return None
    bases = [_base_of(t, side) for side in choice.children[1:]]
    if None in bases or (bases[0] == bases[1] and not is_reference_to):
        return None
    return choice


def _begin_of(node: Node) -> Node:
    """The pointer from which a distance is: `p` of `p + n`."""
    inner = strip(node)
    while inner.kind == "BINARY_OPERATOR" and inner.operator in ("+", "-"):
        inner = strip(next((c for c in inner.children if _leads(c.type)), inner.children[0]))
    return inner


def _base_of(t: Translation, node: Node) -> tuple[str, int] | None:
    """The array that a pointer leads into, where a name and distances from it say so."""
    inner = _begin_of(node)
    if inner.kind != "DECL_REF_EXPR" or inner.declaration is None:
        return None
    bound = t.environment.get(binding_key(t, inner))
    if not isinstance(bound, (PointerBinding, ArrayBinding)):
        return None
    value = bound.pointer if isinstance(bound, ArrayBinding) else bound.value
    return value.base if isinstance(value, Pointer) else None


def _leads(type: Any) -> bool:
    return is_pointer(type) or is_array(type)


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
    """`test ? a : b` of objects: a copy of the one that is taken; as a place, that one itself."""
    lasting = lasting and names_place(node)
    test, one, other = node.children
    condition = sequenced_condition(t, test, (one, other))
    if isinstance(condition, Const):
        return object_of(t, one if condition.value else other, lasting)
    if lasting:
        return _one_of(t, node, condition)
    refuse_own_copy(node.type, node)
    made = new_copy(t, (-2 - len(t.inlined), node.cursor.hash), "chosen", node.type, node)
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


def _one_of(t: Translation, node: Node, condition: Expr) -> Object:
    """One of two objects, each of whose members is that of one or of the other."""
    _, one, other = node.children
    since = len(t.out)
    a, b = object_of(t, one), object_of(t, other)
    fields = own_fields(node.type)
    if len(t.out) > since or bases_of(node.type) or not all(map(_is_told_anywhere, (a, b))):
        raise _more_than_read(node)
    chosen = t.capture(condition, "chosen")
    a, b = steady_object(t, a, "chosen"), steady_object(t, b, "chosen")
    places = [_members(t, whole, fields, node) for whole in (a, b)]
    # Not the key of any other: the places of several references may be chosen by one expression.
    made = ObjectBinding((_CHOSEN, len(t.field_keys)), "chosen", node.type)
    for field, mine, theirs in zip(fields, *places, strict=True):
        place = ChosenPlace(chosen, mine, theirs)
        t.environment[field_key(t, made, field.key)] = ScalarBinding(place)
    return made


def _is_told_anywhere(whole: Object) -> bool:
    """Whether where an object is can be computed where the original doesn't: nothing is read for
    it, and nothing overflows that the original wouldn't compute."""
    return isinstance(whole, ObjectBinding) or all(map(_is_small, whole.pointer.parts))


def _is_small(place: Expr) -> bool:
    """Whether a place is made of numbers of 32 bits at most, in 64 bits."""
    if isinstance(place, (Add, Sub)):
        return all(map(_is_small, place.children))
    if isinstance(place, Mul):
        return _is_small(place.a) and isinstance(place.b, Const) and 0 <= place.b.value < 1 << 16
    if isinstance(place, Const):
        return -(1 << 32) <= place.value <= 1 << 32
    while isinstance(place, Cast) and place.value.type.is_integer:
        if place.value.type.bits <= 32 and isinstance(place.value, Variable):
            return True
        place = place.value
    return False


def _members(t: Translation, whole: Object, fields: Sequence[Field], node: Node) -> list[Place]:
    """The numbers that an object is made of, one for each member."""
    places = scalars_of(t, whole, node)
    if len(places) != len(fields) or any(scalar_type(f.type) is None for f in fields):
        raise _more_than_read(node)
    if isinstance(whole, ObjectBinding):
        return places
    return [
        flag_at(p) if is_flag_among_bytes(f.type, whole.type) and isinstance(p, ElementPlace) else p
        for f, p in zip(fields, places, strict=True)
    ]


def _more_than_read(node: Node) -> Exception:
    return unsupported(
        "unsupported-expression",
        node.span,
        "one of two objects is more than read here",
        "branch around what is done with it",
    )


@EFFECT.of("CONDITIONAL_OPERATOR")
def do_chosen(t: Translation, node: Node) -> None:
    test, one, other = node.children
    condition = sequenced_condition(t, test)
    branch(t, condition, lambda: discard(t, one), lambda: discard(t, other))
