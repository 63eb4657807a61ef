"""`if` and `switch`, with what follows them moved into the branches that reach it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from compiler.ir import EQ, FALSE, GE, LE, And, Cast, Const, Expr, Or, Variable

from ..model.kernel import Stmt
from .bindings import Environment, joined
from .conditionals import pointers_to_choose
from .conditions import sequenced_condition
from .dispatch import STATEMENT, Following, declare, run, value_of
from .duff import emit_duff
from .failure import unsupported
from .folding import convert
from .jumps import (
    CaseGroup,
    JumpTarget,
    before_cases,
    branches_of,
    case_groups,
    condition_index,
    falls,
    jumps,
)
from .leaving import emit_if, unless
from .loop_parts import refuse_first_statement
from .null_tests import leaves_for_null, works_without_null
from .pointer_variables import met
from .syntax import Node
from .translation import Translation

_MOST_DOUBLED = 3
"""Choices of pointers inside of each other, each of which doubles what follows."""


@STATEMENT.of("IF_STMT")
def run_if(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    """Emits an `if`; gives what is still to do, or whether control reaches the end of it."""
    span = t.span_of(node)
    t.span = span
    at = condition_index(node)
    for declared in node.children[:at]:
        if declared.kind == "DECL_STMT":
            run(t, (declared,))
        else:
            declare(t, declared)
    t.span = span
    branches = branches_of(node)
    own, condition = t.own_statements, node.children[at]
    t.leaving = (node.cursor.hash in own and leaves_for_null(condition, branches)) or (
        own[-1:] == (node.cursor.hash,) and works_without_null(condition, branches)
    )
    test = sequenced_condition(t, node.children[at])
    t.leaving = False
    then: tuple[Node, ...] = (branches[0],)
    otherwise: tuple[Node, ...] = branches[1:]
    if isinstance(test, Const):
        return (*(then if test.value else otherwise), *rest)
    leaving = _restructured(t, jumps(node))
    reach = (falls(then), falls(otherwise))
    if not leaving:
        reached = _run_both(t, test, (then, otherwise))
        return rest if any(reached) else False
    if reach == (True, True):
        with _flagged(t) as flag:
            _run_both(t, test, (then, otherwise))
        return unless(t, flag, rest)
    works = tuple((*w, *rest) if r else w for w, r in zip((then, otherwise), reach, strict=True))
    return any(_run_both(t, test, works))


@STATEMENT.of("DECL_STMT")
def run_declarations(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    """Declares variables. Where one is a pointer into one of two arrays, what follows runs in a
    branch for each:

        const u8 *p = odd ? a : b;      if (odd) { const u8 *p = a; d[x] = p[x]; }
        d[x] = p[x];                    else { const u8 *p = b; d[x] = p[x]; }
    """
    t.span = t.span_of(node)
    return _declare_all(t, node.children, rest)


def _declare_all(t: Translation, declared: Sequence[Node], rest: tuple[Node, ...]) -> Following:
    for place, node in enumerate(declared):
        t.span = t.span_of(node)
        choice = None if t.doubled == _MOST_DOUBLED else pointers_to_choose(t, node)
        if choice is None:
            declare(t, node)
            continue
        condition, *sides = choice.children
        test = sequenced_condition(t, condition)
        if isinstance(test, Const):
            _declare_as(t, node, choice, sides[not test.value])
            continue
        others = declared[place + 1 :]
        ways = [partial(_run_as, t, (node, *others), rest, choice, side) for side in sides]
        t.doubled += 1
        try:
            return any(_parallel(t, test, ways))
        finally:
            t.doubled -= 1
    return rest


def _run_as(
    t: Translation, declared: Sequence[Node], rest: tuple[Node, ...], choice: Node, side: Node
) -> bool:
    """Runs declarations and what follows where the first one's choice takes a side."""
    _declare_as(t, declared[0], choice, side)
    following = _declare_all(t, declared[1:], rest)
    return following if isinstance(following, bool) else run(t, following)


def _declare_as(t: Translation, node: Node, choice: Node, side: Node) -> None:
    t.decided[choice.cursor.hash] = side
    try:
        declare(t, node)
    finally:
        del t.decided[choice.cursor.hash]


def _restructured(t: Translation, leaving: frozenset[str]) -> frozenset[str]:
    """The jumps that need the statements after a branch to move; a loop's `break` doesn't."""
    innermost = t.targets[-1].kind
    return leaving - {"break"} if innermost == "loop" else leaving


def _run_both(t: Translation, test: Expr, works: Sequence[Sequence[Node]]) -> list[bool]:
    return _parallel(t, test, [partial(run, t, work) for work in works])


def _parallel(t: Translation, test: Expr, ways: Sequence[Callable[[], bool]]) -> list[bool]:
    """Emits the two branches; tells which of them reach their end."""
    span = t.span
    start = t.environment
    bodies: list[tuple[Stmt, ...]] = []
    ends: list[Environment] = []
    reached: list[bool] = []
    for way in ways:
        t.environment = dict(start)
        with t.block() as out:
            reached.append(way())
        bodies.append(tuple(out))
        if reached[-1]:
            ends.append(t.environment)
    t.environment = start
    if len(ends) == 2:
        bodies = met(t, ends, bodies)
    if ends:
        t.environment = ends[0] if len(ends) == 1 else joined(ends[0], ends[1])
    t.span = span
    emit_if(t, test, bodies[0], bodies[1])
    return reached


