"""Proves summaries that are given equal to others that are proved of the source as it is now.

Where the loops of a source were cut or joined, no stage of it is one of the given summaries, but
lifted anew it has summaries of its own. Both are functions of the caller's arrays as they were
before the call, and these are compared: for each array that the caller sees, the composition of the
given stages is proved to be the composition of the new ones, with the obligations of any stage.
Besides, each given stage is proved to be a definition on its own: its elements are different ones,
it reads what was made, its coordinates fit.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    I64,
    LT,
    NE,
    TRUE,
    Add,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Mod,
    Mul,
    Sub,
    Type,
    Variable,
    const,
    postorder,
)

from ..dag import disjunction, normal, normalize_indices
from ..dag import replace as replaced
from ..lift.lift_function import LiftOptions
from ..lift.stage_context import LiftedStage, StageContext, StageFailure
from ..model.diagnostic import Diagnostic, Span
from ..model.kernel import Kernel
from ..model.lifted import FunctionResult
from ..model.parameters import parameters
from ..model.proof import Counterexample, Obligation, Precondition
from ..model.stage import Loop, Read, Stage, StageGraph, Write
from ..model.summary import Dimension, Layout, Summary, Witness
from ..synth import iterations_as_points
from ..synth.paths import both, reads_of, where_stored
from ..verify import Assumptions, PureProof, ReductionProof
from ..verify.flatten import Flattener, address
from .composed_updates import Updates
from .composition import Composition, Layer, NotComposed, nests, same_layout, with_plain_counters
from .contents_proof import ContentsProof
from .reproving import Reproving, fits, refused


class Composed(Reproving):
    """Lifting of a kernel whose summaries are given, by way of a proof of others."""

    def __init__(
        self,
        kernel: Kernel,
        options: LiftOptions,
        given: Sequence[Summary],
        anew: FunctionResult,
        within: float = 0,
    ) -> None:
        """`within`: how far numbers may be apart."""
        super().__init__(kernel, options, given)
        assert anew.graph is not None
        self.within = within
        self.anew = anew
        self.source_graph = anew.graph
        self.updates = Updates()

    def _stage_graph(self, refused: Collection[tuple[Span, str]] = ()) -> StageGraph:
        """The source's own stages, whose sizes count, and after them the given ones."""
        try:
            self.own = _own_stages(self.given, self.kernel)
        except NotComposed as error:
            raise _undecided(str(error), self.kernel) from error
        return replace(self.source_graph, order=(*self.source_graph.order, *self.own))

    def _lift_nests(self, graph: StageGraph, context: StageContext) -> None:
        self.graph = self.source_graph
        known = _known_of_sizes(self.source_graph)
        inner = context.fork()
        inner.assumptions.preconditions += tuple(known)
        try:
            theirs = self._composition(self.anew.summaries, inner.assumptions, are_proved=True)
            ours = self._composition(self.given, inner.assumptions, are_proved=False)
            finals = self._finals(ours, theirs)
        except NotComposed as error:
            raise _undecided(str(error), self.kernel) from error
        arrays = {**self.kernel.arrays, **self.updates.arrays}
        inner.assumptions.kernel = replace(self.kernel, arrays=arrays)
        last = {s.output: i for i, s in enumerate(self.given)}
        for i, (stage, summary) in enumerate(zip(self.own, self.given, strict=True)):
            self._finish_nest(inner, stage.nest)
            found: tuple[Obligation, ...] = ()
            if last[summary.output] == i and summary.output in finals:
                found = self._same_contents(finals[summary.output], stage, inner)
            lifted = self._by_itself(stage, summary, inner)
            self._finish(replace(lifted, obligations=(*lifted.obligations, *found)), inner)
        self._finish_nest(inner)
        assumed = inner.assumptions.preconditions
        inner.assumptions.preconditions = tuple(
            p for p in assumed if all(p is not k for k in known)
        )
        self.adopt(self, context, inner)  # only the context was a fork

    def _composition(
        self, summaries: Sequence[Summary], assumptions: Assumptions, *, are_proved: bool
    ) -> Composition:
        inside = {n for n, a in self.kernel.arrays.items() if a.origin == "local"}
        return Composition(summaries, assumptions, inside, self.updates, are_proved=are_proved)

    def _finals(self, ours: Composition, theirs: Composition) -> dict[str, _Final]:
        """What both leave in each of the caller's arrays."""
        seen = {n for n, a in self.kernel.arrays.items() if a.origin == "param"}
        written = [{n for n in c.layers if n in seen} for c in (ours, theirs)]
        if written[0] != written[1]:
            other = sorted(written[0] ^ written[1])[0]
            raise NotComposed(f"{other} is written by the one and not by the other")
        found = {}
        for name in sorted(written[0]):
            layers = ours.layers[name]
            if len(layers) != 1:
                raise NotComposed(f"several stages leave their values in {name}")
            changed = tuple(
                any(s.stores_changed for s in summaries if s.output == name)
                for summaries in (self.given, self.anew.summaries)
            )
            found[name] = _Final(
                name, layers[0], ours.layouts, theirs.layers[name], theirs.layouts,
                (changed[0], changed[1]),
            )  # fmt: skip
        return found

    def _by_itself(self, stage: Stage, summary: Summary, context: StageContext) -> LiftedStage:
        """That a given stage is a definition: what it says can be computed as it says it."""
        self._same_layouts(stage, summary, context)
        named = replace(summary, stage=stage.name, witnesses=_direct(stage, summary))
        with context.watch.step("verify"):
            if summary.kind == "reduction":
                sums = ReductionProof(stage, named, context.assumptions, context.produced)
                if not sums.run():
                    raise refused(stage, named, sums)
                return LiftedStage(stage, named, tuple(sums.obligations))
            proof = PureProof(stage, named, context.assumptions, context.produced)
            if not (proof.region() and proof.values()):
                raise refused(stage, named, proof)
        return LiftedStage(stage, named, tuple(proof.obligations))

    def _same_contents(
        self, final: _Final, own: Stage, context: StageContext
    ) -> tuple[Obligation, ...]:
        """That the given stages leave in an array what the proved ones leave there."""
        try:
            stage = final.stage(context.parameters, own)
            summary = final.summary(own)
        except NotComposed as error:
            raise _undecided(str(error), self.kernel) from error
        best: PureProof | None = None
        found = (final.witnesses(stage), *self._witnesses(stage, summary, context))
        for witnesses in dict.fromkeys(found):
            if not fits(stage, summary, witnesses):
                continue
            named = replace(summary, witnesses=witnesses)
            assumptions = context.assumptions.fork()
            proof = ContentsProof(stage, named, assumptions, {})
            proof.within = self.within
            with context.watch.step("verify"):
                if proof.run():
                    context.assumptions.adopt(assumptions)
                    return tuple(proof.obligations)
            if best is None or len(proof.obligations) > len(best.obligations):
                best = proof
        raise refused(stage, summary, best)

    def _refute(
        self, candidate: Summary, preconditions: object, obligations: object
    ) -> tuple[Counterexample | None, tuple[Diagnostic, ...]]:
        """A stage of no loop nest is compared with none."""
        return None, ()


