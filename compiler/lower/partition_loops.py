"""Pass: boundary conditions cost nothing in the steady state of loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..ir import (
    FALSE,
    I32,
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
from ..ir.simplify import linear_terms
from ..ir.stmt_transform import block, children_of, expressions_of, map_expressions, rebuild, walk
from ..lang import Partition
from .likely_conditions import LIKELY, LIKELY_IF_INNERMOST, is_likely, without_likely
from .plan import StagePlan
from .unroll import prune

MOST_VERSIONS = 8
"""A statement is written out at most this many times."""
MOST_NODES = 60_000
"""Loops beyond this size are left alone."""
WIDE = 16
"""Vectors of more lanes than this are gathered one by one."""
FEW_STEPS = 4
"""Loops of so few steps have no steady state worth code of its own."""
SHORT = 64
"""A loop of constant extent up to this belongs to the body of the loop around it."""

Policies = Mapping[str, Partition]


def partition_loops(stmt: s.Stmt, policies: Policies | None = None) -> s.Stmt:
    """Loops whose conditions are all decided for steps in the middle run those without conditions.

    Conditions are those of `select`s, branches, `min` and `max` that grow or shrink steadily with
    the loop's variable, and that `likely`, a clamped coordinate or a constant exterior says how to
    decide. An innermost loop becomes prologue, steady state and epilogue; of others, the body
    becomes a steady one and a general one. `policies` gives loops that never or always are
    partitioned. Needs flat memory; leaves no `likely`.

        for x in [0, +w): f[x] = a[max(x - 1, 0)]
        ->  for x in [0, +min(1, w)): f[x] = a[max(x - 1, 0)]
            for x in [min(1, w), +...): f[x] = a[x - 1]
    """
    made = _Partitioner(policies or {}).statement(stmt, MOST_VERSIONS)
    return map_expressions(made, without_likely)


def policies(plans: Sequence[StagePlan]) -> Policies:
    """The policies of loops that the schedule speaks of, by the loops' names but for the stages of
    splits in between: `f.s0` and `xo` for `f.s0.x.xo`."""
    made: dict[str, Partition] = {}
    for plan in plans:
        for index, schedule in enumerate(plan.schedule.stages):
            for one in (schedule, *(special.schedule for special in schedule.specializations)):
                for d in one.dimensions:
                    if d.partition is not Partition.Auto:
                        made[_policy_key(f"{plan.name}.s{index}.{d.name}")] = d.partition
    return made


def _policy_key(loop: str) -> str:
    stage, _, rest = loop.partition(".s")
    index, _, name = rest.partition(".")
    return f"{stage}.s{index}.{name.rpartition('.')[2]}"


@dataclass
class _Steady:
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


class _Partitioner:
    def __init__(self, policies: Policies) -> None:
        self.policies = policies
        self.bound = 0

    def statement(self, stmt: s.Stmt, versions: int) -> s.Stmt:
        if isinstance(stmt, s.For) and stmt.kind in ("serial", "parallel"):
            return self.loop(stmt, versions)
        children = tuple(self.statement(c, versions) for c in children_of(stmt))
        return rebuild(stmt, children, lambda e: e)

    def loop(self, stmt: s.For, versions: int) -> s.Stmt:
        steady = self.steady(stmt) if versions > 1 else None
        if steady is None:
            body = self.statement(stmt.body, versions)
            return stmt if body is stmt.body else _loop(stmt, stmt.min, stmt.extent, body)
        free = prune(map_expressions(stmt.body, lambda e: _decided(e, steady.decided)))
        leaf = stmt.kind == "serial" and _is_leaf(stmt)
        less = versions // (3 if leaf else 2)
        body = _in_short_code(stmt.body, steady) if leaf else stmt.body
        free, general = self.statement(free, max(less, 1)), self.statement(body, max(less, 1))
        if leaf:
            return self.in_parts(stmt, steady, free, general)
        variable: Expr = Variable(stmt.name, I32)
        inside: Expr = TRUE
        for low in steady.lowers:
            inside = n.And(inside, n.LE(low, variable))
        for high in steady.uppers:
            inside = n.And(inside, n.LT(variable, high))
        both = s.IfThenElse(simplify(inside), free, general)
        return _loop(stmt, stmt.min, stmt.extent, both)

    def in_parts(self, stmt: s.For, steady: _Steady, free: s.Stmt, general: s.Stmt) -> s.Stmt:
        """Prologue, steady state, epilogue; those that can't have a step are left out."""
        self.bound += 1
        end: Expr = simplify(Add(stmt.min, stmt.extent))
        begin: Expr = stmt.min
        lets: list[tuple[str, Expr]] = []
        parts: list[s.Stmt] = []

        def bound(name: str, value: Expr) -> Expr:
            value = simplify(value)
            if isinstance(value, (Const, Variable)):
                return value
            lets.append((f"{stmt.name}.{name}{self.bound}", value))
            return Variable(lets[-1][0], I32)

        if steady.lowers:
            first = begin
            for low in steady.lowers:
                first = Max(first, low)
            first = bound("steady", Min(first, Max(end, begin)))
            parts.append(_loop(stmt, begin, simplify(Sub(first, begin)), general))
            begin = first
        last = end
        for high in steady.uppers:
            last = Min(last, high)
        if steady.uppers:
            last = bound("after", Max(last, begin))
        parts.append(_loop(stmt, begin, simplify(Sub(last, begin)), free))
        if steady.uppers:
            parts.append(_loop(stmt, last, simplify(Sub(end, last)), general))
        made = block(*parts)
        for name, value in reversed(lets):
            made = s.LetStmt(name, value, made)
        return made

    def steady(self, stmt: s.For) -> _Steady | None:
        """The steady state of a loop; None where it is not worth having."""
        policy = self.policies.get(_policy_key(stmt.name), Partition.Auto)
        if policy is Partition.Never:
            return None
        if isinstance(stmt.extent, Const) and int(stmt.extent.value) <= FEW_STEPS:
            return None
        found = _Conditions(stmt, policy).collect()
        return found if found is not None and found.decided else None


