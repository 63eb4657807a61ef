"""`&x`, and where lvalues, objects and functions are."""

from __future__ import annotations

from .bindings import (
    Address,
    BitsPlace,
    ElementPlace,
    FunctionAddress,
    ObjectAddress,
    ObjectBinding,
    Pointer,
    PointerValue,
    RealPlace,
)
from .dispatch import POINTER, object_of, place_of, pointer_of
from .elements import subscript_operands
from .failure import unsupported
from .folding import add
from .program import callee_of
from .syntax import Node, strip_parentheses
from .translation import Translation
from .types import is_array, is_pointer, is_record


@POINTER.of_operator("UNARY_OPERATOR", "&")
def pointer_to_operand(t: Translation, node: Node) -> PointerValue:
    return _scalar_address(t, node.children[0])


def _scalar_address(t: Translation, child: Node) -> PointerValue:
    child = strip_parentheses(child)
    if is_record(child.type):
        return object_address(t, child)
    if child.type.kind.name in ("FUNCTIONPROTO", "FUNCTIONNOPROTO"):
        return function_address(t, child)
    if is_array(child.type) or is_pointer(child.type):
        if child.kind == "ARRAY_SUBSCRIPT_EXPR" and is_pointer(child.type):
            base, position = subscript_operands(t, child)
            return base.at(add(base.offset, position))
        if is_array(child.type):
            return pointer_of(t, child)
        raise unsupported("pointer-base", child.span, "the address of a pointer is taken")
    place = place_of(t, child)
    if isinstance(place, BitsPlace):
        raise unsupported("pointer-base", child.span, "the address of a bit-field is taken")
    if isinstance(place, RealPlace):
        message = "the address of a float in a union of integers is taken"
        raise unsupported("pointer-base", child.span, message)
    if not isinstance(place, ElementPlace):
        return Address(place)
    row = place.indices[0] if len(place.indices) == 2 else None
    own = t.declared.arrays[place.array].type
    return Pointer(place.array, own, place.indices[-1], 1, row)


def address_of(t: Translation, node: Node) -> PointerValue:
    """Where an lvalue is, of a number, an array or an object."""
    node = strip_parentheses(node)
    return object_address(t, node) if is_record(node.type) else _scalar_address(t, node)


def object_address(t: Translation, node: Node) -> PointerValue:
    """`&object`."""
    found = object_of(t, node)
    return ObjectAddress(found) if isinstance(found, ObjectBinding) else found.pointer


def function_address(t: Translation, node: Node) -> PointerValue:
    """Which function a name of one leads to."""
    if node.kind == "CONDITIONAL_OPERATOR":
        raise unsupported(
            "pointer-base",
            node.span,
            "this may point to one of two functions",
            "branch around the calls",
        )
    cursor = node.declaration
    definition = None
    if cursor is not None:
        definition = t.program.definition(cursor, callee_of(node))
    if definition is None:
        raise unsupported("unmodelled-call", node.span, "this function isn't seen")
    return FunctionAddress(definition, definition.key)