@STATEMENT.of("SWITCH_STMT")
def run_switch(t: Translation, node: Node, rest: tuple[Node, ...]) -> Following:
    """Emits a `switch` as a chain of `if`s; the result is as for `run_if`."""
    span = t.span_of(node)
    t.span = span
    refuse_first_statement(node)
    at = condition_index(node)
    for declared in node.children[:at]:
        declare(t, declared)
    with t.expression_region(node.children[at]) as region:
        value = value_of(t, node.children[at])
        if region.pending or not _is_plain(value):
            value = t.capture(value, "case")
        t.flush(region)
    _declare_in_front(t, node)
    groups = list(case_groups(node))
    if emit_duff(t, node, value):
        return rest
    if any(_stray_label(statement) for group in groups for statement in group.body):
        raise unsupported("unsupported-statement", span, "a case label in a nested block")
    arms = _arms(t, groups, value)
    leaving = frozenset().union(*(jumps(b) for g in groups for b in g.body)) - {"break"}
    if not leaving:
        return rest if _chain(t, arms, ()) else False
    reaching = [i for i, (_, work) in enumerate(arms) if _reaches(work)]
    mixed = any(frozenset().union(*(jumps(n) for n in arms[i][1])) - {"break"} for i in reaching)
    if len(reaching) > 1 or mixed:
        with _flagged(t) as flag:
            _chain(t, arms, ())
        return unless(t, flag, rest)
    return _chain(t, arms, rest)


def _declare_in_front(t: Translation, switch: Node) -> None:
    """Declares what stands in front of a switch's first case; nothing there ever runs."""
    for statement in before_cases(switch):
        if _stray_label(statement):
            raise unsupported(
                "unsupported-statement", statement.span, "a case label in a nested block"
            )
        for declared in statement.children if statement.kind == "DECL_STMT" else ():
            if declared.kind != "VAR_DECL" or declared.initializer is not None:
                raise unsupported(
                    "unsupported-statement",
                    declared.span,
                    "what a declaration in front of a switch's first case says isn't done there",
                    "move it in front of the switch",
                )
            declare(t, declared)


def _arms(
    t: Translation, groups: Sequence[CaseGroup], value: Expr
) -> list[tuple[Expr | None, tuple[Node, ...]]]:
    """(condition, statements) of each case with fallthrough followed; the default is last."""
    arms: list[tuple[Expr | None, tuple[Node, ...]]] = []
    default: tuple[Node, ...] = ()
    for position, group in enumerate(groups):
        work: list[Node] = []
        for following in groups[position:]:
            work.extend(following.body)
            if not falls(following.body):
                break
        if group.is_default:
            default = tuple(work)
            continue
        test: Expr | None = None
        for label in group.labels:
            ends = [convert(value_of(t, end), value.type) for end in label]
            same: Expr = EQ(value, ends[0])
            if len(ends) > 1:
                same = And(GE(value, ends[0]), LE(value, ends[1]))
            test = same if test is None else Or(test, same)
        if test is not None:
            arms.append((test, tuple(work)))
    return [*arms, (None, default)]


def _chain(
    t: Translation, arms: Sequence[tuple[Expr | None, tuple[Node, ...]]], rest: tuple[Node, ...]
) -> bool:
    """`if`/`else if` over the arms; `rest` follows in the arm that reaches the end."""
    test, work = arms[0]
    if isinstance(test, Const):
        if not test.value:
            return _chain(t, arms[1:], rest)
        test = None
    span = t.span
    start = t.environment
    with t.block() as out:
        t.environment = dict(start)
        target = JumpTarget("switch")
        t.targets.append(target)
        reached = run(t, work)
        t.targets.pop()
        ends = [*target.breaks, *([t.environment] if reached else [])]
        first_reaches = bool(ends)
        if ends:
            t.environment = ends[0]
            for end in ends[1:]:
                t.environment = joined(t.environment, end)
        if rest and first_reaches:
            first_reaches = run(t, rest)
    after = t.environment
    if test is None:
        t.emit(*out)
        return first_reaches
    t.environment = dict(start)
    t.span = span
    with t.block() as others:
        others_reach = _chain(t, arms[1:], rest)
    if first_reaches:
        t.environment = joined(after, t.environment) if others_reach else after
    t.span = span
    emit_if(t, test, tuple(out), tuple(others))
    return first_reaches or others_reach


@contextmanager
def _flagged(t: Translation) -> Iterator[str]:
    """Makes a boolean that jumps set while the branches before a guarded part are translated."""
    flag = t.fresh("skip")
    flags = t.targets[-1].flags
    t.made.add(flag)
    t.assign(flag, FALSE)
    flags.append(flag)
    try:
        yield flag
    finally:
        flags.remove(flag)


def _is_plain(value: Expr) -> bool:
    """Whether the case tests may repeat the value: all of them stand before any case's body."""
    while isinstance(value, Cast):
        value = value.value
    return isinstance(value, (Const, Variable))


def _reaches(work: Sequence[Node]) -> bool:
    return falls(work) or any("break" in jumps(n) for n in work)


def _stray_label(node: Node) -> bool:
    """Whether a label of the switch around stands inside a nested statement."""
    if node.kind in ("CASE_STMT", "DEFAULT_STMT"):
        return True
    return node.kind != "SWITCH_STMT" and any(map(_stray_label, node.children))
