"""Where in a loop its conditions are decided: the steady state of loop partitioning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..ir import (
    FALSE,
    I32,
    I64,
    TRUE,
    Add,
    Call,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Select,
    Sub,
    Variable,
    const,
    simplify,
    substitute,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.coordinate_sums import is_far
from ..ir.simplify import whole_terms
from ..ir.stmt_transform import children_of, expressions_of, walk
from ..lang import Partition
from .likely_conditions import LIKELY, LIKELY_IF_INNERMOST, is_likely, without_likely

MOST_NODES = 60_000
"""Loops beyond this size are left alone."""
SHORT = 64
"""A loop of constant extent up to this belongs to the body of the loop around it."""


@dataclass
class SteadyState:
    """Where a loop's conditions are decided: `lowers` <= v < every one of `uppers`."""

    lowers: list[Expr] = field(default_factory=list)
    uppers: list[Expr] = field(default_factory=list)
    decided: dict[Expr, Expr] = field(default_factory=dict)
    """What stands for a node there: an operand of it, or a constant."""


@dataclass(frozen=True)
class _Inner:
    """A loop inside of the one that is partitioned; its range, in terms of what is around it."""

    variable: Expr
    low: Expr
    high: Expr
    is_vectorized: bool


def is_leaf(stmt: s.For) -> bool:
    """Whether the loops inside are short ones and vectors."""
    return all(_is_short(x) for x in walk(stmt.body) if isinstance(x, s.For))


def _is_short(loop: s.For) -> bool:
    return loop.kind != "parallel" and (
        isinstance(loop.extent, Const) and int(loop.extent.value) <= SHORT
    )


def decided_in(e: Expr, decided: Mapping[Expr, Expr]) -> Expr:
    """`e` with decided nodes replaced, also inside of what replaces them."""
    done: dict[Expr, Expr] = {}
    changed = False
    for node in n.postorder(e):
        instead = decided.get(node)
        if instead is not None:
            # An operand of the node, or a constant.
            done[node] = done.get(instead, instead)
            changed = True
            continue
        children = tuple(done[c] for c in node.children)
        done[node] = node.rebuild(children) if children else node
    return simplify(done[e]) if changed else e