def _in_short_code(body: s.Stmt, steady: _Steady) -> s.Stmt:
    """Before and after the steady state wide vectors with conditions run lane by lane.

    There are one or two of them a row; their gathers would be hundreds of instructions.
    """
    if isinstance(body, s.For) and body.kind == "vectorized" and isinstance(body.extent, Const):
        if int(body.extent.value) > WIDE and _conditions_in(body, steady):
            return s.For(body.name, body.min, body.extent, "serial", body.body)
        return body
    children = tuple(_in_short_code(c, steady) for c in children_of(body))
    return rebuild(body, children, lambda e: e)


def _conditions_in(loop: s.For, steady: _Steady) -> bool:
    variable: Expr = Variable(loop.name, I32)
    differing = {d for d in steady.decided if variable in set(n.postorder(d))}
    return any(
        node in differing for x in walk(loop.body) for node in n.postorder(*expressions_of(x))
    )


def _loop(stmt: s.For, low: Expr, extent: Expr, body: s.Stmt) -> s.Stmt:
    return s.For(stmt.name, low, extent, stmt.kind, body)


def _is_leaf(stmt: s.For) -> bool:
    """Whether the loops inside are short ones and vectors."""
    return all(_is_short(x) for x in walk(stmt.body) if isinstance(x, s.For))


def _is_short(loop: s.For) -> bool:
    return loop.kind != "parallel" and (
        isinstance(loop.extent, Const) and int(loop.extent.value) <= SHORT
    )


def _decided(e: Expr, decided: Mapping[Expr, Expr]) -> Expr:
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


