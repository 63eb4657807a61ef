"""Which variables of a function are read after some of its statements, before they are set again.

A conservative look at the tree: "yes" may be wrong, "no" never is. Whoever hands out a variable's
address asks nobody here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ..model.diagnostic import Span
from .bindings import Key
from .jumps import LOOPS, jumps
from .loop_parts import loop_parts
from .syntax import Node, strip_parentheses

Use = Literal["reads", "sets", "nothing"]
"""What comes first for a variable: it may be read, it is certainly set, or neither."""
_IN_ORDER = frozenset(
    {
        "COMPOUND_STMT",
        "DECL_STMT",
        "VAR_DECL",
        "PAREN_EXPR",
        "UNEXPOSED_EXPR",
        "LABEL_STMT",
        "CASE_STMT",
        "DEFAULT_STMT",
    }
)
_LEAVES = frozenset({"RETURN_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT"})


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive statements of a block; `path` leads from the function's body to that block."""

    statements: tuple[Node, ...]
    path: tuple[Node, ...]

    @property
    def block(self) -> Node:
        return self.path[-1]

    @property
    def span(self) -> Span:
        first, last = self.statements[0].span, self.statements[-1].span
        return replace(first, end_line=last.end_line, end_column=last.end_column)


def is_read_after(run: Run, key: Key) -> bool:
    """Whether the variable may be read after the run before something else sets it."""
    body = run.path[0]
    if any(n.kind == "CXX_TRY_STMT" for n in body.walk()):
        return True
    # A `goto` ends the path that it is on; where it leads to, any label may be.
    starts = [Run((label,), path) for label, path in _labels(body, ())]
    return _is_read_below(run, key) or any(
        _of(start.statements[0], key) == "reads" or _is_read_below(start, key) for start in starts
    )


def _labels(node: Node, path: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """The labels in a statement, with what leads to each."""
    if node.kind == "LABEL_STMT":
        yield node, path
    if not node.kind.endswith("_EXPR"):
        for child in node.children:
            yield from _labels(child, (*path, node))


def _is_read_below(run: Run, key: Key) -> bool:
    inner: Node = run.statements[-1]
    for block in reversed(run.path):
        found = _first(_after(block, inner), key)
        if found == "reads":
            return True
        sets = found == "sets" and not _is_left_early(block)
        if block.kind in LOOPS and block is not inner and _again(block, key):
            return True
        if sets:
            return False
        inner = block
    return False


def first_use(statements: Iterable[Node], key: Key) -> Use:
    """What the statements do first with a variable."""
    return _first(statements, key)


def _after(block: Node, inner: Node) -> Iterator[Node]:
    """What follows a child in a block; of an `if` or a loop nothing does, in the same turn."""
    if block.kind in ("COMPOUND_STMT", "SWITCH_STMT", "CASE_STMT", "DEFAULT_STMT"):
        position = next(i for i, c in enumerate(block.children) if c is inner)
        yield from block.children[position + 1 :]


def _again(loop: Node, key: Key) -> bool:
    """Whether another iteration of the loop may read the variable before it sets it."""
    return _first(_iteration(loop), key) == "reads"


def _iteration(loop: Node) -> Sequence[Node]:
    """What runs when a loop's iteration follows another, in that order."""
    if loop.kind == "CXX_FOR_RANGE_STMT":
        return loop.children[-1:]  # what it runs over is computed once, before the first
    _, test, step, body = loop_parts(loop)
    if loop.kind == "DO_STMT":
        return [part for part in (test, body) if part is not None]
    return [part for part in (step, test, body) if part is not None]


def _is_left_early(block: Node) -> bool:
    """Whether a jump may leave the block before its end."""
    return bool(jumps(block) & {"break", "continue"}) if block.kind not in LOOPS else False


def _first(parts: Iterable[Node], key: Key) -> Use:
    for part in parts:
        found = _of(part, key)
        if found != "nothing":
            return found
    return "nothing"


def _of(node: Node, key: Key) -> Use:
    kind = node.kind
    if kind == "VAR_DECL" and node.key == key:
        return "sets"
    if kind in _IN_ORDER:
        found = _first(node.children, key)
        if found == "sets" and kind == "COMPOUND_STMT" and jumps(node) & {"break", "continue"}:
            return "reads" if _names(node, key) else "nothing"
        return found
    if kind == "BINARY_OPERATOR" and node.operator == "=":
        target, value = node.children
        found = _of(value, key)
        if found != "nothing":
            return found
        place = strip_parentheses(target)
        if place.kind == "DECL_REF_EXPR" and place.declaration is not None and place.key == key:
            return "sets"
        return _of(target, key)
    if kind == "FOR_STMT":
        start, test, step, body = loop_parts(node)
        found = "nothing" if start is None else _of(start, key)
        if found != "nothing":
            return found
        return _may_read([p for p in (test, body, step) if p is not None], key)
    if kind == "SWITCH_STMT":
        return _of_switch(node, key)
    if kind == "WHILE_STMT":
        _, test, _, body = loop_parts(node)
        return _may_read([p for p in (test, body) if p is not None], key)
    if kind == "IF_STMT":
        condition, *branches = node.children
        found = _of(condition, key)
        if found != "nothing":
            return found
        uses = [_of(branch, key) for branch in branches]
        if "reads" in uses:
            return "reads"
        return "sets" if len(uses) == 2 and uses == ["sets", "sets"] else "nothing"
    if kind in _LEAVES:
        # What comes after it isn't on this path.
        return "reads" if _names(node, key) else "sets"
    if kind == "BINARY_OPERATOR" and node.operator == ",":
        return _first(node.children, key)
    return "reads" if _names(node, key) else "nothing"


def _of_switch(node: Node, key: Key) -> Use:
    """A switch may begin at any of its labels, or run nothing."""
    *head, body = node.children
    found = _first(head, key)
    if found != "nothing":
        return found
    items = body.children if body.kind == "COMPOUND_STMT" else (body,)
    starts = [i for i, item in enumerate(items) if item.kind in ("CASE_STMT", "DEFAULT_STMT")]
    inner = any(n.kind in ("CASE_STMT", "DEFAULT_STMT") for i in items for n in _below(i))
    if inner and _names(body, key):
        return "reads"
    return "reads" if any(_first(items[i:], key) == "reads" for i in starts) else "nothing"


def _below(item: Node) -> Iterator[Node]:
    """What stands in a statement of a switch, behind its own labels."""
    while item.kind in ("CASE_STMT", "DEFAULT_STMT"):
        item = item.children[-1]
    return item.walk()


def _may_read(parts: Sequence[Node], key: Key) -> Use:
    """What parts that may not run at all do first."""
    return "reads" if _first(parts, key) == "reads" else "nothing"


def _names(node: Node, key: Key) -> bool:
    return any(
        n.kind == "DECL_REF_EXPR" and n.declaration is not None and n.key == key
        for n in node.walk()
    )
