"""Where control goes: a syntactic look ahead that lets jumps become structured `If`s.

Kernel IR has no `return` in the middle, no `continue` and no `switch`. The translator moves the
statements that follow a branch into the branches that reach them; these functions tell which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile

from compiler.ir import Type, Variable

from .bindings import Environment, Object
from .syntax import Node

LOOPS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT"})
_CASES = frozenset({"CASE_STMT", "DEFAULT_STMT"})
_JUMPS = {"RETURN_STMT": "return", "CONTINUE_STMT": "continue", "BREAK_STMT": "break"}


@dataclass
class JumpTarget:
    """Something that a jump can leave: the function, a loop or a switch."""

    kind: str
    flags: list[str] = field(default_factory=list)
    """Booleans that guard the statements after a branch being translated: a jump sets them."""
    breaks: list[Environment] = field(default_factory=list)
    continues: list[Environment] = field(default_factory=list)
    returns: list[Environment] = field(default_factory=list)
    single: bool = False
    """For a function: whether its only `return` is its last statement."""
    returned: str | None = None
    """For a loop that contains a `return`: the boolean that tells that it was taken."""
    result: str | None = None
    result_type: Type | None = None
    by_reference: bool = False
    """For a function that returns a reference: the result is an address, as a pointer is."""
    result_object: Object | None = None
    """For a function that returns an object: where it goes."""
    result_key: tuple[int, int] | None = None
    """For a function that returns a pointer: the key of the variable that holds it."""
    lanes_key: tuple[int, int] | None = None
    """For a function that returns a vector: the key of the variable that holds it."""
    left: str | None = None
    """For the statements of a region: the number that says which `return` was taken."""
    ways_out: tuple[Node, ...] = ()
    """The `return`s that there are; the first is 1."""
    left_with: Variable | None = None
    """The number that says what is returned, where the statements alone know that."""
    known_inside: frozenset[int] = frozenset()
    """The `return`s of which that is so."""


def is_once(node: Node) -> bool:
    """`do { ... } while (0)`, as macros write it."""
    if node.kind != "DO_STMT":
        return False
    body, test = node.children
    if body.kind != "COMPOUND_STMT" or test.evaluate() != 0:
        return False
    return not jumps(body) & {"break", "continue"}


def jumps(node: Node) -> frozenset[str]:
    """The kinds of jump inside `node` that leave it."""
    if node.kind in _JUMPS:
        return frozenset({_JUMPS[node.kind]})
    if node.kind.endswith("_EXPR") or node.kind in ("DECL_STMT", "BINARY_OPERATOR"):
        return frozenset()
    found: frozenset[str] = frozenset()
    for child in node.children:
        found |= jumps(child)
    if node.kind in LOOPS:
        found -= {"break", "continue"}
    elif node.kind == "SWITCH_STMT":
        found -= {"break"}
    return found


def ways_out(node: Node) -> Iterator[Node]:
    """The `return`s of `node` that leave the function around it."""
    if node.kind == "RETURN_STMT":
        yield node
    elif "return" in jumps(node):
        for child in node.children:
            yield from ways_out(child)


def falls(nodes: Sequence[Node]) -> bool:
    """Whether control may reach the end of the statements."""
    return all(_falls(node) for node in nodes)


def _falls(node: Node) -> bool:
    kind = node.kind
    if kind in _JUMPS:
        return False
    if kind in ("COMPOUND_STMT", "UNEXPOSED_STMT", "CASE_STMT", "DEFAULT_STMT"):
        return falls(node.children)
    if kind == "IF_STMT":
        branches = branches_of(node)
        return len(branches) < 2 or any(_falls(b) for b in branches)
    if kind == "SWITCH_STMT":
        groups = list(case_groups(node))
        if not any(group.is_default for group in groups):
            return True
        return any("break" in jumps(n) for g in groups for n in g.body) or falls(groups[-1].body)
    return True


def branches_of(node: Node) -> tuple[Node, ...]:
    """The branches of an `if`: one or two statements."""
    statements = [c for c in node.children if _is_statement(c, node)]
    return tuple(statements)


def _is_statement(child: Node, parent: Node) -> bool:
    position = parent.children.index(child)
    return position > condition_index(parent)


def condition_index(node: Node) -> int:
    """Where the condition stands among the children of an `if`, `while` or `switch`."""
    position = 0
    while node.children[position].kind in ("VAR_DECL", "DECL_STMT"):
        position += 1
    return position


@dataclass(frozen=True)
class CaseGroup:
    """Consecutive labels of a switch and the statements up to the next label."""

    labels: tuple[tuple[Node, ...], ...]
    """The label values; of a range, the first and the last one."""
    is_default: bool
    body: tuple[Node, ...]


def case_groups(switch: Node) -> Iterator[CaseGroup]:
    """The groups of a switch in source order, before fallthrough is followed."""
    labels: list[tuple[Node, ...]] = []
    default = False
    current: list[Node] = []
    for position, item in enumerate(_from_first_case(switch)):
        if position and item.kind in _CASES:
            yield CaseGroup(tuple(labels), default, tuple(current))
            labels, default, current = [], False, []
        while item.kind in _CASES:
            if item.kind == "CASE_STMT":
                labels.append(item.children[:-1])
            else:
                default = True
            item = item.children[-1]
        current.append(item)
    yield CaseGroup(tuple(labels), default, tuple(current))


def before_cases(switch: Node) -> tuple[Node, ...]:
    """What stands in front of a switch's first label: names that its cases may use, and statements
    that never run."""
    items = _items(switch)
    return items[: len(items) - len(_from_first_case(switch))]


def _from_first_case(switch: Node) -> tuple[Node, ...]:
    return tuple(dropwhile(lambda item: item.kind not in _CASES, _items(switch)))


def _items(switch: Node) -> tuple[Node, ...]:
    body = switch.children[-1]
    return tuple(body.children) if body.kind == "COMPOUND_STMT" else (body,)
