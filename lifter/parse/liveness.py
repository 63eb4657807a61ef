"""Which variables of a function are read after some of its statements, before they are set again.

A conservative look at the tree: "yes" may be wrong, "no" never is. Whoever hands out a variable's
address asks nobody here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Literal

from ..model.diagnostic import Span
from .bindings import Key
from .jumps import LOOPS, branches_of, condition_index, jumps
from .loop_parts import loop_parts
from .records import copied_members
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
_JUMPS = {"BREAK_STMT": "break", "CONTINUE_STMT": "continue"}
Ways = AbstractSet[str]
"""How control may leave a statement: by its `end`, a `break` or a `continue`."""


@dataclass(frozen=True, slots=True)
class _Flow:
    """What a statement does with a variable on the paths through it."""

    reads: bool
    """Whether some path reads it first."""
    ways: Ways
    """How the paths that don't touch it leave the statement."""


_READS, _SETS = _Flow(True, frozenset()), _Flow(False, frozenset())
_NOTHING = _Flow(False, frozenset({"end"}))


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


@dataclass(frozen=True, slots=True)
class _Asked:
    """The variable that is asked about, and statements of which it doesn't count what they do."""

    key: Key
    without: tuple[Node, ...] = ()


def is_read_after(run: Run, key: Key, *, by_others: bool = False) -> bool:
    """Whether the variable may be read after the run before something else sets it; with
    `by_others` it doesn't count that loops around the run lead to it once more."""
    body = run.path[0]
    asked = _Asked(key, run.statements if by_others else ())
    if any(n.kind == "CXX_TRY_STMT" for n in body.walk()):
        return True
    # A `goto` ends the path that it is on; where it leads to, any label may be.
    starts = [Run((label,), path) for label, path in _labels(body, ())]
    return _is_read_below(run, asked) or any(
        _flow(start.statements[0], asked).reads or _is_read_below(start, asked) for start in starts
    )


