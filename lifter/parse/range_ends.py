"""The `end()` of classes that range `for` runs over.

libclang shows how a range `for` begins (its variable's initializer leads to the call of `begin`),
not how it ends, and it doesn't list the methods of an instance of a class template. So the text
that clang parses gets, behind its end, an assertion for each such class that calls its `end`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from .instances import instances
from .syntax import Node, kind_of, walk_cursors
from .types import is_pointer, is_record, is_vector, pointee_of

_RANGE_FOR = re.compile(r"\bfor\b[^;{}]*[^:;{}]:[^:;{}]")
_MARK = "lift: the end of a range"

RangeEnds = dict[tuple[str, bool], Any]
"""By a class's canonical name and whether the object is constant: the cursor of `end`."""


def with_range_anchors(text: str, own: Sequence[Any]) -> str:
    """`text`, ended by an assertion for each class that a range `for` of it, and of its file's
    `own` declarations, runs over.

    Before: `... for (auto &p : span) ...`, after:
    `... static_assert(sizeof(((Span<int> *)0)->end()) > 0, "...");`.
    """
    if not _RANGE_FOR.search(text):
        return text
    found: dict[str, None] = {}
    for root in (*own, *instances(own)):
        for cursor in walk_cursors(root):
            if kind_of(cursor) != "CXX_FOR_RANGE_STMT":
                continue
            over = range_object(Node(cursor))
            if over is None or is_vector(over.type):
                continue
            if over.type.get_declaration().semantic_parent.kind.name != "FUNCTION_DECL":
                name = over.type.spelling.replace("(anonymous namespace)::", "")
                found[name] = None
    anchors = (f' static_assert(sizeof((({name} *)0)->end()) > 0, "{_MARK}");' for name in found)
    return text + ("" if text.endswith("\n") else "\n") + "".join(anchors) if found else text


def range_object(loop: Node) -> Node | None:
    """The hidden `__range` of a range `for` whose `begin` is a method of it; its type is the
    object's own, `const` if the object is constant."""
    call = range_begin(loop)
    if call is None:
        return None
    inner = call.children[0].children[0] if call.children and call.children[0].children else None
    while inner is not None and inner.kind == "UNEXPOSED_EXPR" and len(inner.children) == 1:
        inner = inner.children[0]
    if inner is None or inner.kind != "DECL_REF_EXPR" or not is_record(inner.type):
        return None
    return inner


def range_begin(loop: Node) -> Node | None:
    """The call of the method `begin` that a range `for` makes, where it gives a pointer."""
    element = loop.children[0].initializer
    hidden = () if element is None else element.walk()
    place = next((n for n in hidden if n.spelling.startswith("__begin") and _names(n)), None)
    call = None if place is None else Node(place.declaration).initializer
    if call is None or call.kind != "CALL_EXPR" or not is_pointer(call.type):
        return None
    called = call.declaration
    return call if called is not None and called.kind.name == "CXX_METHOD" else None


def _names(node: Node) -> bool:
    return node.kind == "DECL_REF_EXPR" and node.declaration is not None


def range_ends(own: Sequence[Any]) -> RangeEnds:
    """The `end` methods that the assertions of `with_range_anchors` call."""
    found: RangeEnds = {}
    for cursor in own:
        if kind_of(cursor) != "STATIC_ASSERT":
            continue
        nodes = tuple(Node(cursor).walk())
        if not any(n.kind == "STRING_LITERAL" and n.spelling == f'"{_MARK}"' for n in nodes):
            continue
        for call, cast in _pairs(nodes):
            own = pointee_of(cast.type)
            found[class_key(own)] = call.declaration
    return found


def class_key(type: Any) -> tuple[str, bool]:
    return str(type.spelling).removeprefix("const "), bool(type.is_const_qualified())


def _pairs(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, Node]]:
    call = next((n for n in nodes if n.kind == "CALL_EXPR" and n.spelling == "end"), None)
    cast = next((n for n in nodes if n.kind == "CSTYLE_CAST_EXPR"), None)
    if call is not None and cast is not None and call.declaration is not None:
        yield call, cast