@dataclass(frozen=True)
class _Final:
    """What two compositions leave in one array."""

    array: str
    ours: Layer
    our_layouts: dict[str, Layout]
    theirs: tuple[Layer, ...]
    their_layouts: dict[str, Layout]
    stores_changed: tuple[bool, bool]
    """Whether some stage of ours, of theirs, says so of the array."""

    def summary(self, own: Stage) -> Summary:
        """Ours as one stage."""
        layouts = dict(self.our_layouts)
        if not same_layout(layouts.setdefault(self.array, self.ours.layout), self.ours.layout):
            raise NotComposed(f"{self.array} is read and written in different ways")
        expression = with_plain_counters(self.ours.expression)
        return Summary(
            own.name, self.array, "pure", self.ours.roi, layouts, (), expression, nest=own.nest,
            stores_changed=self.stores_changed[0],
        )  # fmt: skip

    def stage(self, known: dict[str, Type], own: Stage) -> Stage:
        """Theirs as stores, all of which see what was there before the first stage.

        That its coordinates fit is a part of the proof of theirs.
        """
        writes: list[Write] = []
        reads: list[Read] = []
        for layer in reversed(self.theirs):
            layouts = {**self.their_layouts, self.array: layer.layout}
            expression = with_plain_counters(layer.expression)
            shape = _Shape(layer.roi, layouts, expression, known, own.span)
            write, own_reads = shape.kept_store(self.array, len(writes), self.stores_changed[1])
            writes.append(write)
            reads += own_reads
        return Stage(own.name, self.array, tuple(writes), tuple(reads), (), own.span)

    def witnesses(self, stage: Stage) -> tuple[Witness, ...]:
        """The same point of either, where they see the array as the same image."""
        if not all(same_layout(layer.layout, self.ours.layout) for layer in self.theirs):
            return ()
        layers = reversed(self.theirs)
        return tuple(
            iterations_as_points(write, layer.roi, self.ours.roi)
            for layer, write in zip(layers, stage.writes, strict=True)
        )


