"""Lists of values: what they give the elements of an array, flattened; constant tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compiler.ir import Type

from .failure import unsupported
from .folding import number
from .syntax import Node, key_of
from .types import extents_of, holds_bits, holds_union, is_array, is_record


def initializer_items(node: Node, type: Any) -> dict[int, Node]:
    """The scalar initializers of an array (of structures of numbers, perhaps) of a clang type by
    flat position; what is missing is zero. Braces may be left out, and elements may be named."""
    if node.children and holds_union(type):
        raise unsupported(
            "unsupported-expression", node.span, "a list of values for unions", "assign members"
        )
    listed, items = _inside(node), dict[int, Node]()
    if listed.kind != "INIT_LIST_EXPR":
        is_text = listed.kind == "STRING_LITERAL"
        what = "a string as a table" if is_text else "an array's values that aren't a list"
        raise unsupported("unsupported-expression", node.span, what)
    _collect(listed, type, 0, items)
    return items


def _collect(node: Node, type: Any, start: int, items: dict[int, Node]) -> None:
    """Adds what the list `node` gives a part of this type that begins at `start`."""
    if is_record(type) and holds_bits(type):
        message = "a list of values for bit-fields"
        raise unsupported("unsupported-expression", node.span, message)
    position = 0
    for child in node.children:
        if child.kind == "UNEXPOSED_EXPR" and child.type.kind.name == "VOID":
            *designators, value = child.children
            places = list(_designated(child, designators, type))
            if len(places) > 1 and value.evaluate() is None:
                message = "a range of elements whose value is no constant"
                raise unsupported("unsupported-expression", child.span, message)
        else:
            value, places = child, [position]
        for place in places:
            position = place + _give(value, type, start, place, items)


def _give(value: Node, type: Any, start: int, position: int, items: dict[int, Node]) -> int:
    """Gives what begins at a position in a part its value; tells how many numbers that has."""
    inner = _inside(value)
    if inner.kind == "STRING_LITERAL":
        raise unsupported("unsupported-expression", value.span, "a string as a table")
    if inner.kind != "INIT_LIST_EXPR":
        if is_record(inner.type):
            message = "an object in a list of values"
            raise unsupported("unsupported-expression", value.span, message)
        if position >= extents_of(type).count:
            raise unsupported("unsupported-expression", value.span, "this list is too long")
        items[start + position] = value
        return 1
    part = _part(type, position, value)
    count = extents_of(part).count
    for place in range(start + position, start + position + count):
        items.pop(place, None)  # what was there, the list gives anew
    if is_array(part) or is_record(part):
        _collect(inner, part, start + position, items)
    elif inner.children:
        items[start + position] = inner.children[0]
    return count


def _part(type: Any, position: int, node: Node) -> Any:
    """The largest part of a type, less than all of it, whose numbers begin at a position."""
    for part, at in _parts(type, position, node):
        if at == position:
            return part
        if at < position < at + extents_of(part).count:
            return _part(part, position - at, node)
    raise unsupported("unsupported-expression", node.span, "this list is too long")


def _parts(type: Any, position: int, node: Node) -> Iterator[tuple[Any, int]]:
    """The parts of an array or a structure, with where they begin; of an array, that in which a
    position lies."""
    if is_array(type):
        element = type.element_type.get_canonical()
        count = extents_of(element).count
        if count:
            yield element, position // count * count
        return
    at = 0
    for field in type.get_fields():
        part = field.type.get_canonical()
        yield part, at
        at += extents_of(part).count


def _designated(node: Node, designators: list[Node], type: Any) -> Iterator[int]:
    """The positions in a part that `[1]`, `[0 ... 3]`, `.b`, `[2].b` name."""
    words = [token.spelling for token in node.cursor.get_tokens()]
    words = words[: words.index("=")] if "=" in words else []
    is_range = "..." in words
    if words.count("[") + words.count(".") != (1 if is_range else len(designators)):
        raise unsupported(
            "unsupported-expression", node.span, "this designator isn't understood",
            "name elements as `[1] =` and `.b =`",
        )  # fmt: skip
    position, last = 0, 0
    for designator in designators[:1] if is_range else designators:
        if designator.kind == "MEMBER_REF":
            type, offset = _field(type, designator)
            position += offset
            continue
        index = designator.evaluate()
        assert isinstance(index, int)
        type = type.element_type.get_canonical()
        position += index * extents_of(type).count
    count = extents_of(type).count
    if is_range:
        end = designators[1].evaluate()
        assert isinstance(end, int)
        last = end * count
    yield from range(position, max(position, last) + 1, max(count, 1))


def _field(type: Any, designator: Node) -> tuple[Any, int]:
    """The member of a structure that `.b` names, and where its numbers begin."""
    named = key_of(designator.cursor.referenced)
    offset = 0
    for field in type.get_fields():
        part = field.type.get_canonical()
        if key_of(field) == named:
            return part, offset
        offset += extents_of(part).count
    raise unsupported("unsupported-expression", designator.span, "this designator isn't understood")


def _inside(node: Node) -> Node:
    """The list or the value inside of what libclang shows around it."""
    while node.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR") and len(node.children) == 1:
        if node.kind == "UNEXPOSED_EXPR" and not (is_array(node.type) or is_record(node.type)):
            break
        node = node.children[0]
    return node


def table_values(declaration: Node, element: Type) -> tuple[int | float, ...] | None:
    """The elements of a constant array; None where one of them isn't a constant."""
    extents = extents_of(declaration.type)
    initializer = declaration.initializer
    if initializer is None:
        return None
    values: list[int | float] = [0.0 if element.is_float else 0] * extents.count
    for position, node in initializer_items(initializer, declaration.type).items():
        value = node.evaluate()
        if value is None or position >= len(values):
            return None
        values[position] = number(value, element).value
    return tuple(values)
