"""Objects that expressions make: by calls, lists, and conversions."""

from __future__ import annotations

from .bindings import ElementObject, Object, ObjectBinding, Pointer
from .calls import call
from .categories import CASTS, unwrapped
from .construction import elided, is_constructor
from .dispatch import OBJECT, construct, object_of
from .failure import unsupported
from .objects import copy_of, new_copy
from .program import arguments_of
from .records import declaration_of, is_implicit, refuse_own_copy
from .syntax import Node
from .translation import Translation
from .types import is_record


@OBJECT.of("CALL_EXPR")
def called_object(t: Translation, node: Node, lasting: bool) -> Object:
    """What a call gives, or a constructor makes."""
    called = node.declaration
    temporary = elided(node)
    if temporary is not None:
        return object_of(t, temporary, lasting)
    if called is not None and called.kind.name != "CONSTRUCTOR":
        found = call(t, node)
        if isinstance(found, (ObjectBinding, ElementObject)):
            return found
        if isinstance(found, Pointer) and is_record(node.type):
            return ElementObject(found, node.type)
        raise unsupported("unsupported-expression", node.span, "this call gives no object")
    arguments = arguments_of(node)
    if called is not None and is_implicit(called) and len(arguments) == 1:
        refuse_own_copy(node.type, node)
        return copy_of(t, object_of(t, arguments[0], lasting=False), node, node.type)
    return made_object(t, node, lasting)


@OBJECT.of("INIT_LIST_EXPR")
def made_object(t: Translation, node: Node, lasting: bool) -> Object:
    """A temporary that a constructor or a list makes."""
    key = (-2 - len(t.inlined), node.cursor.hash)
    name = str(declaration_of(node.type).spelling).lower()
    made = new_copy(t, key, name, node.type, node)
    construct(t, made, node.type, node)
    return made


@OBJECT.of("PAREN_EXPR", "UNEXPOSED_EXPR", "COMPOUND_LITERAL_EXPR", *CASTS)
def enclosed_object(t: Translation, node: Node, lasting: bool) -> Object:
    """The call or list inside of what libclang shows around it."""
    inner = unwrapped(node)
    if inner.kind not in ("CALL_EXPR", "INIT_LIST_EXPR"):
        raise unsupported("unsupported-expression", node.span, "this object isn't understood")
    return (
        called_object(t, inner, lasting)
        if inner.kind == "CALL_EXPR"
        else made_object(t, inner, lasting)
    )


def source_object(t: Translation, node: Node) -> Object:
    """The object that an expression gives, for one who copies it at once: the copies that C++
    makes on the way are left out."""
    inner = unwrapped(node)
    while inner.kind == "CALL_EXPR" and is_constructor(inner):
        arguments = arguments_of(inner)
        if len(arguments) != 1 or not is_implicit(inner.declaration):
            break
        refuse_own_copy(inner.type, node)
        inner = unwrapped(arguments[0])
    return object_of(t, inner, lasting=False)