@dataclass(frozen=True)
class _Shape:
    """A definition over a region, and how the arrays in it lie in memory."""

    roi: tuple[Dimension, ...]
    layouts: dict[str, Layout]
    expression: Expr
    parameters: dict[str, Type]
    span: Span

    def kept_store(
        self, array: str, number: int, stores_changed: bool
    ) -> tuple[Write, tuple[Read, ...]]:
        """The same where it touches no more than what is known to be touched: it stores under the
        condition that its choices ask, of what `stores_changed` only what changes, and reads under
        those on the way to a read."""
        write, _ = self.store(array, number)
        names = tuple(d.variable for d in self.roi)
        old = Call(array, names, self.expression.type, "image")
        stored, value = where_stored(self.expression, old)
        reads = reads_of((value, stored), *([(old, TRUE)] if stores_changed else []))
        if stores_changed:
            stored = both(stored, NE(value, old))
        flattener = self._flattener(write.loops)
        condition = normalize_indices(flattener.value(stored))
        found = []
        for read in reads:
            inner = tuple(Loop(r.counter, r.extent, self.span) for r in read.reductions)
            here = self._flattener((*write.loops, *inner))
            load = here.load(read.call)
            when = normalize_indices(here.value(read.condition))
            loops = (*write.loops, *inner)
            found.append(Read(load.array, load.indices, load.type, loops, when, number, self.span))
        made = flattener.value(value)
        return replace(write, value=made, condition=condition), tuple(found)

    def _flattener(self, loops: tuple[Loop, ...]) -> Flattener:
        counters = [loop.counter for loop in reversed(loops[: len(self.roi)])]
        point = [normal(Add(c, d.lower)) for c, d in zip(counters, self.roi, strict=True)]
        names = [d.variable for d in self.roi]
        return Flattener(names, point, self.layouts, self.parameters, loops)

    def store(
        self, array: str, number: int, at: tuple[Expr, ...] = ()
    ) -> tuple[Write, tuple[Read, ...]]:
        """It as one store in a nest of loops over its region, or `at` a place that is computed
        there, and what that reads; that its coordinates fit 32 bits is taken for granted here."""
        span = self.span
        counters = [Variable(f"{d.variable.name}.{number}", I64) for d in self.roi]
        loops = tuple(
            Loop(c, normal(Sub(d.upper, d.lower)), span)
            for c, d in reversed(list(zip(counters, self.roi, strict=True)))
        )
        point = [normal(Add(c, d.lower)) for c, d in zip(counters, self.roi, strict=True)]
        flattener = self._flattener(loops)
        value = flattener.value(self.expression)
        type = self.expression.type
        stored = flattener.coordinates(Call(array, at, type, "image")) if at else point
        place = address(self.layouts[array], stored)
        write = Write(array, place, value, loops, TRUE, number, span)
        loads = dict.fromkeys(n for n in postorder(value) if isinstance(n, Load))
        reads = (Read(n.array, n.indices, n.type, loops, TRUE, number, span) for n in loads)
        return write, tuple(reads)


def _known_of_sizes(graph: StageGraph) -> list[Precondition]:
    """What the source's arithmetic tells of its parameters, or else it is undefined: that of the
    first and of the last iteration of loops, where there are iterations."""
    found: dict[Expr, None] = {}
    for fact in (f for stage in graph.order for f in stage.facts if not f.path):
        counters = {loop.counter for loop in fact.loops}
        extents = [loop.extent for loop in fact.loops]
        over = set(postorder(*extents))
        if counters & over or any(isinstance(n, Load | Cast) for n in over):
            continue
        empty = [LT(e, const(1, I64)) for e in extents]
        ends: tuple[dict[Expr, Expr], ...] = (
            {loop.counter: normal(Sub(loop.extent, const(1, I64))) for loop in fact.loops},
            dict.fromkeys(counters, const(0, I64)),
        )
        for end in ends:
            there = replaced(fact.formula, end)
            if there is not TRUE and _is_linear(there):
                found[disjunction((*empty, there))] = None
    return [Precondition(str(f), f, "formula", "inferred") for f in found]


def _is_linear(formula: Expr) -> bool:
    """Whether a solver isn't burdened by it."""
    return not any(
        isinstance(n, Load | Cast | Div | Mod)
        or (isinstance(n, Mul) and not any(isinstance(c, Const) for c in n.children))
        for n in postorder(formula)
    )


def _own_stages(given: Sequence[Summary], kernel: Kernel) -> tuple[Stage, ...]:
    """A stage for each given summary, which does what it says; those of one nest at once."""
    known = parameters(kernel)
    found: list[Stage] = []
    for number, nest in enumerate(nests(given)):
        if len(nest) > 1 and any(not s.is_pure for s in nest):
            raise NotComposed(f"{nest[0].output} is updated beside other stores")
        made: list[tuple[Write, tuple[Read, ...]]] = []
        for summary in nest:
            region = summary.domain or summary.roi
            shape = _Shape(region, summary.layouts, summary.expression, known, kernel.span)
            number = len(found) + len(made)
            made.append(shape.store(summary.output, number, summary.update_point))
        for summary, (write, reads) in zip(nest, made, strict=True):
            others = tuple(w for w, _ in made if w is not write)
            name = f"{summary.output} as it was lifted ({len(found)})"
            found.append(
                Stage(name, summary.output, (write,), reads, (), kernel.span, others, (), number)
            )
    return tuple(found)


def _direct(stage: Stage, summary: Summary) -> tuple[Witness, ...]:
    region = summary.domain or summary.roi
    return tuple(iterations_as_points(write, region) for write in stage.writes)


def _undecided(reason: str, kernel: Kernel) -> StageFailure:
    diagnostic = Diagnostic("undecided", "error", reason, kernel.span, family="undecided")
    return StageFailure(diagnostic)
