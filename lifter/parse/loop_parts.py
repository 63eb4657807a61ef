"""The parts of a loop: libclang lists the children of a `for` without saying which are missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .failure import unsupported
from .syntax import Node

LoopParts = tuple[Node | None, Node | None, Node | None, Node]
"""Initialisation, condition, step, body."""
Head = tuple[tuple[str, ...], ...]
"""The tokens between the parentheses of a `for`, taken apart at its semicolons."""
_TOKEN = re.compile(r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\S""")
_FORS = ("FOR_STMT", "CXX_FOR_RANGE_STMT")


def loop_parts(node: Node) -> LoopParts:
    """The parts of a `for`, `while` or `do`; a missing condition is None (always true).

    Raises `LiftError` (`unsupported-statement`) where they can't be told apart.
    """
    children = node.children
    if node.kind == "DO_STMT":
        return None, children[1], None, children[0]
    *parts, body = children
    if any(part.kind == "VAR_DECL" for part in parts):
        raise unsupported("unsupported-statement", node.span, "a declaration in a loop's condition")
    if node.kind == "WHILE_STMT":
        return None, parts[0], None, body
    if len(parts) == 3:
        return parts[0], parts[1], parts[2], body
    if not parts:
        return None, None, None, body
    head = _head(node)
    if head is None:
        raise unsupported(
            "unsupported-statement", node.span, "it isn't clear which part this `for` lacks"
        )
    present = iter(parts)
    start, test, step = (next(present) if tokens else None for tokens in head)
    return start, test, step, body


def _head(node: Node) -> Head | None:
    """What clang prints for the head of this `for`; None where that isn't sure.

    The source's own tokens don't tell: a macro may make the loop. Clang prints the function as it
    understands it, without macros, and its loops in the order of the tree's. That they are the same
    is checked for all loops of the function: as many parts, with the names that stand in them.
    """
    loops = [n for n in node.root.walk() if n.kind in _FORS]
    heads = list(_heads(node.root.printed()))
    if len(loops) != len(heads) or not all(map(_fits, loops, heads)):
        return None
    return next((h for n, h in zip(loops, heads, strict=True) if n.cursor == node.cursor), None)


def refuse_first_statement(node: Node) -> None:
    """Raises for `switch (first; value)` and `for (first; variable : range)`.

    libclang doesn't show what stands first. So a function that has such a head is refused, whatever
    it stands in: which of its heads is this node's isn't always clear (macros have no tokens here).
    """
    word = "switch" if node.kind == "SWITCH_STMT" else "for"
    text = node.root.printed() or " ".join(t.spelling for t in node.cursor.get_tokens())
    heads = list(_heads(text, word))
    if not heads or any(len(head) == 2 for head in heads):
        raise unsupported(
            "unsupported-statement",
            node.span,
            f"a `{word}` with a statement of its own before what it is about",
            f"write the statement before the `{word}`",
        )


def _heads(text: str, word: str = "for") -> Iterator[Head]:
    """The heads of the loops (or of what else `word` begins) in printed code, in order."""
    tokens = _TOKEN.findall(text)
    for place, token in enumerate(tokens):
        if token != word:
            continue
        depth = 0
        sections: list[list[str]] = [[]]
        for inner in tokens[place + 1 :]:
            depth += (inner in "([{") - (inner in ")]}")
            if depth == 0:
                break
            if inner == ";" and depth == 1:
                sections.append([])
            else:
                sections[-1].append(inner)
        sections[0] = sections[0][1:]  # without the parenthesis itself
        yield tuple(map(tuple, sections))


def _fits(node: Node, head: Head) -> bool:
    """Whether this may be the head of this loop."""
    if node.kind != "FOR_STMT":
        return len(head) < 3
    parts = node.children[:-1]
    sections = [tokens for tokens in head if tokens]
    return (
        len(head) == 3
        and len(sections) == len(parts)
        and all(_names(part) <= set(tokens) for part, tokens in zip(parts, sections, strict=True))
    )


def _names(part: Node) -> set[str]:
    """The variables and fields that stand in a part of a loop."""
    kinds = ("VAR_DECL", "DECL_REF_EXPR", "MEMBER_REF_EXPR")
    return {n.spelling for n in part.walk() if n.kind in kinds and n.spelling.isidentifier()}
