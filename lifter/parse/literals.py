"""Literals, and constants that clang folds."""

from __future__ import annotations

from compiler.ir import Expr

from .bindings import Null, PointerValue
from .dispatch import EFFECT, POINTER, VALUE, value_of
from .failure import unsupported
from .folding import convert, number
from .library_types import check_size
from .syntax import Node
from .translation import Translation
from .types import number_type

NULLS = ("CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR", "INTEGER_LITERAL")
"""What a null pointer may be written as."""


@VALUE.of("INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR")
def constant_value(t: Translation, node: Node) -> Expr:
    return constant_of(node)


@VALUE.of("CXX_UNARY_EXPR")
def size_value(t: Translation, node: Node) -> Expr:
    """`sizeof` and `alignof`."""
    check_size(node)
    _check_strings(node)
    return constant_of(node)


def _check_strings(node: Node) -> None:
    """Raises for the size of a string that compilers make themselves: `__FILE__` and its like."""
    for part in node.cursor.walk_preorder():
        unnamed = part.kind.name == "UNEXPOSED_EXPR" and not list(part.get_children())
        if part.kind.name != "STRING_LITERAL" and not unnamed:
            continue
        words = [token.spelling for token in part.get_tokens()]
        if not words or not all(word == "__func__" or word.endswith('"') for word in words):
            message = "the size of a string that isn't written here"
            raise unsupported("unsupported-expression", node.span, message)


@POINTER.of(*NULLS)
def null_pointer(t: Translation, node: Node) -> PointerValue:
    return Null()


@VALUE.of("INIT_LIST_EXPR")
def listed_value(t: Translation, node: Node) -> Expr:
    """`{}` and `{x}` as a number."""
    if len(node.children) == 1:
        return convert(value_of(t, node.children[0]), number_type(node))
    found = number(0, number_type(node)) if not node.children else constant_of(node)
    return found


@VALUE.of("LAMBDA_EXPR")
def lambda_value(t: Translation, node: Node) -> Expr:
    raise unsupported("lambda", node.span, "a lambda is used as a number")


@VALUE.of("CXX_THROW_EXPR")
def thrown_value(t: Translation, node: Node) -> Expr:
    raise unsupported("exception", node.span, "`throw` isn't understood")


@EFFECT.of("CXX_THROW_EXPR")
def do_throw(t: Translation, node: Node) -> None:
    thrown_value(t, node)


def constant_of(node: Node) -> Expr:
    """The number that clang's constant folding gives the expression."""
    found = node.evaluate()
    if found is None:
        raise unsupported("unsupported-expression", node.span, "this constant isn't understood")
    return number(found, number_type(node))
