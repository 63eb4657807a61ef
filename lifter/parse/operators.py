"""Unary and binary operators that compute a number."""

from __future__ import annotations

from compiler.ir import COMPARISON_OF, BitNot, Expr, Neg, negation

from .arithmetic import ARITHMETIC, operation
from .bindings import Object, Place, PointerValue
from .conditions import condition_of
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
from .folding import convert, fold
from .machine_addresses import remainder_of_address
from .order import values_of
from .pointers import compare_pointers, pointer_difference
from .syntax import Node
from .translation import Translation
from .types import is_array, is_pointer, number_type


@VALUE.of_operator("BINARY_OPERATOR", *COMPARISON_OF)
def compared_value(t: Translation, node: Node) -> Expr:
    left, right = node.children
    if is_pointer(left.type) or is_array(left.type) or is_pointer(right.type):
        return convert(compare_pointers(t, node), number_type(node))
    a, b = values_of(t, (left, right), node)
    compared: Expr = COMPARISON_OF[node.operator](a, b)
    return convert(fold(compared), number_type(node))


@VALUE.of_operator("BINARY_OPERATOR", *ARITHMETIC)
def computed_value(t: Translation, node: Node) -> Expr:
    left, right = node.children
    if node.operator == "-" and (
        is_pointer(left.type) or is_array(left.type) or is_pointer(right.type)
    ):
        return pointer_difference(t, node)
    a, b = values_of(t, (left, right), node)
    remainder = remainder_of_address(node.operator, a, b)
    return operation(node.operator, a, b) if remainder is None else remainder


@VALUE.of("BINARY_OPERATOR", "UNARY_OPERATOR")
def unknown_operator(t: Translation, node: Node) -> Expr:
    raise unsupported("unsupported-expression", node.span, f"`{node.operator}` isn't understood")


@VALUE.of_operator("UNARY_OPERATOR", "!")
def opposite_value(t: Translation, node: Node) -> Expr:
    return convert(negation(condition_of(t, node.children[0])), number_type(node))


@VALUE.of_operator("UNARY_OPERATOR", "+", "-", "~", "__extension__")
def signed_value(t: Translation, node: Node) -> Expr:
    value = value_of(t, node.children[0])
    if node.operator == "-":
        return fold(Neg(value))
    return fold(BitNot(value)) if node.operator == "~" else value


# `a, b`


@VALUE.of_operator("BINARY_OPERATOR", ",")
def last_value(t: Translation, node: Node) -> Expr:
    discard(t, node.children[0])
    return value_of(t, node.children[1])


@PLACE.of_operator("BINARY_OPERATOR", ",")
def last_place(t: Translation, node: Node) -> Place:
    discard(t, node.children[0])
    return place_of(t, node.children[1])


@POINTER.of_operator("BINARY_OPERATOR", ",")
def last_pointer(t: Translation, node: Node) -> PointerValue:
    discard(t, node.children[0])
    return pointer_of(t, node.children[1])


@OBJECT.of_operator("BINARY_OPERATOR", ",")
def last_object(t: Translation, node: Node, lasting: bool) -> Object:
    discard(t, node.children[0])
    return object_of(t, node.children[1], lasting)


@EFFECT.of_operator("BINARY_OPERATOR", ",")
def do_both(t: Translation, node: Node) -> None:
    for child in node.children:
        discard(t, child)
