"""Memory that later iterations of a loop will read is asked for ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..ir import (
    I32,
    Add,
    And,
    Call,
    Expr,
    Max,
    Min,
    Sub,
    Type,
    Variable,
    const,
    simplify,
    substitute,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, rebuild
from ..lang import HalideError, PrefetchBoundStrategy, PrefetchDirective, StageSchedule
from ..lang.names import buffer_field
from .plan import StagePlan
from .region import Loops, Regions


@dataclass(frozen=True)
class PrefetchSource:
    """What may be prefetched: the memories of a stage's values, or an image."""

    names: tuple[str, ...]
    types: tuple[Type, ...]
    is_image: bool


Sources = Mapping[str, PrefetchSource]


def prefetch(stmt: s.Stmt, plans: Sequence[StagePlan], images: Sequence[PrefetchSource]) -> s.Stmt:
    """In each loop that a schedule names: `PrefetchDirective` of what the source is read at steps
    later.

    The box that the loop's body reads, with the step's variable ahead by the offset, row by row.
    Needs coordinates bound; `flatten` makes the rows' addresses. A box without known ends is not
    asked for. Raises `HalideError` where the schedule names a loop or a source that isn't there.

        for y: f(y) = g(y)   ->   for y: prefetch g(y + 2); f(y) = g(y)
    """
    sources = {name: image for image in images for name in image.names}
    sources.update({p.name: PrefetchSource(p.value_names(), p.types, p.is_output) for p in plans})
    for plan in plans:
        for index, schedule in enumerate(plan.schedule.stages):
            for directive in _directives(schedule):
                stmt = _Placed(plan, index, directive, sources).everywhere(stmt)
    return stmt


def _directives(schedule: StageSchedule) -> Iterator[PrefetchDirective]:
    seen: list[PrefetchDirective] = []
    for one in (schedule, *(special.schedule for special in schedule.specializations)):
        for directive in one.prefetches:
            if directive not in seen:
                seen.append(directive)
                yield directive


class _Placed:
    def __init__(
        self, plan: StagePlan, index: int, directive: PrefetchDirective, sources: Sources
    ) -> None:
        self.plan, self.directive, self.sources = plan, directive, sources
        self.prefix = f"{plan.name}.s{index}."
        self.found = False

    def everywhere(self, stmt: s.Stmt) -> s.Stmt:
        made = self.below(stmt, ())
        if not self.found:
            raise HalideError(
                f"In schedule for {self.plan.name}, could not find the loop {self.directive.at} "
                f"to prefetch {self.directive.source} in.",
                self.plan.definitions[0].source.location,
            )
        return made

    def below(self, stmt: s.Stmt, steps: tuple[str, ...]) -> s.Stmt:
        if isinstance(stmt, s.For) and self.names(stmt, self.directive.step):
            steps = (*steps, stmt.name)
        made = rebuild(stmt, tuple(self.below(c, steps) for c in children_of(stmt)), lambda e: e)
        if not (isinstance(made, s.For) and self.names(made, self.directive.at) and steps):
            return made
        self.found = True
        ahead = self.rows(made.body, Variable(steps[-1], I32))
        if not ahead:
            return made
        return s.For(made.name, made.min, made.extent, made.kind, block(*ahead, made.body))

    def names(self, loop: s.For, variable: str) -> bool:
        return loop.name.startswith(self.prefix) and loop.name.rpartition(".")[2] == variable

    def rows(self, body: s.Stmt, step: Expr) -> list[s.Stmt]:
        source = self.sources.get(self.directive.source)
        if source is None:
            return []
        read = Regions(Loops()).touched(body).read
        later: dict[Expr, Expr] = {step: Add(step, self.directive.offset)}
        made: list[s.Stmt] = []
        for name, type in zip(source.names, source.types, strict=True):
            box = read.get(name)
            if box is None:
                continue
            ends: list[tuple[Expr, Expr]] = []
            for low, high in box:
                if low is None or high is None:
                    return []
                ends.append((simplify(substitute(low, later)), simplify(substitute(high, later))))
            made.append(self.ask(name, type, ends, source.is_image))
        return made

    def ask(self, name: str, type: Type, ends: list[tuple[Expr, Expr]], is_image: bool) -> s.Stmt:
        strategy = self.directive.strategy
        inside: Expr = n.TRUE
        if is_image and strategy is not PrefetchBoundStrategy.NonFaulting:
            for d, (low, high) in enumerate(ends):
                first = buffer_field(name, "min", d)
                last = Sub(Add(first, buffer_field(name, "extent", d)), const(1))
                if strategy is PrefetchBoundStrategy.Clamp:
                    ends[d] = (Max(Min(low, last), first), Max(Min(high, last), first))
                else:
                    inside = And(inside, And(n.LE(first, low), n.LE(high, last)))
        kind: n.CallKind = "image" if is_image and name not in self.plan.value_names() else "func"
        lows = [ends[0][0]] if ends else []
        loops: list[tuple[str, Expr, Expr]] = []
        for d, (low, high) in enumerate(ends[1:], 1):
            variable = f"{self.prefix}{self.directive.at}.ahead.{name}.{d}"
            lows.append(Variable(variable, I32))
            loops.append((variable, low, simplify(Add(Sub(high, low), const(1)))))
        start = Call(name, tuple(lows), type, kind)
        count = simplify(Add(Sub(ends[0][1], ends[0][0]), const(1))) if ends else const(1)
        made: s.Stmt = s.Prefetch(name, type, start, count)
        for variable, low, extent in loops:
            made = s.For(variable, low, extent, "serial", made)
        inside = simplify(inside)
        return made if inside is n.TRUE else s.IfThenElse(inside, made)
