"""Elements of arrays: `a[i]` and `*p`, as a number, a place, a pointer and an object."""

from __future__ import annotations

from dataclasses import replace

from compiler.ir import I64, Const, Expr, Neg, Sub

from .bindings import (
    Address,
    Binding,
    ElementObject,
    Null,
    Object,
    ObjectBinding,
    Place,
    Pointer,
    PointerBinding,
    PointerValue,
    ScalarBinding,
    ScalarPlace,
)
from .bound import (
    base_object,
    bound_pointer,
    element_name,
    is_static,
    pointee_object,
    pointer_binding,
    pointers_of,
)
from .dispatch import OBJECT, PLACE, POINTER, VALUE, place_of, pointer_of, value_of
from .failure import unsupported
from .folding import add, fold, index
from .function_pointers import function_of_table
from .null_tests import PARAMETER_OBJECTS
from .order import in_any_order
from .pointers import dereferenced, known_pointer
from .syntax import Node, strip
from .translation import StartAgain, Translation
from .types import is_array, is_pointer, number_type, scalar_type
from .vector_values import is_lane, lane_value
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


def _own_element(t: Translation, node: Node) -> Binding | None:
    """The parameter that `f->data[1]` is: an element of an array that is a member of a parameter,
    or of an array of pointers or integers, or a table of tables, around a region, at a place that
    the whole kernel has in common.
    None where it is an element like any other."""
    member = strip(node.children[0])
    is_apart = member.kind == "DECL_REF_EXPR" and member.key in t.arrays_apart
    if not (is_array(member.type) or is_apart):
        return None
    if member.kind == "MEMBER_REF_EXPR" and is_static(member):
        return None
    if member.kind == "MEMBER_REF_EXPR":
        owner = base_object(t, member, lasting=False)
        if not isinstance(owner, ObjectBinding) or owner.key[0] != PARAMETER_OBJECTS:
            return None
        array = f"{owner.name}.{member.spelling}"
    elif is_apart:
        array = member.spelling
    else:
        return None
    count = member.type.element_count if member.type.kind.name == "CONSTANTARRAY" else None
    index = _common_index(t, node.children[1], count)
    if index is None or array in t.known.whole or is_array(node.type):
        return None
    if scalar_type(node.type) is None and not is_pointer(node.type):
        return None
    known = t.known.elements.get(array, ())
    if index not in known:
        raise StartAgain(replace(t.known, elements={**t.known.elements, array: (*known, index)}))
    return t.elements.get(element_name(array, index))


def _common_index(t: Translation, node: Node, count: int | None) -> str | None:
    """How C writes an index that is a constant inside of the array, or a parameter of a region."""
    node = strip(node)
    constant = node.evaluate()
    if constant is not None:
        is_inside = isinstance(constant, int) and constant >= 0 and (not count or constant < count)
        return str(constant) if is_inside else None
    if t.definition is None or not t.definition.is_region or node.kind != "DECL_REF_EXPR":
        return None
    binding = t.environment.get(node.key)
    if not isinstance(binding, ScalarBinding) or not isinstance(binding.place, ScalarPlace):
        return None
    name = binding.place.name
    return name if name in t.constant_scalars and name in t.fixed else None


@POINTER.of("ARRAY_SUBSCRIPT_EXPR")
def subscripted_pointer(t: Translation, node: Node) -> PointerValue:
    own = _own_element(t, node)
    if pointers_of(t, node) is not None:
        own = pointer_binding(t, node)
    if isinstance(own, PointerBinding):
        return bound_pointer(own, node)
    function = function_of_table(t, node)
    if function is not None:
        return function
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
def subscripted_value(t: Translation, node: Node) -> Expr:
    if is_lane(node):
        return lane_value(t, node)
    own = _own_element(t, node)
    if isinstance(own, ScalarBinding):
        return read(own.place, number_type(node))
    return element_value(t, node)


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