class _Conditions:
    """Collects what a loop's conditions ask of its variable."""

    def __init__(self, loop: s.For, policy: Partition) -> None:
        self.loop, self.policy = loop, policy
        self.variable: Expr = Variable(loop.name, I32)
        self.is_leaf = _is_leaf(loop)
        self.is_innermost = not any(
            x.kind == "serial" for x in walk(loop.body) if isinstance(x, s.For)
        )
        self.inner: dict[Expr, _Inner] = {}
        self.moving: set[Expr] = {self.variable}
        self.bounds: dict[tuple[frozenset[tuple[Expr, int]], bool], Expr] = {}
        self.found = _Steady()
        self.depends: dict[Expr, bool] = {}
        self.seen: set[Expr] = set()
        self.nodes = 0

    def collect(self) -> _Steady | None:
        self.ranges(self.loop.body)
        self.walk(self.loop.body)
        if self.nodes > MOST_NODES:
            return None
        for (_, is_lower), bound in self.bounds.items():
            (self.found.lowers if is_lower else self.found.uppers).append(bound)
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
        condition = kind(chosen, other)
        # A row's own clamp is cheap; one that differs between lanes makes a gather of a row.
        in_lanes = any(
            i.is_vectorized and i.variable in set(n.postorder(node)) for i in self.inner.values()
        )
        worth = self.is_leaf or in_lanes or self.policy is Partition.Always
        if worth and self.require(condition, True):
            self.found.decided[node] = chosen

    def choice(self, node: Select) -> None:
        holds = self.preferred(node.condition, node.a, node.b)
        if holds is not None and self.require(node.condition, holds):
            self.found.decided[node] = node.a if holds else node.b

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
        """Which way a select likely goes: as `likely` says, else to the side that reads memory."""
        if self.likely(condition):
            return True
        sides = (self.likely(a), self.likely(b))
        if sides[0] == sides[1]:
            sides = (_reads(a), _reads(b))
        return None if sides[0] == sides[1] else sides[0]

    def require(self, condition: Expr, holds: bool) -> bool:
        """Adds what makes `condition` be `holds`, if the loop's variable can say it."""
        wanted = list(_leaves(condition, holds))
        made: list[tuple[frozenset[tuple[Expr, int]], bool, Expr]] = []
        for leaf, truth in wanted:
            if leaf is None:
                return False
            bound = self.bound_of(leaf, truth)
            if bound is None:
                return False
            made.append(bound)
        if not made:
            return False
        for key, is_lower, bound_value in made:
            old = self.bounds.get((key, is_lower))
            if old is not None:
                bound_value = simplify((Max if is_lower else Min)(old, bound_value))
                bound_value = _tighter(old, bound_value, is_lower) or bound_value
            self.bounds[key, is_lower] = bound_value
        return True

    def bound_of(
        self, leaf: n.Comparison, truth: bool
    ) -> tuple[frozenset[tuple[Expr, int]], bool, Expr] | None:
        """The bound of the variable from which on, or below which, `leaf` is `truth` always."""
        if leaf.a.type is not I32:
            return None
        below = isinstance(leaf, (n.LT, n.LE)) == truth
        if isinstance(leaf, (n.EQ, n.NE)):
            return None
        strict = isinstance(leaf, (n.LT, n.GT)) == truth
        # Choices inside of it have been decided for the same steps.
        a, b = (without_likely(_decided(e, self.found.decided)) for e in (leaf.a, leaf.b))
        difference: Expr = Sub(a, b) if below else Sub(b, a)
        if strict:
            difference = Add(difference, const(1))
        # difference <= 0 for all steps of the loops inside: its largest value counts.
        largest = self.largest(difference)
        if largest is None:
            return None
        terms, constant = linear_terms(largest)
        factor = _signed(terms.pop(self.variable, 0))
        if factor == 0 or any(self.variable in n.postorder(t) for t in terms):
            return None
        if any(self.moves(t) for t in terms):
            return None
        rest: Expr = const(I32.wrap(constant))
        for term, count in terms.items():
            rest = Add(rest, n.Mul(term, const(I32.wrap(count))))
        key = frozenset([*((t, _signed(c)) for t, c in terms.items()), (self.variable, factor)])
        size = const(abs(factor))
        if factor > 0:
            return key, False, simplify(Add(n.Div(simplify(n.Neg(rest)), size), const(1)))
        return key, True, simplify(n.Div(simplify(Add(rest, const(abs(factor) - 1))), size))

    def largest(self, e: Expr) -> Expr | None:
        """The largest value of `e` over the loops inside, in terms of the loop's variable."""
        for inner in reversed(list(self.inner.values())):
            terms, _ = linear_terms(e)
            factor = _signed(terms.pop(inner.variable, 0))
            if any(inner.variable in n.postorder(t) for t in terms):
                return None
            if factor:
                extreme = inner.high if factor > 0 else inner.low
                e = _at_most(substitute(e, {inner.variable: extreme}))
        return _at_most(e)


def _at_most(e: Expr) -> Expr:
    """Something that `e` never exceeds, without extremes of which one side is a constant."""
    terms, _ = linear_terms(e)
    limits: dict[Expr, Expr] = {}
    for term, count in terms.items():
        if isinstance(term, Min if _signed(count) > 0 else Max):
            for side in (term.a, term.b):
                if isinstance(side, Const):
                    limits[term] = side
    return substitute(e, limits) if limits else e


def _tighter(a: Expr, b: Expr, is_lower: bool) -> Expr | None:
    """The one of two bounds that implies the other, where they are a constant apart."""
    terms, distance = linear_terms(Sub(b, a))
    if terms:
        return None
    return b if (_signed(distance) > 0) == is_lower else a


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


def _signed(value: int) -> int:
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value
