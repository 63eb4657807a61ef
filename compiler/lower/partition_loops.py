"""Boundary conditions cost nothing in the steady state of loops."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from ..ir import (
    I32,
    TRUE,
    Add,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Sub,
    Variable,
    const,
    simplify,
    substitute,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import (
    block,
    children_of,
    expressions_of,
    map_expressions,
    prune,
    rebuild,
    walk,
)
from ..lang import Fuse, HalideError, Partition, Split
from .clamped_rows import reads_rows
from .flatten import replacing
from .likely_conditions import without_likely
from .partition_tails import rolled
from .plan import StagePlan
from .splits import GUARDED, resolved_tail
from .steady_state import Conditions, SteadyState, decided_in, is_leaf

MOST_VERSIONS = 8
"""A statement is written out at most this many times."""
FEW_STEPS = 4
"""Loops of so few steps have no steady state worth code of its own."""

Policies = Mapping[str, Partition]


def partition_loops(
    stmt: s.Stmt,
    policies: Policies | None = None,
    masked: bool = False,
    permuted: bool = False,
    cut: set[str] | None = None,
) -> s.Stmt:
    """Loops whose conditions are all decided for steps in the middle run those without conditions.

    Conditions are those of `select`s, branches, `min` and `max` that grow or shrink steadily with
    the loop's variable, and that `likely`, a clamped coordinate (by an extreme or by a choice), a
    constant exterior or an update that leaves some elements alone says how to decide. An innermost
    loop becomes prologue, steady state and epilogue; of others, the body becomes a steady one and a
    general one. `policies` gives loops that never or always are partitioned; `masked` says that
    the machine switches lanes off at no cost, `permuted` that it also permutes a whole vector of
    any type at once. Needs flat memory; leaves no `likely`. Adds the names of the loops that have a
    steady state to `cut`.

        for x in [0, +w): f[x] = a[max(x - 1, 0)]
        ->  for x in [0, +min(1, w)): f[x] = a[max(x - 1, 0)]
            for x in [min(1, w), +...): f[x] = a[x - 1]
    """
    partitioner = _Partitioner(policies or {}, masked, permuted, set() if cut is None else cut)
    made = partitioner.statement(stmt, MOST_VERSIONS)
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


def check_partitioned(body: s.Stmt, plans: Sequence[StagePlan], cut: Collection[str]) -> s.Stmt:
    """`body`, in which every loop that was always to be partitioned was.

    `cut` are the names of those that were. Raises `HalideError` for another one, inner loops first,
    where no partition is possible: where nothing in it is decided by the step. Others stay whole
    where we find that parts would save nothing; a loop of one step needs none, nor one whose
    guard fell away since its splits divide a fused loop.
    """
    wanted = policies(plans)
    guarded = _guarded(plans)
    places = {plan.name: plan.definitions[0].source.location for plan in plans}
    for x in reversed(list(walk(body))):
        if not isinstance(x, s.For) or x.name in cut or x.kind not in ("serial", "parallel"):
            continue
        if isinstance(x.extent, Const) and int(x.extent.value) <= 1:
            continue
        if wanted.get(_policy_key(x.name)) is not Partition.Always or _decides(x):
            continue
        if not x.name.startswith(guarded):
            raise HalideError(
                f"Loop Partition Policy is set to Always for {x.name}, but no loop partitioning "
                "was performed.",
                places.get(x.name.partition(".s")[0]),
            )
    return body


def _guarded(plans: Sequence[StagePlan]) -> tuple[str, ...]:
    """What the loops of definitions begin with that fuse loops and guard the steps of splits."""
    made: list[str] = []
    for plan in plans:
        for index, schedule in enumerate(plan.schedule.stages):
            fuses = any(isinstance(x, Fuse) for x in schedule.splits)
            splits = [x for x in schedule.splits if isinstance(x, Split)]
            if fuses and any(resolved_tail(x) in GUARDED for x in splits):
                made.append(f"{plan.name}.s{index}.")
    return tuple(made)


def _decides(loop: s.For) -> bool:
    """Whether a condition inside of `loop` depends on its step."""
    moved: set[Expr] = {Variable(loop.name, I32)}
    kinds = (Min, Max, n.EQ, n.LT, n.LE)
    for stmt in walk(loop.body):
        held = expressions_of(stmt)
        if isinstance(stmt, (s.LetStmt, s.For)) and n.mentions(held, moved):
            moved.add(Variable(stmt.name, I32))
        conditions = [x for x in n.postorder(*held) if isinstance(x, kinds)]
        if conditions and n.mentions(conditions, moved):
            return True
    return False


def _policy_key(loop: str) -> str:
    stage, _, rest = loop.partition(".s")
    index, _, name = rest.partition(".")
    return f"{stage}.s{index}.{name.rpartition('.')[2]}"


class _Partitioner:
    def __init__(self, policies: Policies, masked: bool, permuted: bool, cut: set[str]) -> None:
        self.policies, self.masked, self.permuted = policies, masked, permuted
        self.cut = cut
        self.bound = self.width = 0

    def statement(self, stmt: s.Stmt, versions: int) -> s.Stmt:
        if isinstance(stmt, s.For) and stmt.kind in ("serial", "parallel"):
            return self.loop(stmt, versions)
        children = tuple(self.statement(c, versions) for c in children_of(stmt))
        return rebuild(stmt, children, lambda e: e)

    def loop(self, stmt: s.For, versions: int) -> s.Stmt:
        steady = self.steady(stmt, versions)
        if steady is None:
            body = self.statement(stmt.body, versions)
            return stmt if body is stmt.body else _loop(stmt, stmt.min, stmt.extent, body)
        self.cut.add(stmt.name)
        known = steady.decided
        free = prune(map_expressions(stmt.body, lambda e: decided_in(e, known)))
        leaf = stmt.kind == "serial" and is_leaf(stmt)
        less = versions // 2
        if leaf:
            edges = self.edges(stmt.body, steady)
            return self.in_parts(stmt, steady, free, rolled(edges))
        free, general = self.statement(free, less), self.statement(stmt.body, less)
        variable: Expr = Variable(stmt.name, I32)
        inside: Expr = TRUE
        for low in steady.lowers:
            inside = n.And(inside, n.LE(low, variable))
        for high in steady.uppers:
            inside = n.And(inside, n.LT(variable, high))
        both = s.IfThenElse(simplify(inside), free, general)
        return _loop(stmt, stmt.min, stmt.extent, both)

    def in_parts(
        self,
        stmt: s.For,
        steady: SteadyState,
        free: s.Stmt,
        general: s.Stmt,
        in_lanes: Callable[[s.For], s.Stmt] | None = None,
    ) -> s.Stmt:
        """Prologue, steady state, epilogue; those that can't have a step are left out."""
        self.bound += 1
        if isinstance(stmt.extent, Const):
            self.width = int(stmt.extent.value)
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
        middle = _loop(stmt, begin, simplify(Sub(last, begin)), free)
        parts.append(middle if in_lanes is None else in_lanes(middle))
        if steady.uppers:
            parts.append(_loop(stmt, last, simplify(Sub(end, last)), general))
        made = block(*parts)
        for name, value in reversed(lets):
            made = s.LetStmt(name, value, made)
        return made

    def edges(self, body: s.Stmt, steady: SteadyState) -> s.Stmt:
        """Vectors with conditions, before and after the steady state: one or two of them a row.

        The lanes that need no condition stay lanes (switched on by a mask, or shorter vectors);
        the others, mostly one or two, go one by one: a gather of a whole vector is far more code.
        """
        if not (isinstance(body, s.For) and body.kind == "vectorized"):
            children = tuple(self.edges(c, steady) for c in children_of(body))
            return rebuild(body, children, lambda e: e)
        lanes = int(body.extent.value) if isinstance(body.extent, Const) else 0
        if lanes < (8 if self.masked else 16) or not _conditions_in(body, steady):
            return body
        if self.masked and self.permuted and reads_rows(body):
            return body
        inner = body.body
        serial = s.For(body.name, body.min, body.extent, "serial", inner)
        found = Conditions(serial, Partition.Auto).collect()
        if found is None or not found.decided or not _is_one_store(inner):
            return serial
        decided = found.decided
        free = prune(map_expressions(inner, lambda e: decided_in(e, decided)))
        return self.in_parts(serial, found, free, inner, self.lanes_of_edge)

    def lanes_of_edge(self, loop: s.For) -> s.Stmt:
        """The part of a vectorized loop from its min on, in lanes."""
        self.bound += 1
        variable: Expr = Variable(loop.name, I32)
        if self.masked:
            lane: Expr = Variable(f"{loop.name}.lane{self.bound}", I32)
            inside = n.LT(lane, loop.extent)
            mapping = replacing(variable, Add(lane, loop.min))
            body = map_expressions(loop.body, lambda e: simplify(substitute(e, mapping)))
            return s.For(
                f"{loop.name}.lane{self.bound}", const(0), const(self.width), "vectorized",
                s.IfThenElse(inside, body),
            )  # fmt: skip
        short = const(max(4, self.width // 4))
        part, lane = (Variable(f"{loop.name}.{w}{self.bound}", I32) for w in ("part", "lane"))
        mapping = replacing(variable, Add(Add(loop.min, n.Mul(part, short)), lane))
        body = map_expressions(loop.body, lambda e: simplify(substitute(e, mapping)))
        parts = simplify(n.Div(Max(loop.extent, const(0)), short))
        done = simplify(n.Mul(parts, short))
        vectors = s.For(
            f"{loop.name}.part{self.bound}", const(0), parts, "serial",
            s.For(f"{loop.name}.lane{self.bound}", const(0), short, "vectorized", body),
        )  # fmt: skip
        rest = _loop(
            loop, simplify(Add(loop.min, done)), simplify(Sub(loop.extent, done)), loop.body
        )
        return block(vectors, rest)

    def steady(self, stmt: s.For, versions: int) -> SteadyState | None:
        """The steady state of a loop; None where it is not worth having."""
        policy = self.policies.get(_policy_key(stmt.name), Partition.Auto)
        if policy is Partition.Never:
            return None
        few = isinstance(stmt.extent, Const) and int(stmt.extent.value) <= FEW_STEPS
        if few or (versions <= 1 and policy is not Partition.Always):
            return None
        found = Conditions(stmt, policy).collect()
        return found if found is not None and found.decided else None


def _is_one_store(body: s.Stmt) -> bool:
    """Whether lanes may go in any order: there is nothing but a store of each to its own place."""
    stores = [x for x in walk(body) if isinstance(x, s.Store)]
    simple = all(isinstance(x, (s.Store, s.IfThenElse)) for x in walk(body))
    return (
        simple
        and len(stores) == 1
        and not any(
            isinstance(e, Load) and e.array == stores[0].buffer
            for e in n.postorder(stores[0].value, stores[0].index)
        )
    )


def _conditions_in(loop: s.For, steady: SteadyState) -> bool:
    variable: Expr = Variable(loop.name, I32)
    differing = {d for d in steady.decided if variable in set(n.postorder(d))}
    return any(
        node in differing for x in walk(loop.body) for node in n.postorder(*expressions_of(x))
    )


def _loop(stmt: s.For, low: Expr, extent: Expr, body: s.Stmt) -> s.For:
    return s.For(stmt.name, low, extent, stmt.kind, body)
