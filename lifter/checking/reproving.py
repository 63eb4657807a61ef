"""Proves summaries that are given of a kernel as it is now: lifting without the search.

`Reproving` goes the way of `Lifting`, stage by stage, with the same obligations and the same checks
at the end; only where lifting looks for a summary, it takes the given one. What says which
iteration of the loops writes a point is found anew, for the loops may be others by now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Self

from compiler.ir import I64, Call, Expr, Variable, substitute, transform

from ..dag import Ranges, Reading
from ..emit import FunctionBody
from ..lift.lift_function import Lifting, LiftOptions
from ..lift.lift_stage import lift_stage
from ..lift.nests import Nest, joined
from ..lift.stage_context import LiftedStage, StageContext, StageFailure
from ..model.diagnostic import Diagnostic
from ..model.kernel import Kernel
from ..model.parameters import elements_of, parameters
from ..model.stage import Stage
from ..model.summary import Dimension, Layout, Summary, Witness
from ..synth import find_update, iterations_as_points, regions
from ..verify import (
    CasesProof,
    PureProof,
    ReductionProof,
    ScanProof,
    StageProof,
    UpdatesProof,
    has_cases,
)
from .flat_witnesses import flat_witnesses
from .update_witnesses import update_witnesses
from .well_formed import IllFormed, check_functions, check_summary, sorted_by_calls

MOST_NESTS = 4
"""How many nests of a group are tried in other parts than lifting tries."""


class Reproving(Lifting):
    """Lifting of a kernel whose summaries are given, in the order of its stages."""

    def __init__(
        self,
        kernel: Kernel,
        options: LiftOptions,
        given: Sequence[Summary],
        *,
        reading: Reading | None = None,
    ) -> None:
        super().__init__(kernel, options, reading=reading)
        self.given = tuple(given)
        self.taken: dict[str, int] = {}
        """How many summaries of each array stand for stages that are finished."""

    def _lift_group(self, group: tuple[Nest, ...], context: StageContext) -> None:
        """The nests of a group may be several summaries: of a histogram that is cleared and then
        updated in two loops, the first nest is one and the other two together another."""
        try:
            self._try(context, lambda trial, inner: trial._lift_group_as_found(group, inner))
            return
        except StageFailure as failure:
            if len(group) > MOST_NESTS:
                raise
            first = failure

        def in_two(trial: Reproving, inner: StageContext, cut: int) -> None:
            trial._lift_group(group[:cut], inner)
            trial._together(group[cut:], inner)

        for cut in range(1, len(group)):
            try:
                self._try(context, partial(in_two, cut=cut))
                return
            except StageFailure:
                continue
        raise first

    def _lift_group_as_found(self, group: tuple[Nest, ...], context: StageContext) -> None:
        """As lifting does it: all nests together, or each by itself."""
        super()._lift_group(group, context)

    def _try(self, context: StageContext, way: Callable[[Reproving, StageContext], None]) -> None:
        """Goes a way that may fail, of which nothing is left if it does."""
        trial, inner = self.fork(), context.fork()
        way(trial, inner)
        self.adopt(trial, context, inner)

    def fork(self) -> Self:
        fork = super().fork()
        fork.taken = dict(self.taken)
        return fork

    def adopt(self, fork: Self, context: StageContext, of_fork: StageContext) -> None:
        super().adopt(fork, context, of_fork)
        self.taken = fork.taken

    def _together(self, group: tuple[Nest, ...], context: StageContext) -> None:
        """Several nests as one."""
        self._finish_nest(context, group[0][0].nest)
        nest = joined(group) if len(group) > 1 else group[0]
        for lifted in [self._summary(stage, context) for stage in nest]:
            self._finish(lifted, context)

    def _summary(self, stage: Stage, context: StageContext) -> LiftedStage:
        mine = [s for s in self.given if s.output == stage.output]
        number = self.taken.get(stage.output, 0)
        failure: StageFailure | None = None
        if number < len(mine):
            try:
                return self._proved_of(stage, mine[number], context)
            except StageFailure as found:
                failure = found
        assert self.graph is not None
        stages = sum(s.output == stage.output for s in self.graph.order)
        if self.kernel.arrays[stage.output].origin == "local" and stages > len(mine):
            # A stage that nothing reads is in no summary.
            return lift_stage(stage, context)
        if failure is None:
            text = f"no summary is about the loop that writes {stage.output} here"
            raise StageFailure(Diagnostic("not-equal", "error", text, stage.span))
        raise failure

    def _finish(self, lifted: LiftedStage, context: StageContext) -> None:
        super()._finish(lifted, context)
        output = lifted.stage.output
        mine = [s for s in self.given if s.output == output]
        number = self.taken.get(output, 0)
        if number < len(mine) and lifted.summary.expression is mine[number].expression:
            self.taken[output] = number + 1

    def _proved_of(self, stage: Stage, given: Summary, context: StageContext) -> LiftedStage:
        """The given summary with what relates it to the stage; raises `StageFailure`."""
        self._same_layouts(stage, given, context)
        best: StageProof | None = None
        tried: set[tuple[Witness, ...]] = set()
        kinds: tuple[type[PureProof | ReductionProof | UpdatesProof], ...] = (PureProof,)
        if given.kind == "reduction":
            kinds = (ReductionProof, UpdatesProof)
        elif given.kind == "scan":
            kinds = (ScanProof,)
        elif has_cases(stage, Ranges(context.parameters)):
            kinds = (PureProof, CasesProof)
        for witnesses in self._witnesses(stage, given, context):
            if witnesses in tried or not fits(stage, given, witnesses):
                continue
            tried.add(witnesses)
            summary = replace(given, stage=stage.name, witnesses=witnesses, nest=stage.nest)
            for kind in kinds:
                assumptions = context.assumptions.fork()
                proof = kind(stage, summary, assumptions, context.produced)
                with context.watch.step("verify"):
                    if proof.run():
                        context.assumptions.adopt(assumptions)
                        return LiftedStage(stage, summary, tuple(proof.obligations))
                if best is None or len(proof.obligations) > len(best.obligations):
                    best = proof
        raise refused(stage, given, best)

    def _witnesses(
        self, stage: Stage, given: Summary, context: StageContext
    ) -> Iterator[tuple[Witness, ...]]:
        """Which iteration writes which point: as the loops are now, else as they were."""
        if given.kind == "reduction":
            update = find_update(
                stage, context.parameters, elements_of(context.assumptions.kernel, stage.output)
            )
            if update is not None and len(update.domain) == len(given.domain):
                names = _names(update.domain, given.domain)
                iterations = tuple(loop.counter for loop in reversed(update.write.loops))
                yield (Witness(iterations, _renamed(update.mapping.counters, names)),)
            yield from update_witnesses(stage, given, context)
        elif given.kind == "scan":
            if all(len(w.loops) == len(given.domain) for w in stage.writes):
                yield tuple(iterations_as_points(w, given.domain) for w in stage.writes)
        else:
            layout = given.layouts[stage.output]
            found = regions(
                stage, context.parameters, context.assumptions.formulas, context.grammar
            )
            for region in found:
                if not _is_same(region.layout, layout):
                    continue
                names = _names(region.dimensions, given.roi)
                yield tuple(Witness(w.point, _renamed(w.counters, names)) for w in region.witnesses)
            yield from flat_witnesses(stage, given, context)
        yield given.witnesses

    @staticmethod
    def _same_layouts(stage: Stage, given: Summary, context: StageContext) -> None:
        """An array that an earlier stage made is seen as that stage sees it."""
        for name, layout in given.layouts.items():
            producer = context.produced.get(name)
            if producer is not None and not _is_same(producer.summary.layouts[name], layout):
                text = f"two stages see {name} in different ways"
                raise StageFailure(Diagnostic("not-equal", "error", text, stage.span), given)


def given_summaries(
    summaries: Sequence[Summary],
    functions: Sequence[FunctionBody],
    kernel: Kernel,
    inline: bool = False,
) -> tuple[Summary, ...]:
    """Summaries in the kernel's terms: functions that it has are called, the others written out.

    With `inline` all of them are. Raises `IllFormed` where they aren't about this kernel.
    """
    check_functions(functions)
    bodies: dict[str, FunctionBody] = {}

    def visit(node: Expr) -> Expr:
        if not (isinstance(node, Call) and node.kind == "pure"):
            return node
        function = bodies.get(node.name)
        if function is None or len(function.params) != len(node.args):
            if not inline and node.name in kernel.functions:
                return node
            raise IllFormed(f"{node.name} is no function of the summary")
        return substitute(function.body, dict(zip(function.params, node.args, strict=True)))

    for function in sorted_by_calls(functions):
        if inline or not _has(kernel, function):
            bodies[function.name] = replace(function, body=transform(function.body, visit))
    known = parameters(kernel)
    made = []
    for summary in summaries:
        own = replace(
            summary,
            expression=transform(summary.expression, visit),
            update_point=tuple(transform(p, visit) for p in summary.update_point),
            terminals=tuple(transform(t, visit) for t in summary.terminals),
        )
        check_summary(own, kernel, known)
        made.append(own)
    return tuple(made)


def _has(kernel: Kernel, function: FunctionBody) -> bool:
    found = kernel.functions.get(function.name)
    return (
        found is not None
        and [p.type for p in found.params] == [p.type for p in function.params]
        and found.body.type is function.body.type
    )


def _names(theirs: Sequence[Dimension], ours: Sequence[Dimension]) -> list[tuple[str, str]]:
    pairs = zip(theirs, ours, strict=True)
    return [(a.variable.name, b.variable.name) for a, b in pairs]


def _renamed(exprs: Sequence[Expr], names: Sequence[tuple[str, str]]) -> tuple[Expr, ...]:
    mapping: dict[Expr, Expr] = {Variable(a, I64): Variable(b, I64) for a, b in names}
    return tuple(substitute(e, mapping) for e in exprs)


def _is_same(a: Layout, b: Layout) -> bool:
    return (a.strides, a.offset, a.rows) == (b.strides, b.offset, b.rows)


def fits(stage: Stage, given: Summary, witnesses: Sequence[Witness]) -> bool:
    """Whether there is a witness for each store, of the store's loops and the summary's rank."""
    rank = len(given.domain or given.roi)
    return len(witnesses) == len(stage.writes) and all(
        len(w.point) == rank and len(w.counters) == len(write.loops)
        for w, write in zip(witnesses, stage.writes, strict=True)
    )


def refused(stage: Stage, given: Summary, proof: StageProof | None) -> StageFailure:
    """Why a summary wasn't proved of a stage, by the proof that came farthest."""
    if proof is None or proof.failed is None:
        text = f"the loops that write {stage.output} have another shape than its summary"
        diagnostic = Diagnostic("undecided", "error", text, stage.span, family="undecided")
        return StageFailure(diagnostic, given)
    failed = proof.failed
    text = f"{failed.name} obligation {failed.verdict}: {failed.text}"
    code = "undecided" if failed.verdict == "undecided" else "not-equal"
    diagnostic = Diagnostic(code, "error", text, stage.span)
    return StageFailure(diagnostic, proof.summary, failed, proof.assumptions.preconditions)
