"""What references stand for."""

from __future__ import annotations

from typing import Any

from compiler.ir import Type

from .bindings import (
    Binding,
    ConstantBinding,
    Place,
    Pointer,
    ReferredPointer,
    ScalarBinding,
    ScalarPlace,
)
from .bound import binding_key, member_of, pointer_binding
from .categories import bound_place
from .dispatch import object_of, place_of, value_of
from .folding import convert
from .lambdas import lambda_of
from .pointers import known_pointer
from .program import callee_of
from .pure_function import pure_function
from .records import is_lambda
from .steady import freeze, steady_object, steady_pointer
from .syntax import Node, strip, strip_parentheses
from .translation import Translation
from .types import pointee_of
from .vectors import is_vector_access

_STILL = frozenset({"PAREN_EXPR", "UNEXPOSED_EXPR", "TYPE_REF"})


def referred(t: Translation, start: Node, own: Type, name: str) -> Place:
    """What a reference to a scalar stands for: the place itself, or a copy of a value."""
    place = bound_place(start)
    if place is not None and not _is_lasting_value(t, place) and not _is_bit_field(place):
        return freeze(t, place_of(t, place), name)
    copy = t.fresh(name)
    t.assign(copy, convert(value_of(t, start), own))
    return ScalarPlace(copy, own)


def _is_bit_field(node: Node) -> bool:
    """Whether a reference is bound to a copy, as bit-fields have no address."""
    declared = strip(node).declaration
    return declared is not None and bool(declared.is_bitfield())


def _is_lasting_value(t: Translation, node: Node) -> bool:
    """Whether a place's value is as good as the place: a constant's, or that of `min(a, b)` of
    variables that never change, where `min` is the source's own and is kept by its name."""
    target = strip(node)
    if target.kind == "MEMBER_REF_EXPR":
        return not is_variable(t, target)
    if target.kind == "DECL_REF_EXPR":
        bound = t.environment.get(binding_key(t, target))
        return isinstance(bound, (ConstantBinding, type(None)))
    if target.kind != "CALL_EXPR" or not is_pure_call(t, target):
        return False
    return all(_never_changes(t, n) for c in target.children[1:] for n in c.walk())


def _never_changes(t: Translation, node: Node) -> bool:
    if node.kind == "DECL_REF_EXPR":
        return node.declaration is not None and t.is_constant(node.key)
    if node.kind == "UNARY_OPERATOR":
        return node.operator in ("+", "-", "~", "!")
    if node.kind == "BINARY_OPERATOR":
        return node.operator not in ("=", ",")
    if node.kind == "CALL_EXPR":
        return is_pure_call(t, node)
    return node.kind.endswith("LITERAL") or node.kind in _STILL


def is_pure_call(t: Translation, node: Node) -> bool:
    """Whether a call is one of a function that is kept by its name."""
    if is_vector_access(t, node) or node.declaration is None:
        return False
    definition = t.program.definition(node.declaration, callee_of(node))
    return definition is not None and pure_function(t.program, definition) is not None


def is_variable(t: Translation, member: Node) -> bool:
    """Whether a member of an object is a variable, not a constant."""
    if member.declaration is None or member.declaration.kind.name != "FIELD_DECL":
        return False
    return isinstance(member_of(t, member), (ScalarBinding, Pointer))


def referred_pointer(t: Translation, start: Node, type: Any) -> ReferredPointer | None:
    """What a reference of this type to a pointer variable is bound to; None for any other, which
    may be bound to a copy."""
    if type.kind.name != "LVALUEREFERENCE" or pointee_of(type).is_const_qualified():
        return None
    place = bound_place(start)
    target = None if place is None else strip_parentheses(place)
    if target is None or target.kind != "DECL_REF_EXPR" or target.declaration is None:
        return None
    if pointer_binding(t, target) is None:
        return None
    return ReferredPointer(binding_key(t, target))


def referred_array(t: Translation, start: Node, name: str) -> Pointer:
    """What a reference to an array stands for: its first element, where it is now."""
    return steady_pointer(t, known_pointer(t, start), name)


def reference_to(t: Translation, start: Node, name: str) -> Binding:
    """What a reference to an object is bound to."""
    if is_lambda(start.type):
        return lambda_of(t, start)
    return steady_object(t, object_of(t, start), name)
