"""Conversions: casts, parentheses, and what clang puts around an expression."""

from __future__ import annotations

from compiler.ir import BOOL, FALSE, Expr

from .addresses import function_address
from .bindings import Null, Place, PointerValue
from .categories import CASTS, names_place, operand_of_cast
from .conditions import pointer_truth
from .dispatch import EFFECT, PLACE, POINTER, VALUE, do, place_of, pointer_of, value_of
from .failure import unsupported
from .folding import convert
from .literals import NULLS, constant_of
from .machine_addresses import address_as_number
from .syntax import Node, strip_parentheses
from .translation import Translation
from .types import is_array, is_pointer, number_type, scalar_type
from .views import read, seen_as


@VALUE.of("PAREN_EXPR", "UNEXPOSED_EXPR", *CASTS)
def converted_value(t: Translation, node: Node) -> Expr:
    if not node.children:
        return constant_of(node)
    if node.kind == "UNEXPOSED_EXPR" and len(node.children) > 1:
        raise unsupported("unsupported-expression", node.span, "this expression isn't understood")
    inner = operand_of_cast(node)
    is_place = t.program.has_references and node.kind in CASTS and names_place(inner)
    if is_place and scalar_type(inner.type) is not None:
        # A cast to a reference: the same bytes, seen as another type.
        return read(place_of(t, node), number_type(node))
    if is_pointer(inner.type) or is_array(inner.type):
        if scalar_type(node.type) is BOOL:
            return pointer_truth(t, inner)
        address = address_as_number(t, pointer_of(t, inner), number_type(node))
        if address is not None:
            return address
        raise unsupported("pointer-cast", node.span, "a pointer is converted to a number")
    if inner.type.kind.name == "NULLPTR":
        return FALSE
    if scalar_type(inner.type) is None:
        if inner.type.kind.name == "VOID":
            raise unsupported("unsupported-expression", node.span, "this has no value")
        number_type(inner)
    return convert(value_of(t, inner), number_type(node))


@POINTER.of("PAREN_EXPR", "UNEXPOSED_EXPR", *CASTS)
def converted_pointer(t: Translation, node: Node) -> PointerValue:
    inner = operand_of_cast(node) if node.children else None
    if node.kind == "UNEXPOSED_EXPR" and len(node.children) > 1:
        raise unsupported("unsupported-expression", node.span, "this pointer isn't understood")
    if inner is None:
        raise unsupported("unsupported-expression", node.span, "this pointer isn't understood")
    if is_pointer(inner.type) or is_array(inner.type) or inner.kind in NULLS:
        return pointer_of(t, inner)
    if inner.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") and strip_parentheses(inner).kind in NULLS:
        return Null()
    if inner.type.kind.name == "NULLPTR":
        return Null()
    if inner.type.kind.name in ("FUNCTIONPROTO", "FUNCTIONNOPROTO"):
        return function_address(t, inner)
    raise unsupported(
        "pointer-cast",
        node.span,
        f"`{inner.written_type}` is converted to the pointer type `{node.written_type}`",
    )


@PLACE.of("PAREN_EXPR", "UNEXPOSED_EXPR")
def enclosed_place(t: Translation, node: Node) -> Place:
    if len(node.children) != 1:
        raise unsupported("unsupported-expression", node.span, "this lvalue isn't understood")
    return place_of(t, node.children[0])


@PLACE.of(*CASTS)
def cast_place(t: Translation, node: Node) -> Place:
    """A cast to a reference."""
    if not node.children:
        raise unsupported("unsupported-expression", node.span, "this lvalue isn't understood")
    return seen_as(t, place_of(t, operand_of_cast(node)), node)


@EFFECT.of("UNEXPOSED_EXPR", *CASTS)
def do_operand(t: Translation, node: Node) -> None:
    # With several operands it is no conversion: an atomic operation, for one.
    if node.kind == "UNEXPOSED_EXPR" and len(node.children) != 1:
        raise unsupported("unsupported-expression", node.span, "this expression isn't understood")
    if node.children:
        do(t, operand_of_cast(node))
