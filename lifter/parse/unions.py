"""Unions of numbers: one memory, seen by each member at its own width.

A union is an array of the narrowest integers that a member is made of; a wider member is assembled
from them, the lowest first (x86-64 and AArch64 are little endian). C says so; C++ leaves reading a
member that wasn't written undefined, but compilers do what C says. Floats beside integers are
their bits.
"""

from __future__ import annotations

from compiler.ir import I64, Const

from .bindings import ElementObject, Place
from .dispatch import object_of, value_of
from .failure import unsupported
from .folding import number
from .memory import allocate, fill
from .objects import copy_object
from .records import (
    default_initializer,
    is_implicit,
    own_fields,
    refuse_destructor,
    refuse_own_copy,
)
from .syntax import Node, strip
from .translation import Translation
from .types import extents_of, is_record, scalar_type
from .views import numbers_of, real_at, write


def declare_union(t: Translation, node: Node) -> None:
    """A local variable that is a union: its memory, and its first value."""
    type = node.type
    extents = extents_of(type)
    if extents.element is None:
        raise unsupported(
            "unsupported-type",
            node.span,
            f"`{type.spelling}` is a union of more than numbers: which of its members is "
            "meant isn't understood",
            "convert between the types by shifts and masks",
        )
    refuse_own_copy(type, node)
    refuse_destructor(type, node)
    fields = own_fields(type)
    if any(default_initializer(f) for f in fields):
        raise unsupported(
            "unsupported-type", node.span, "a member of a union with a value of its own",
            "give the variable its value where it is declared",
        )  # fmt: skip
    size = Const(I64, extents.count)
    memory = allocate(t, node.spelling, extents.element, size, extents.shape)
    made = ElementObject(memory, type)
    t.bind(node, made)
    start = node.initializer
    if start is None or _is_left_open(start):
        return
    with t.expression_region(start) as region:
        inner = _copied_union(start)
        if inner.kind != "INIT_LIST_EXPR":
            source = object_of(t, inner, lasting=False)
            copy_object(t, made, source, node)
        elif len(inner.children) == 1 and scalar_type(fields[0].type) is not None:
            # One value is for the first member; all others share its bytes.
            first = scalar_type(fields[0].type)
            assert first is not None
            place: Place
            if first.is_float and not memory.element.is_float:
                place = real_at(t, memory, first)
            else:
                (place,) = numbers_of(t, memory, fields[0].type, node)
            if place.type.bytes < type.get_size():
                fill(t, memory, size, number(0, extents.element))
            write(t, place, value_of(t, inner.children[0]))
        elif not inner.children:
            fill(t, memory, size, number(0, extents.element))
        else:
            raise unsupported(
                "unsupported-expression", start.span, "this list for a union isn't understood",
                "assign a member",
            )  # fmt: skip
        t.flush(region)


def _is_left_open(start: Node) -> bool:
    """Whether a declaration without a value is C++'s own construction of nothing."""
    inner = strip(start)
    if inner.kind != "CALL_EXPR" or list(inner.cursor.get_arguments()):
        return False
    if inner.declaration is None or not is_implicit(inner.declaration):
        raise unsupported(
            "unsupported-type", start.span, "a union with a constructor of its own",
            "assign a member",
        )  # fmt: skip
    return True


def _copied_union(node: Node) -> Node:
    node = strip(node)
    while node.kind == "CALL_EXPR" and is_record(node.type) and len(node.children) == 1:
        node = strip(node.children[0])  # C++'s own copy
    return node
