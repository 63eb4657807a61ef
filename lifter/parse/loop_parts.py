"""The parts of a loop: libclang lists the children of a `for` without saying which are missing."""

from __future__ import annotations

import clang.cindex as ci

from .failure import unsupported
from .syntax import Node

LoopParts = tuple[Node | None, Node | None, Node | None, Node]
"""Initialisation, condition, step, body."""


def loop_parts(node: Node) -> LoopParts:
    """The parts of a `for`, `while` or `do`; a missing condition is None (always true)."""
    children = node.children
    if node.kind == "DO_STMT":
        return None, children[1], None, children[0]
    if node.kind == "WHILE_STMT":
        if len(children) != 2:
            raise unsupported(
                "unsupported-statement", node.span, "a declaration in a loop's condition"
            )
        return None, children[0], None, children[1]
    if len(children) == 4:
        if children[1].kind == "VAR_DECL":
            raise unsupported(
                "unsupported-statement", node.span, "a declaration in a loop's condition"
            )
        return children[0], children[1], children[2], children[3]
    if len(children) == 1:
        return None, None, None, children[0]
    first, second = _semicolons(node)
    parts: list[Node | None] = [None, None, None]
    for child in children[:-1]:
        start = child.cursor.extent.start.offset
        parts[0 if start < first else 1 if start < second else 2] = child
    return parts[0], parts[1], parts[2], children[-1]


def _semicolons(node: Node) -> tuple[int, int]:
    """Offsets of the two semicolons in the parentheses of a `for`."""
    extent = node.cursor.extent
    head = ci.SourceRange.from_locations(extent.start, node.children[-1].cursor.extent.start)
    depth = 0
    found: list[int] = []
    for number, token in enumerate(node.cursor._tu.get_tokens(extent=head)):
        text = token.spelling
        if number == 0 and token.location.offset != extent.start.offset:
            break  # the tokens are the macro's, and the parts' places those of its call
        if text in "([{":
            depth += 1
        elif text in ")]}":
            depth -= 1
        elif text == ";" and depth == 1:
            found.append(token.location.offset)
            if len(found) == 2:
                return found[0], found[1]
    raise unsupported(
        "unsupported-statement", node.span, "this `for`, made by a macro, can't be taken apart"
    )
