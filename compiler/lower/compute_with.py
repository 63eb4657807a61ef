"""`compute_with`: definitions of several stages in common outer loops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .. import ir
from ..ir import I32, LE, TRUE, Add, And, Expr, Max, Min, Sub, Variable, const, simplify
from ..ir import stmts as s
from ..ir.stmt_transform import block
from ..lang import ComputeWith, HalideError, LoopAlignStrategy
from .interval import larger, smaller
from .plan import StagePlan
from .region import Clamp, Loops, Steps

FUSED = ".fused"
"""Marks the loop variable that two loops have in common."""

Definitions = Mapping[tuple[str, int], s.Stmt | None]
"""The nest of each definition, by stage and number."""


@dataclass
class FusedGroup:
    """Stages that are computed together, the leaders of fused loops before those that join them."""

    plans: list[StagePlan]


def groups(plans: Sequence[StagePlan]) -> list[FusedGroup]:
    """The stages in groups that have loops in common; producers before consumers, as `plans` are.

    Raises `HalideError` for stages that need one another, or that are computed in other places.
    """
    by_name = {p.name: p for p in plans}
    leader: dict[str, str] = {p.name: p.name for p in plans}

    def root(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    for plan in plans:
        for index, stage in enumerate(plan.schedule.stages):
            if stage.fused is not None:
                _check(plan, index, stage.fused, by_name)
                leader[root(plan.name)] = root(stage.fused.func)
    members: dict[str, list[StagePlan]] = {}
    for plan in plans:
        members.setdefault(root(plan.name), []).append(plan)
    if all(len(m) == 1 for m in members.values()):
        return [FusedGroup([p]) for p in plans]
    return _ordered(plans, members, root)


def _ordered(
    plans: Sequence[StagePlan], members: Mapping[str, list[StagePlan]], root: Callable[[str], str]
) -> list[FusedGroup]:
    """The groups so that whatever a member of one reads is in one before."""
    owner = {v: p.name for p in plans for v in (p.name, *p.value_names())}
    reads: dict[str, set[str]] = {r: set() for r in members}
    for plan in plans:
        for definition in plan.definitions:
            for node in ir.postorder(*definition.expressions):
                if isinstance(node, ir.Call) and node.kind == "func" and node.name in owner:
                    read = owner[node.name]
                    if read == plan.name:
                        continue
                    if root(read) == root(plan.name):
                        raise HalideError(
                            "Invalid compute_with: there is dependency between "
                            f"{read} and {plan.name}"
                        )
                    reads[root(plan.name)].add(root(read))
    made: list[FusedGroup] = []
    state: dict[str, int] = {}

    def visit(name: str) -> None:
        state[name] = 1
        for read in sorted(reads[name]):
            if state.get(read) == 1:
                raise HalideError(
                    f"Invalid compute_with: there is dependency between {read} and {name}"
                )
            if read not in state:
                visit(read)
        state[name] = 2
        made.append(FusedGroup(sorted(members[name], key=_joins_others)))

    for plan in plans:
        if root(plan.name) not in state:
            visit(root(plan.name))
    return made


def _joins_others(plan: StagePlan) -> bool:
    return any(stage.fused is not None for stage in plan.schedule.stages)


def _check(
    plan: StagePlan, index: int, fused: ComputeWith, by_name: Mapping[str, StagePlan]
) -> None:
    """Raises `HalideError` unless both definitions have the loops that are to be one."""
    here, there = f"{plan.name}.s{index}", f"{fused.func}.s{fused.index}"
    other = by_name.get(fused.func)
    place = plan.definitions[0].source.location
    for one, name in ((other, there), (plan, here)):
        # A stage that was inlined has no plan any more.
        if one is None:
            raise HalideError(f"Invalid compute_with: {name} is scheduled inline.", place)
    assert other is not None
    levels = [_level(p) for p in (other, plan)]
    if levels[0] != levels[1]:
        raise HalideError(
            f"Invalid compute_with: the compute levels of {there} (computed at {levels[0]}) and "
            f"{here} ({levels[1]}) do not match.",
            place,
        )
    loops: list[list[tuple[str, str]]] = []
    for stage, name in (
        (other.schedule.stages[fused.index], there),
        (plan.schedule.stages[index], here),
    ):
        names = [d.name for d in stage.dimensions]
        if fused.var not in names:
            raise HalideError(f"Invalid compute_with: cannot find {fused.var} in {name}", place)
        outer = stage.dimensions[names.index(fused.var) :]
        loops.append([(d.name, _kind(d.kind)) for d in reversed(outer)])
    if len(loops[0]) != len(loops[1]):
        raise HalideError(
            f"Invalid compute_with: # of fused dims of {there} and {here} do not match.", place
        )
    for d, ((a, kind), (b, other_kind)) in enumerate(zip(*loops, strict=True)):
        if kind != other_kind:
            raise HalideError(
                f"Invalid compute_with: for types of dim {d} of {there}({a} is {kind}) and "
                f"{here}({b} is {other_kind}) do not match.",
                place,
            )


def _kind(kind: str) -> str:
    return "for" if kind == "serial" else kind


def _level(plan: StagePlan) -> str:
    level = plan.schedule.level
    return ".__root" if plan.is_output or level.place == "root" else f"{level.func}.{level.var}"


def fused_nest(group: FusedGroup, nests: Definitions, loops: Loops) -> s.Stmt:
    """All definitions of the group's stages, those that are computed with others in their loops.

    A common loop runs over the steps of both; each body is guarded by its own. The leader's part
    comes first in each step.

        for y in [0, +9): f(y) = ...            for y.fused in [0, +9):
        for y in [2, +9): g(y) = ...     ->       let f.y = ...; if y.fused < 9: f(f.y) = ...
                                                  let g.y = ...; if 2 <= y.fused: g(g.y) = ...
    """
    parts: list[_Part] = []
    where: dict[tuple[str, int], _Part] = {}
    waiting = [(p, i) for p in group.plans for i in range(len(p.definitions))]
    while waiting:
        ready = [(p, i) for p, i in waiting if _is_ready(p, i, where)]
        if not ready:
            plan, index = waiting[0]
            raise HalideError(
                f"Invalid compute_with: {plan.name}.s{index} is computed with a definition that "
                "comes after it."
            )
        # What joins a loop needs the definitions before it in front of that loop.
        free = (x for x in ready if not _is_awaited(*x, waiting))
        plan, index = next(free, ready[0])
        fused = plan.schedule.stages[index].fused
        _append(plan, index, fused, nests, loops, parts, where)
        waiting.remove((plan, index))
    return block(*(p.nest for p in parts))


def _is_ready(plan: StagePlan, index: int, where: Mapping[tuple[str, int], _Part]) -> bool:
    """Whether the definitions before one, and the one whose loops it joins, have their places."""
    fused = plan.schedule.stages[index].fused
    return (not index or (plan.name, index - 1) in where) and (
        fused is None or (fused.func, fused.index) in where
    )


def _is_awaited(plan: StagePlan, index: int, waiting: Sequence[tuple[StagePlan, int]]) -> bool:
    """Whether a definition waits that comes before one which joins the loops of this one."""
    return any(
        fused is not None
        and (fused.func, fused.index) == (plan.name, index)
        and any((other, i) in waiting for i in range(joining))
        for other, joining in waiting
        if (fused := other.schedule.stages[joining].fused) is not None
    )


@dataclass
class _Part:
    """One nest, of one definition or of several with common loops."""

    nest: s.Stmt
    owners: set[tuple[str, int]] = field(default_factory=set)


def _append(
    plan: StagePlan,
    index: int,
    fused: ComputeWith | None,
    nests: Definitions,
    loops: Loops,
    parts: list[_Part],
    where: dict[tuple[str, int], _Part],
) -> None:
    key = (plan.name, index)
    nest = nests[key]
    if nest is None:
        nest = s.Block(())
    if fused is None or not isinstance(nest, (s.For, s.LetStmt)):
        part = _Part(nest, {key})
        parts.append(part)
        where[key] = part
        return
    part = where[fused.func, fused.index]
    later = parts[parts.index(part) + 1 :]
    if index and where[plan.name, index - 1] in later:
        raise HalideError(
            f"Invalid compute_with: {plan.name}.s{index} cannot be computed before the definition "
            "that it updates."
        )
    names = [d.name for d in plan.schedule.stages[index].dimensions]
    outer = list(reversed(names[names.index(fused.var) :]))
    ways = dict(fused.align)
    align = [ways.get(name, LoopAlignStrategy.Auto) for name in outer]
    part.nest = _merged(part.nest, [], nest, [], align, loops)
    part.owners.add(key)
    where[key] = part


def _merged(
    a: s.Stmt,
    a_runs: list[Expr],
    b: s.Stmt,
    b_runs: list[Expr],
    align: Sequence[LoopAlignStrategy],
    loops: Loops,
) -> s.Stmt:
    """The nests a and b in common loops, one for each of `align`; each runs where its conditions
    hold."""
    lets: list[s.LetStmt] = []
    a, b = _opened(a, lets, a_runs, loops), _opened(b, lets, b_runs, loops)
    if not align:
        made = block(_where(a_runs, a), _where(b_runs, b))
    else:
        assert isinstance(a, s.For) and isinstance(b, s.For)
        made = _common_loop(a, a_runs, b, b_runs, align, loops)
    for let in reversed(lets):
        made = s.LetStmt(let.name, let.value, made)
    return made


def _opened(stmt: s.Stmt, lets: list[s.LetStmt], runs: list[Expr], loops: Loops) -> s.Stmt:
    """What stands below the lets and guards that begin `stmt`."""
    while True:
        if isinstance(stmt, s.LetStmt):
            lets.append(stmt)
            stmt = stmt.body
        elif isinstance(stmt, s.IfThenElse) and stmt.condition in loops.guards:
            runs.append(stmt.condition)
            stmt = stmt.then
        else:
            return stmt


def _common_loop(
    a: s.For,
    a_runs: list[Expr],
    b: s.For,
    b_runs: list[Expr],
    align: Sequence[LoopAlignStrategy],
    loops: Loops,
) -> s.Stmt:
    name = a.name + FUSED
    variable: Expr = Variable(name, I32)
    a_last, b_last = _last(a), _last(b)
    shift: Expr = const(0)
    if align[0] is LoopAlignStrategy.AlignStart:
        shift = simplify(Sub(a.min, b.min))
    elif align[0] is LoopAlignStrategy.AlignEnd:
        shift = simplify(Sub(a_last, b_last))
    b_min, b_end = simplify(Add(b.min, shift)), simplify(Add(b_last, shift))
    low, last = smaller(a.min, b_min), larger(a_last, b_end)
    whole = (low, last)
    lets = [
        (a.name, _own(variable, (a.min, a_last), whole)),
        (b.name, simplify(Sub(_own(variable, (b_min, b_end), whole), shift))),
    ]
    loops.add_clamps(lets, {a.name: Clamp(name, a.min, a_last), b.name: Clamp(name, b.min, b_last)})
    steps = {x.name: Steps((name,), x.min, last) for x, last in ((a, a_last), (b, b_last))}
    loops.add_steps(lets, steps)
    inside = _merged(
        a.body,
        [*a_runs, *_within(variable, (a.min, a_last), whole)],
        b.body,
        [*b_runs, *_within(variable, (b_min, b_end), whole)],
        align[1:],
        loops,
    )
    for let, value in reversed(lets):
        inside = s.LetStmt(let, value, inside)
    for names in loops.by_level.values():
        if a.name in names or b.name in names:
            names[:] = [*(x for x in names if x not in (a.name, b.name)), name]
    extent = simplify(Add(Sub(last, low), const(1)))
    return s.For(name, low, extent, a.kind, inside)


def _last(loop: s.For) -> Expr:
    return simplify(Sub(Add(loop.min, loop.extent), const(1)))


def _own(variable: Expr, own: tuple[Expr, Expr], whole: tuple[Expr, Expr]) -> Expr:
    """The step of one of the loops: its nearest one where it does not run."""
    made = variable
    if own[1] is not whole[1]:
        made = Min(made, own[1])
    if own[0] is not whole[0]:
        made = Max(made, own[0])
    return made


def _within(variable: Expr, own: tuple[Expr, Expr], whole: tuple[Expr, Expr]) -> list[Expr]:
    """The conditions under which the common loop's step is one of the loop's own."""
    made: list[Expr] = []
    if own[0] is not whole[0]:
        made.append(LE(own[0], variable))
    if own[1] is not whole[1]:
        made.append(LE(variable, own[1]))
    return made


def _where(conditions: Iterable[Expr], stmt: s.Stmt) -> s.Stmt:
    all_of: Expr = TRUE
    for condition in conditions:
        all_of = condition if all_of is TRUE else And(all_of, condition)
    return stmt if all_of is TRUE else s.IfThenElse(all_of, stmt)


__all__ = ["FUSED", "FusedGroup", "fused_nest", "groups"]
