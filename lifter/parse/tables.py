"""Constant tables: the values of `static const` arrays, flattened."""

from __future__ import annotations

from compiler.ir import Type

from .failure import unsupported
from .folding import number
from .syntax import Node
from .types import extents_of, holds_union, is_array


def initializer_items(node: Node, shape: tuple[int, ...]) -> dict[int, Node]:
    """The scalar initializers of an array by flat position; what is missing is zero."""
    if node.children and holds_union(node.type):
        raise unsupported(
            "unsupported-expression", node.span, "a list of values for unions", "assign members"
        )
    items: dict[int, Node] = {}
    _collect(node, shape, 0, items)
    return items


def _collect(node: Node, shape: tuple[int, ...], start: int, items: dict[int, Node]) -> int:
    while node.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR") and len(node.children) == 1:
        child = node.children[0]
        if node.kind == "UNEXPOSED_EXPR" and not is_array(node.type):
            break
        node = child
    if node.kind == "STRING_LITERAL":
        raise unsupported("unsupported-expression", node.span, "a string as a table")
    if node.kind != "INIT_LIST_EXPR":
        items[start] = node
        return start + 1
    inner = 1
    for extent in shape[1:]:
        inner *= extent
    position = start
    for child in node.children:
        if child.kind == "INIT_LIST_EXPR" and len(shape) > 1:
            _collect(child, shape[1:], position, items)
            position += inner
        else:
            position = _collect(child, (), position, items)
    return position


def table_values(declaration: Node, element: Type) -> tuple[int | float, ...] | None:
    """The elements of a constant array; None where one of them isn't a constant."""
    extents = extents_of(declaration.type)
    initializer = declaration.initializer
    if initializer is None:
        return None
    values: list[int | float] = [0.0 if element.is_float else 0] * extents.count
    for position, node in initializer_items(initializer, extents.shape).items():
        value = node.evaluate()
        if value is None or position >= len(values):
            return None
        values[position] = number(value, element).value
    return tuple(values)