class Conditions:
    """Collects what a loop's conditions ask of its variable."""

    def __init__(self, loop: s.For, policy: Partition) -> None:
        self.loop, self.policy = loop, policy
        self.variable: Expr = Variable(loop.name, I32)
        self.is_leaf = is_leaf(loop)
        self.is_innermost = not any(
            x.kind == "serial" for x in walk(loop.body) if isinstance(x, s.For)
        )
        self.inner: dict[Expr, _Inner] = {}
        self.moving: set[Expr] = {self.variable}
        self.bounds: dict[frozenset[tuple[Expr, int]], tuple[int, Expr, int]] = {}
        """By terms: the variable's factor, the rest without its constant, the largest constant:
        factor * variable + rest + constant <= 0."""
        self.found = SteadyState()
        self.depends: dict[Expr, bool] = {}
        self.seen: set[Expr] = set()
        self.written: set[str] | None = None
        self.nodes = 0

    def collect(self) -> SteadyState | None:
        self.ranges(self.loop.body)
        self.walk(self.loop.body)
        if self.nodes > MOST_NODES:
            return None
        for factor, rest, constant in self.bounds.values():
            limited = any(map(_may_be_far, n.postorder(rest)))
            if limited:
                rest = _widened(rest)
            type = rest.type
            size, total = const(abs(factor), type), Add(rest, const(constant, type))
            bound: Expr
            if factor > 0:
                last = n.Div(simplify(n.Neg(total)), size)
                bound, found = Add(last, const(1, type)), self.found.uppers
            else:
                bound = n.Div(simplify(Add(total, const(abs(factor) - 1, type))), size)
                found = self.found.lowers
            found.append(simplify(_nearest(bound) if limited else bound))
        return self.found

    def walk(self, stmt: s.Stmt) -> None:
        if isinstance(stmt, s.IfThenElse):
            self.branch(stmt)
        for e in expressions_of(stmt):
            self.expression(e)
        for child in children_of(stmt):
            self.walk(child)

    def ranges(self, stmt: s.Stmt) -> None:
        """What the loops and lets inside range over; a name that is used twice, over both."""
        if isinstance(stmt, s.For):
            variable: Expr = Variable(stmt.name, I32)
            last = simplify(Sub(Add(stmt.min, stmt.extent), const(1)))
            self.admit(_Inner(variable, stmt.min, last, stmt.kind == "vectorized"))
        elif isinstance(stmt, s.LetStmt):
            let: Expr = Variable(stmt.name, stmt.value.type)
            if let.type is I32:
                self.admit(_Inner(let, stmt.value, stmt.value, False))
            else:
                self.moving.add(let)
        for child in children_of(stmt):
            self.ranges(child)

    def admit(self, new: _Inner) -> None:
        old = self.inner.get(new.variable)
        if old is None:
            self.inner[new.variable] = new
        elif (old.low, old.high) != (new.low, new.high):
            low, high = simplify(Min(old.low, new.low)), simplify(Max(old.high, new.high))
            vectorized = old.is_vectorized or new.is_vectorized
            self.inner[new.variable] = _Inner(new.variable, low, high, vectorized)

    def moves(self, e: Expr) -> bool:
        """Whether `e` depends on the loop's variable, or on that of a loop inside."""
        found = self.depends.get(e)
        if found is None:
            found = e in self.moving or e in self.inner or isinstance(e, Load)
            found = found or (isinstance(e, Call) and e.kind not in ("intrinsic", "pure"))
            found = found or any(map(self.moves, e.children))
            self.depends[e] = found
        return found

    def expression(self, e: Expr) -> None:
        for node in n.postorder(e):
            if node in self.seen:
                continue
            self.seen.add(node)
            self.nodes += 1
            if isinstance(node, (Min, Max)) and node.type is I32:
                self.extreme(node)
            elif isinstance(node, Select):
                self.choice(node)

    def extreme(self, node: Min | Max) -> None:
        """The side that likely is the result, else the one that moves."""
        a, b = node.a, node.b
        sides = [self.likely(a), self.likely(b)]
        if sides[0] == sides[1]:
            sides = [self.moves(a), self.moves(b)]
        if sides[0] == sides[1]:
            return
        chosen, other = (a, b) if sides[0] else (b, a)
        kind = n.LE if isinstance(node, Min) else n.GE
        if self.is_worth_parts(node) and self.require(kind(chosen, other), True):
            self.found.decided[node] = chosen

    def is_worth_parts(self, clamp: Expr) -> bool:
        """A row's own clamp is cheap; one that differs between lanes makes a gather of a row."""
        in_lanes = any(
            i.is_vectorized and i.variable in set(n.postorder(clamp)) for i in self.inner.values()
        )
        return self.is_leaf or in_lanes or self.policy is Partition.Always

    def choice(self, node: Select) -> None:
        holds = self.preferred(node.condition, node.a, node.b)
        if holds is None and node.type is I32 and self.is_worth_parts(node):
            # A clamp that is written as a choice: `x < 0 ? 0 : x`.
            sides = self.moves(node.a), self.moves(node.b)
            holds = None if sides[0] == sides[1] else sides[0]
        if holds is None:
            return
        if self.require(node.condition, holds):
            self.found.decided[node] = node.a if holds else node.b
        elif holds:
            self.parts(node.condition)

    def parts(self, condition: Expr) -> None:
        """What a condition asks of rows and of columns is decided one by one."""
        if isinstance(condition, n.And):
            for part in (condition.a, condition.b):
                if isinstance(part, n.And):
                    self.parts(part)
                elif part not in self.found.decided and self.require(part, True):
                    self.found.decided[part] = TRUE

    def branch(self, stmt: s.IfThenElse) -> None:
        condition = stmt.condition
        holds: bool | None = None
        if stmt.otherwise is None or self.likely(condition):
            holds = True
        if holds is None or isinstance(condition, Const):
            return
        if self.require(condition, holds):
            self.found.decided[condition] = TRUE if holds else FALSE

    def likely(self, e: Expr) -> bool:
        return is_likely(e, LIKELY) or (self.is_innermost and is_likely(e, LIKELY_IF_INNERMOST))

    def preferred(self, condition: Expr, a: Expr, b: Expr) -> bool | None:
        """Which way a select likely goes: as `likely` says, else to the side that reads memory,
        and of two to the one that reads what the loop writes: a recursion past its start."""
        if self.likely(condition):
            return True
        sides = (self.likely(a), self.likely(b))
        if sides[0] == sides[1]:
            sides = (_reads(a), _reads(b))
        if sides[0] and sides[1]:
            sides = (self.reads_written(a), self.reads_written(b))
        if sides[0] and sides[1]:
            # What is there with something more, rather than what is there.
            sides = (b in set(n.postorder(a)), a in set(n.postorder(b)))
        return None if sides[0] == sides[1] else sides[0]

    def reads_written(self, e: Expr) -> bool:
        """Whether `e` reads a memory that the loop stores to."""
        if self.written is None:
            stored = (x for x in walk(self.loop.body) if isinstance(x, s.Store))
            self.written = {x.buffer for x in stored}
        return any(isinstance(x, Load) and x.array in self.written for x in n.postorder(e))

    def require(self, condition: Expr, holds: bool) -> bool:
        """Adds what makes `condition` be `holds`, if the loop's variable can say it."""
        wanted = list(_leaves(condition, holds))
        made: list[dict[Expr, int]] = []
        constants: list[int] = []
        for leaf, truth in wanted:
            bound = None if leaf is None else self.bound_of(leaf, truth)
            if bound is None:
                return False
            made.append(bound[0])
            constants.append(bound[1])
        for terms, constant in zip(made, constants, strict=True):
            key = frozenset(terms.items())
            old = self.bounds.get(key)
            if old is not None:
                self.bounds[key] = (old[0], old[1], max(old[2], constant))
                continue
            factor = terms.pop(self.variable)
            rest: Expr = const(0)
            for term, count in terms.items():
                rest = Add(rest, n.Mul(term, const(count)))
            self.bounds[key] = factor, simplify(rest), constant
        return bool(made)

    def bound_of(self, leaf: n.Comparison, truth: bool) -> tuple[dict[Expr, int], int] | None:
        """(terms, constant) of a sum that is at most 0 only where `leaf` always is `truth`."""
        if leaf.a.type is not I32:
            return None
        below = isinstance(leaf, (n.LT, n.LE)) == truth
        if isinstance(leaf, (n.EQ, n.NE)):
            return None
        strict = isinstance(leaf, (n.LT, n.GT)) == truth
        # Choices inside of it have been decided for the same steps.
        a, b = (without_likely(decided_in(e, self.found.decided)) for e in (leaf.a, leaf.b))
        difference: Expr = Sub(a, b) if below else Sub(b, a)
        if strict:
            difference = Add(difference, const(1))
        # difference <= 0 for all steps of the loops inside: its largest value counts.
        largest = self.largest(difference)
        if largest is None:
            return None
        signed, constant = whole_terms(largest)
        if is_far(constant, I32) or any(is_far(c, I32) for c in signed.values()):
            return None  # the step where the condition turns could not be computed
        others = [t for t in signed if t is not self.variable]
        if self.variable not in signed or any(self.moves(t) for t in others):
            return None
        return signed, constant

    def largest(self, e: Expr) -> Expr | None:
        """The largest value of `e` over the loops inside, in terms of the loop's variable."""
        for inner in reversed(list(self.inner.values())):
            terms, _ = whole_terms(e)
            factor = terms.pop(inner.variable, 0)
            if any(inner.variable in n.postorder(t) for t in terms):
                return None
            if factor:
                extreme = inner.high if factor > 0 else inner.low
                e = self.at_most(substitute(e, {inner.variable: extreme}))
        return self.at_most(e)

    def at_most(self, e: Expr) -> Expr:
        """Something that `e` never exceeds, without moving extremes that have a constant side."""
        limits: dict[Expr, Expr] = {}
        for term, count in whole_terms(e)[0].items():
            if isinstance(term, Min if count > 0 else Max) and self.moves(term):
                for side in (term.a, term.b):
                    if isinstance(side, Const):
                        limits[term] = side
        return substitute(e, limits) if limits else e


