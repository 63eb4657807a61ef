"""Elements of arrays: `a[i]` and `*p`, as a number, a place, a pointer and an object."""

from __future__ import annotations

from compiler.ir import I64, Const, Expr, Neg, Sub

from .bindings import Address, ElementObject, Null, Object, Place, Pointer, PointerValue
from .bound import pointee_object
from .dispatch import OBJECT, PLACE, POINTER, VALUE, place_of, pointer_of, value_of
from .failure import unsupported
from .folding import add, fold, index
from .order import in_any_order
from .pointers import dereferenced, known_pointer
from .syntax import Node
from .translation import Translation
from .types import is_array, is_pointer, number_type
from .views import element_at, in_elements, read, seen_as


def subscript_operands(t: Translation, node: Node) -> tuple[Pointer, Expr]:
    """The pointer and the number of elements that `a[i]` adds to it."""
    left, right = node.children
    if not (is_pointer(left.type) or is_array(left.type)):
        left, right = right, left
    found: list[Pointer] = []

    def offset() -> Expr:
        found.append(known_pointer(t, left))
        return found[0].offset

    def distance() -> Expr:
        return in_elements(t, index(value_of(t, right)), node.type, found[0], node)

    _, position = in_any_order(t, (offset, distance), lambda e: (e,), node)
    base = found[0]
    if isinstance(position, Neg):
        position = fold(Sub(Const(I64, 0), position.value))
    return base, position


@POINTER.of("ARRAY_SUBSCRIPT_EXPR")
def subscripted_pointer(t: Translation, node: Node) -> PointerValue:
    base, position = subscript_operands(t, node)
    moved = base.at(add(base.offset, position))
    return moved if is_array(node.type) else dereferenced(moved, node)


@POINTER.of_operator("UNARY_OPERATOR", "*")
def pointee_pointer(t: Translation, node: Node) -> PointerValue:
    return dereferenced(known_pointer(t, node.children[0]), node)


@PLACE.of("ARRAY_SUBSCRIPT_EXPR")
def subscripted_place(t: Translation, node: Node) -> Place:
    base, position = subscript_operands(t, node)
    return element_at(t, base.at(add(base.offset, position)), node)


@PLACE.of_operator("UNARY_OPERATOR", "*")
def pointee_place(t: Translation, node: Node) -> Place:
    pointer = pointer_of(t, node.children[0])
    if isinstance(pointer, Address):
        return seen_as(t, pointer.place, node)
    if isinstance(pointer, Null):
        raise unsupported("pointer-base", node.span, "a null pointer is read or written")
    if not isinstance(pointer, Pointer):
        raise unsupported("unsupported-expression", node.span, "this isn't a number")
    return element_at(t, pointer, node)


@VALUE.of("ARRAY_SUBSCRIPT_EXPR")
@VALUE.of_operator("UNARY_OPERATOR", "*")
def element_value(t: Translation, node: Node) -> Expr:
    return read(place_of(t, node), number_type(node))


@OBJECT.of("ARRAY_SUBSCRIPT_EXPR")
def subscripted_object(t: Translation, node: Node, lasting: bool) -> Object:
    base, position = subscript_operands(t, node)
    return ElementObject(base.at(add(base.offset, position)), node.type)


@OBJECT.of_operator("UNARY_OPERATOR", "*")
def dereferenced_object(t: Translation, node: Node, lasting: bool) -> Object:
    return pointee_object(t, pointer_of(t, node.children[0]), node.children[0])
