"""Value categories: which expressions name a place, and which make a value.

libclang shows no categories, but the tree has them: an implicit conversion stands wherever a place
is read, so `(int)x` has one around `x` and `(int &)x` has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .syntax import Node
from .types import is_pointer, is_record, is_reference, pointee_of

NAMES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR"})


@dataclass(frozen=True, slots=True)
class CastKind:
    """A kind of cast."""

    retypes: bool
    """Whether it may lead from a pointer to one that sees the memory as other elements."""


CASTS = {
    "CSTYLE_CAST_EXPR": CastKind(retypes=True),
    "CXX_STATIC_CAST_EXPR": CastKind(retypes=True),
    "CXX_REINTERPRET_CAST_EXPR": CastKind(retypes=True),
    "CXX_CONST_CAST_EXPR": CastKind(retypes=False),
    "CXX_FUNCTIONAL_CAST_EXPR": CastKind(retypes=False),
}
_VARIABLES = frozenset({"VAR_DECL", "PARM_DECL", "FIELD_DECL", "UNEXPOSED_DECL"})
_STEPS = ("++p", "--p")
_WRAPPERS = frozenset(
    {"UNEXPOSED_EXPR", "PAREN_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "COMPOUND_LITERAL_EXPR"}
)


def operand_of_cast(node: Node) -> Node:
    """The expression that a cast converts (the type's own children stand before it)."""
    return node.children[-1]


def unwrapped(node: Node) -> Node:
    """The call or list inside of what libclang shows around it."""
    while node.kind in _WRAPPERS:
        inner = [c for c in node.children if not c.kind.endswith("_REF")]
        if len(inner) != 1:
            break
        node = inner[0]
    return node


def names_place(node: Node) -> bool:
    """Whether an expression is a glvalue: what a reference to its type is bound to without a copy.

    A temporary isn't one here, though a reference may be bound to it: nobody else sees it.
    """
    kind = node.kind
    if kind == "PAREN_EXPR":
        return names_place(node.children[0])
    if kind == "UNEXPOSED_EXPR":
        return len(node.children) == 1 and _keeps_place(node, node.children[0])
    if kind in NAMES:
        return node.declaration is not None and node.declaration.kind.name in _VARIABLES
    if kind == "ARRAY_SUBSCRIPT_EXPR" or kind == "COMPOUND_ASSIGNMENT_OPERATOR":
        return True
    if kind == "UNARY_OPERATOR":
        return node.operator == "*" or node.operator in _STEPS
    if kind == "BINARY_OPERATOR":
        return node.operator == "=" or (node.operator == "," and names_place(node.children[1]))
    if kind == "CONDITIONAL_OPERATOR":
        return all(map(names_place, node.children[1:]))
    if kind == "CALL_EXPR":
        return is_reference(result_of_call(node))
    return kind in CASTS and bool(node.children) and names_place(operand_of_cast(node))


def _keeps_place(node: Node, inner: Node) -> bool:
    """Whether what stands around a place only adds `const` to it, or names a base of it."""
    if not names_place(inner):
        return False
    if is_record(node.type) and is_record(inner.type):
        return True
    same = _unqualified(node.type) == _unqualified(inner.type)
    return same and bool(node.type.is_const_qualified())


def _unqualified(type: Any) -> str:
    return str(type.spelling).removeprefix("const ")


def bound_place(start: Node) -> Node | None:
    """The place that a reference with this initializer is bound to; None for a temporary.

    What stands around all of an initializer may also be the end of the temporaries in it: to bind a
    reference to a place of its type reads nothing.
    """
    node = start
    while not names_place(node):
        if node.kind not in ("UNEXPOSED_EXPR", "PAREN_EXPR") or len(node.children) != 1:
            return None
        inner = node.children[0]
        if _unqualified(node.type) != _unqualified(inner.type):
            return None
        node = inner
    return node


def result_of_call(node: Node) -> Any:
    """The clang type that the called function returns, canonical; a call's own type is never a
    reference."""
    called = node.declaration
    if called is None:
        return node.type
    if called.kind.name in _VARIABLES:
        type = called.type.get_canonical()
        type = pointee_of(type) if is_pointer(type) or is_reference(type) else type
        return type.get_result().get_canonical()
    return called.result_type.get_canonical()


def designated(node: Node) -> Iterator[Node]:
    """The names of variables and fields that an expression used as a place may stand for."""
    kind = node.kind
    if kind in NAMES:
        if node.declaration is not None:
            yield node
    elif kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") or kind in CASTS:
        if node.children:
            yield from designated(node.children[-1])
    elif kind == "CONDITIONAL_OPERATOR":
        for arm in node.children[1:]:
            yield from designated(arm)
    elif kind == "BINARY_OPERATOR" and node.operator in ("=", ","):
        yield from designated(node.children[node.operator == ","])
    elif kind == "COMPOUND_ASSIGNMENT_OPERATOR" or (
        kind == "UNARY_OPERATOR" and node.operator in _STEPS
    ):
        yield from designated(node.children[0])