def _may_be_far(e: Expr) -> bool:
    """Whether `e` may be a number near the ends of its type: a parameter, no coordinate."""
    return isinstance(e, Variable) and "." not in e.name


def _widened(e: Expr) -> Expr:
    """A sum of int32 in 64 bits, where it can't overflow."""
    terms, constant = whole_terms(e)
    made: Expr = const(constant, I64)
    for term, factor in terms.items():
        made = Add(made, n.Mul(n.Cast(I64, term), const(factor, I64)))
    return simplify(made)


def _nearest(e: Expr) -> Expr:
    """The int32 nearest to a number of 64 bits: no loop's step lies between the two."""
    return n.Cast(I32, Min(Max(e, const(I32.min, I64)), const(I32.max, I64)))


def _leaves(condition: Expr, holds: bool) -> Iterator[tuple[n.Comparison | None, bool]]:
    """Comparisons that make `condition` be `holds` when all of them are as said; None: no such."""
    match condition:
        case n.Not(value=value):
            yield from _leaves(value, not holds)
        case Call(name=name, args=(value,)) if name in (LIKELY, LIKELY_IF_INNERMOST):
            yield from _leaves(value, holds)
        case n.And(a=a, b=b) if holds:
            yield from _leaves(a, True)
            yield from _leaves(b, True)
        case n.Or(a=a, b=b) if not holds:
            yield from _leaves(a, False)
            yield from _leaves(b, False)
        case n.Comparison():
            yield condition, holds
        case _:
            yield None, holds


def _reads(e: Expr) -> bool:
    return any(isinstance(x, Load) for x in n.postorder(e))