def _labels(node: Node, path: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """The labels in a statement, with what leads to each."""
    if node.kind == "LABEL_STMT":
        yield node, path
    if not node.kind.endswith("_EXPR"):
        for child in node.children:
            yield from _labels(child, (*path, node))


def _is_read_below(run: Run, asked: _Asked) -> bool:
    inner: Node = run.statements[-1]
    ways: Ways = {"end", *(way for part in run.statements for way in jumps(part))} - {"return"}
    """How control may come out of `inner` with the variable as the run left it."""
    for block in reversed(run.path):
        flow = _in_order(_after(block, inner), asked)
        if "end" in ways:
            if flow.reads:
                return True
            ways = (ways - {"end"}) | flow.ways
        if block.kind in LOOPS and block is not inner:
            if ways & {"end", "continue"}:
                again = _in_order(_iteration(block), asked)
                if again.reads:
                    return True
            ways = {"end"} if ways else ways
        elif block.kind == "SWITCH_STMT":
            ways = _out_of_switch(ways)
        if not ways:
            return False
        inner = block
    return False


def first_use(statements: Iterable[Node], key: Key) -> Use:
    """What the statements do first with a variable."""
    flow = _in_order(statements, _Asked(key))
    return "reads" if flow.reads else "nothing" if flow.ways else "sets"


def _after(block: Node, inner: Node) -> Iterator[Node]:
    """What follows a child in a block; of an `if` or a loop nothing does, in the same turn."""
    if block.kind in ("COMPOUND_STMT", "SWITCH_STMT", "CASE_STMT", "DEFAULT_STMT"):
        position = next(i for i, c in enumerate(block.children) if c is inner)
        yield from block.children[position + 1 :]


def _iteration(loop: Node) -> Sequence[Node]:
    """What runs when a loop's iteration follows another, in that order."""
    if loop.kind == "CXX_FOR_RANGE_STMT":
        return loop.children[-1:]  # what it runs over is computed once, before the first
    _, test, step, body = loop_parts(loop)
    if loop.kind == "DO_STMT":
        return [part for part in (test, body) if part is not None]
    return [part for part in (step, test, body) if part is not None]


def _in_order(parts: Iterable[Node], asked: _Asked) -> _Flow:
    """What statements do one after the other."""
    ways: Ways = {"end"}
    for part in parts:
        if "end" not in ways:
            break
        flow = _flow(part, asked)
        if flow.reads:
            return _READS
        ways = (ways - {"end"}) | flow.ways
    return _Flow(False, ways)


def _one_of(flows: Iterable[_Flow]) -> _Flow:
    """What one of several parts does, nobody knows which."""
    known = list(flows)
    return _Flow(any(f.reads for f in known), frozenset().union(*(f.ways for f in known)))


def _flow(node: Node, asked: _Asked) -> _Flow:
    kind = node.kind
    if any(node is statement for statement in asked.without):
        return _Flow(False, {"end", *jumps(node)} - {"return"})
    if kind == "VAR_DECL" and node.key == asked.key:
        return _SETS
    if kind in _IN_ORDER:
        return _in_order(node.children, asked)
    if kind in _JUMPS:
        return _Flow(False, frozenset({_JUMPS[kind]}))
    if kind == "BINARY_OPERATOR" and node.operator == "=":
        return _of_assignment(node.children, asked)
    copied = copied_members(node)
    if copied is not None:
        return _of_assignment(copied, asked)
    if kind == "BINARY_OPERATOR" and node.operator == ",":
        return _in_order(node.children, asked)
    if kind in LOOPS and kind != "CXX_FOR_RANGE_STMT":
        return _of_loop(node, asked)
    if kind == "SWITCH_STMT":
        return _of_switch(node, asked)
    if kind == "IF_STMT":
        head = _in_order(node.children[: condition_index(node) + 1], asked)
        if head.reads or not head.ways:
            return head
        branches = branches_of(node)
        flows = [_flow(branch, asked) for branch in branches]
        return _one_of([*flows, *([_NOTHING] if len(branches) < 2 else [])])
    if kind in _LEAVES:
        # What comes after it isn't on this path.
        return _READS if _names(node, asked) else _SETS
    if _names(node, asked):
        return _READS
    return _Flow(False, {"end", *jumps(node)} - {"return"})


def _of_assignment(operands: Sequence[Node], asked: _Asked) -> _Flow:
    target, value = operands
    flow = _flow(value, asked)
    if flow.reads or not flow.ways:
        return flow
    place = strip_parentheses(target)
    if place.kind == "DECL_REF_EXPR" and place.declaration is not None and place.key == asked.key:
        return _SETS
    return _flow(target, asked)


def _of_loop(node: Node, asked: _Asked) -> _Flow:
    """A loop; but for that of a `do`, its body may not run at all."""
    start, test, step, body = loop_parts(node)
    before = _in_order([part for part in (start,) if part is not None], asked)
    if before.reads or not before.ways:
        return before
    inside = _flow(body, asked)
    tested = _in_order([part for part in (test,) if part is not None], asked)
    if node.kind == "DO_STMT":
        on = bool(inside.ways & {"end", "continue"})
        if inside.reads or (on and tested.reads):
            return _READS
        may_end = "break" in inside.ways or (on and bool(tested.ways))
        return _NOTHING if may_end else _SETS
    if tested.reads or not tested.ways:
        return tested
    stepped = _in_order([part for part in (step,) if part is not None], asked)
    on = bool(inside.ways & {"end", "continue"})
    return _READS if inside.reads or (on and stepped.reads) else _NOTHING


def _of_switch(node: Node, asked: _Asked) -> _Flow:
    """A switch may begin at any of its labels, or run nothing."""
    *head, body = node.children
    before = _in_order(head, asked)
    if before.reads or not before.ways:
        return before
    items = body.children if body.kind == "COMPOUND_STMT" else (body,)
    starts = [i for i, item in enumerate(items) if item.kind in ("CASE_STMT", "DEFAULT_STMT")]
    inner = any(n.kind in ("CASE_STMT", "DEFAULT_STMT") for i in items for n in _below(i))
    if inner and _names(body, asked):
        return _READS
    flow = _one_of([_NOTHING, *(_in_order(items[i:], asked) for i in starts)])
    return _Flow(flow.reads, _out_of_switch(flow.ways))


def _out_of_switch(ways: Ways) -> Ways:
    return (ways - {"break"}) | {"end"} if "break" in ways else ways


def _below(item: Node) -> Iterator[Node]:
    """What stands in a statement of a switch, behind its own labels."""
    while item.kind in ("CASE_STMT", "DEFAULT_STMT"):
        item = item.children[-1]
    return item.walk()


def _names(node: Node, asked: _Asked) -> bool:
    aside = {id(n) for statement in asked.without for n in statement.walk()}
    return any(
        n.kind == "DECL_REF_EXPR" and n.declaration is not None and n.key == asked.key
        for n in node.walk()
        if id(n) not in aside
    )
