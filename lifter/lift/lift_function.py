"""One kernel the whole way: stages, summaries, proof (docs/design.md)."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from compiler.ir import Call, Expr, Variable, postorder, substitute

from ..dag import (
    Ranges,
    Reading,
    as_formula,
    build_stage_graph,
    can_be_distributed,
    conjuncts,
)
from ..model.diagnostic import Diagnostic, LiftError, Span
from ..model.kernel import Kernel
from ..model.lifted import FunctionResult, Status
from ..model.parameters import Parameters, names_any, parameters
from ..model.proof import Counterexample, Obligation, Precondition, Proof
from ..model.stage import Read, Stage, StageGraph, Write, nests_of
from ..model.summary import Dimension, Layout, Summary
from ..parse.deep_recursion import with_deep_stack
from ..settings.options import TIMEOUT
from ..synth import SEARCH_BUDGET, GrammarText, load_grammar
from ..verify import (
    Assumptions,
    Footprint,
    Prover,
    assume_terms_of_sums,
    assume_written_together,
    calls_not_admitted,
    conditional_arrays,
    equal_sums,
    places_not_admitted,
    screen,
    stated,
    telling_sizes,
    typed_formula,
)
from .dsl_terms import in_dsl_terms
from .lift_stage import lift_stage
from .nests import Nest, groups, joined, turns
from .original_until import original_until
from .stage_context import LiftedStage, StageContext, StageFailure, Stopwatch

if TYPE_CHECKING:
    from ..emit import Scanned

SECOND_OPINION_RUNS = 24
REFUTATION_RUNS = 120


@dataclass(frozen=True, slots=True)
class LiftOptions:
    """`timeout` is in seconds for the whole function; one query gets at most a tenth of it.
    `search_budget` is how many expressions are built for each stage to find a shorter one."""

    grammar_files: tuple[Path | GrammarText, ...] = ()
    timeout: float = TIMEOUT
    search_budget: int = SEARCH_BUDGET
    parse_seconds: float = 0.0
    given: tuple[Precondition, ...] = ()
    """What is assumed from the start, beside what the source states."""


def lift_kernel(kernel: Kernel, options: LiftOptions) -> FunctionResult:
    """Lifts one kernel; what goes wrong in it stands in the result, nothing is raised for it."""

    def first(reading: Reading) -> tuple[Lifting, FunctionResult]:
        lifting = Lifting(kernel, options, reading=reading)
        found = lifting.result()
        parts = lifting.stored_in_part() if found.status != "proved" else frozenset()
        if parts:
            # Later loops may read the rest, too: once more, with stages that make all there is.
            again = Lifting(kernel, options, whole=parts, reading=reading)
            better = again.result()
            if better.status == "proved":
                lifting, found = again, better
        return lifting, found

    def result() -> FunctionResult:
        lifting, found = first(Reading())
        for other in lifting.other_readings() if found.status != "proved" else ():
            again, better = first(other)
            if better.status == "proved":
                lifting, found = again, better
                break
        seen = lifting.seen_otherwise() if found.status == "proved" else {}
        if not seen:
            return found
        # A program sees an array in one way: once more, as its stores do, or most of its loops.
        again = Lifting(kernel, options, seen, lifting.whole, reading=lifting.reading)
        better = again.result()
        fits = better.status == "proved" and not again.seen_otherwise()
        return better if fits else found

    return with_deep_stack(result)


class Lifting:
    """One kernel on its way; `result` goes all of it."""

    def __init__(
        self,
        kernel: Kernel,
        options: LiftOptions,
        seen: Mapping[str, Layout] | None = None,
        whole: frozenset[str] = frozenset(),
        *,
        reading: Reading | None = None,
    ) -> None:
        """`seen`: how arrays are to be seen that stages read; `whole`: see `StageContext`."""
        self.reading = reading or Reading()
        self.seen = dict(seen or {})
        self.whole = whole
        self.kernel = kernel
        self.options = options
        self.watch = Stopwatch({"parse": options.parse_seconds})
        self.began = time.perf_counter()
        self.graph: StageGraph | None = None
        self.lifted: list[LiftedStage] = []
        self.contexts: list[StageContext] = []
        """What each of the lifted stages may know: an array has other values later on."""
        self.assumptions: Assumptions | None = None
        self.unfinished: list[tuple[LiftedStage, bool]] = []
        """Stages of the nest at hand, and whether their arrays had no elements before."""
        self.emitted = kernel
        """The kernel with its pure functions in the DSL's terms."""
        self.within = 0.0
        """How far from the original's the summaries' numbers may be."""

    def result(self) -> FunctionResult:
        try:
            self._lift()
            return self._proved()
        except StageFailure as failure:
            return self._failed(
                failure.diagnostic, failure.candidate, failure.obligation, failure.preconditions
            )
        except LiftError as error:
            return self._failed(error.diagnostic)
        except RecursionError:
            return self._failed(
                Diagnostic(
                    "memory", "error", "its expressions are too deep to be followed to their end",
                    self.kernel.span, help="split the function", family="undecided",
                )
            )  # fmt: skip

    def _lift(self) -> None:
        with self.watch.step("roi"):
            self.graph = self._stage_graph()
        self.assumptions = self._stated(self.graph)
        refused = self._windows_refused(self.graph)
        if refused:
            with self.watch.step("roi"):
                self.graph = self._stage_graph(refused)
            self.assumptions = self._stated(self.graph)
        # With arrays for what folds leave.
        kernel = self.kernel = self.emitted = self.graph.kernel
        context = StageContext(
            load_grammar(self.options.grammar_files),
            self.assumptions,
            self.watch,
            self.options.search_budget,
            seen=dict(self.seen),
            whole=self.whole,
        )
        self._lift_nests(self.graph, context)
        self._finish_nest(context)
        with self.watch.step("verify"):
            stages = list(zip(self.lifted, self.contexts, strict=True))
            functions, self.lifted = in_dsl_terms(kernel, stages)
            self.emitted = replace(kernel, functions=functions)

    def seen_otherwise(self) -> dict[str, Layout]:
        """The layouts of the caller's arrays that some stages see otherwise: those by which they
        are stored, or that of most dimensions."""
        summaries = [lifted.summary for lifted in self.lifted]
        best: dict[str, Layout] = {}
        for name, layout in (seen for s in summaries for seen in s.layouts.items()):
            if name not in best or len(layout.strides) > len(best[name].strides):
                best[name] = layout
        best |= {s.output: s.layouts[s.output] for s in summaries}
        return {
            name: best[name]
            for s in summaries
            for name, layout in s.layouts.items()
            if layout != best[name] and self.kernel.arrays[name].origin != "local"
        }

    def stored_in_part(self) -> frozenset[str]:
        """The arrays of the kernel's own of which stages make a part anew and leave the rest."""
        regions: dict[str, set[tuple[Dimension, ...]]] = {}
        for summary in (lifted.summary for lifted in self.lifted):
            if self.kernel.arrays[summary.output].origin == "local":
                regions.setdefault(summary.output, set()).add(summary.roi)
        return frozenset(name for name, found in regions.items() if len(found) > 1)

    def _stage_graph(self, refused: Collection[tuple[Span, str]] = ()) -> StageGraph:
        return build_stage_graph(self.kernel, refused, self.reading)

    def other_readings(self) -> Iterator[Reading]:
        """The ways to take the kernel's loops that are left where it isn't proved as it was read:
        with remainders and quotients that iterations hand on, and with loops in parts."""
        if self.graph is not None and self.graph.has_error_terms:
            yield Reading(error_terms=False)
        if can_be_distributed(self.kernel):
            yield Reading(in_parts=True)

    def _stated(self, graph: StageGraph) -> Assumptions:
        """What is assumed from the start, over a prover of its own."""
        timeout = min(20.0, self.options.timeout / 10)
        prover = Prover(parameters(graph.kernel), self._body, timeout)
        assumptions = stated(graph.kernel, prover, _sizes(graph, prover.parameters))
        assumptions.preconditions += self.options.given
        return assumptions

    def _windows_refused(self, graph: StageGraph) -> set[tuple[Span, str]]:
        """The windows that aren't proved to be such: scalars that scans are to be made of."""
        assert self.assumptions is not None
        claims = dict.fromkeys(c for s in graph.order for c in s.claims if c.name == "window")
        with self.watch.step("verify"):
            return {
                (claim.span, claim.text)
                for claim in claims
                if not equal_sums(claim, self.assumptions.fork()).proved
            }

    def fork(self) -> Self:
        """The same, to try what may fail, with a fork of the stages' context."""
        fork = copy(self)
        fork.lifted, fork.contexts = list(self.lifted), list(self.contexts)
        fork.unfinished = list(self.unfinished)
        return fork

    def adopt(self, fork: Self, context: StageContext, of_fork: StageContext) -> None:
        """Goes on from where a fork has come to, and from what its context has come to know."""
        context.adopt(of_fork)
        self.lifted, self.unfinished = fork.lifted, fork.unfinished
        # All stages learn what is assumed for those after them.
        self.contexts = [replace(c, assumptions=context.assumptions) for c in fork.contexts]

    def _lift_nests(self, graph: StageGraph, context: StageContext) -> None:
        for group in groups(graph.order):
            self._lift_group(group, context)

    def _lift_group(self, group: tuple[Nest, ...], context: StageContext) -> None:
        """Several nests that fill one region are one nest where that can be proved."""
        self._finish_nest(context, group[0][0].nest)
        if len(group) > 1:
            trial = context.fork()
            try:
                together = [self._summary(stage, trial) for stage in joined(group)]
            except StageFailure:
                pass
            else:
                context.adopt(trial)
                for lifted in together:
                    self._finish(lifted, context)
                return
            by_turns = turns(group)
            if len(by_turns) > 1:
                for turn in by_turns:
                    self._lift_group(turn, context)
                return
        for nest in group:
            self._finish_nest(context, nest[0].nest)
            for stage in nest:
                self._finish(self._summary(stage, context), context)

    def _summary(self, stage: Stage, context: StageContext) -> LiftedStage:
        lifted = lift_stage(stage, context)
        assert self.graph is not None
        written = {s.output for s in self.graph.order}
        layouts = lifted.summary.layouts.items()
        known = {n: x for n, x in layouts if n not in written or n == stage.output}
        context.seen.update(known)
        return lifted

    def _finish(self, lifted: LiftedStage, context: StageContext) -> None:
        self._refuse_crossed_outputs(lifted)
        output = lifted.stage.output
        is_fresh = self.kernel.arrays[output].origin == "local" and output not in context.produced
        self.lifted.append(lifted)
        self.contexts.append(context.within(lifted.stage, lifted.summary.kind))
        self.unfinished.append((lifted, is_fresh))
        if not lifted.stage.siblings:
            self._finish_nest(context)

    def _finish_nest(self, context: StageContext, next_nest: int = -1) -> None:
        """Makes the stages of a nest known to those after it: none of them sees another."""
        if self.unfinished and self.unfinished[0][0].stage.nest != next_nest:
            self._refuse_running_values([lifted for lifted, _ in self.unfinished])
            context.finish(self.unfinished)
            self.unfinished.clear()

    @staticmethod
    def _refuse_running_values(nest: Sequence[LiftedStage]) -> None:
        """An element that a reduction updates in several iterations has another value in each of
        them: the other stages of its nest can't be computed from what it was before the nest."""
        updated = {s.stage.output for s in nest if not s.summary.is_pure}
        if any(s.summary.is_fold for s in nest):
            outputs, domain = {s.stage.output for s in nest}, nest[0].summary.domain
            for lifted in nest:
                # One tuple is updated, all of whose values are here, at one place of one domain.
                own = {lifted.stage.output, *(w.array for w in lifted.stage.together)}
                is_one = lifted.summary.is_fold and (
                    lifted.summary.domain == domain
                    and lifted.summary.update_point == nest[0].summary.update_point
                    and lifted.summary.roi == nest[0].summary.roi
                )
                if own != outputs or not is_one:
                    raise _crossed(lifted, min(outputs))
        for lifted in nest:
            for node in postorder(lifted.summary.expression):
                if not (isinstance(node, Call) and node.kind == "image" and node.name in updated):
                    continue
                if lifted.summary.is_pure:
                    raise _crossed(lifted, node.name)

    def _refuse_crossed_outputs(self, lifted: LiftedStage) -> None:
        if lifted.summary.kind != "reduction" or lifted.summary.is_fold:
            return  # an obligation has looked at what the others overwrite
        later = lifted.stage.others  # an obligation has looked at what those overwrite
        others = {w.array for w in lifted.stage.siblings if w not in later}
        for node in postorder(lifted.summary.expression):
            if isinstance(node, Call) and node.kind == "image" and node.name in others:
                raise _crossed(lifted, node.name)

    def _body(self, call: Call) -> Expr:
        return _called(self.kernel, call)

    def _emitted_body(self, call: Call) -> Expr:
        return _called(self.emitted, call)

    def _proved(self) -> FunctionResult:
        assert self.assumptions is not None
        self._assume_apart()
        preconditions = self.assumptions.without_redundant()
        live = _live(self.lifted, self.kernel)
        summaries = tuple(s.summary for s in live)
        if not summaries:
            why = f"{self.kernel.name} leaves nothing: none of its stores ever happens"
            span = self.kernel.span
            raise LiftError(
                Diagnostic("unsupported-stage", "error", why, span, family="unsupported")
            )
        self._refuse_addresses(summaries, preconditions)
        emitted = Prover(self.assumptions.prover.parameters, self._emitted_body)
        with self.watch.step("verify"):
            screening = screen(
                self.kernel, [s.summary for s in self.lifted], self._formulas(preconditions),
                emitted.inlined, SECOND_OPINION_RUNS,
                returned=self.graph.returned if self.graph is not None else None,
                within=self.within,
            )  # fmt: skip
        if screening.counterexample is not None:
            # The proof says equal and a concrete run says not: one of them is wrong, so nothing is
            # claimed.
            diagnostic = Diagnostic(
                "internal",
                "error",
                "a concrete run contradicts the proof; please report this kernel",
                self.kernel.span,
                notes=(str(screening.counterexample),),
                family="internal",
            )
            return self._failed(diagnostic, counterexample=screening.counterexample)
        obligations = tuple(o for s in self.lifted for o in s.obligations)
        from ..emit import copied_rows, scanned_accesses

        with self.watch.step("verify"):
            prover = self.assumptions.prover
            scanned = scanned_accesses(self.kernel, summaries)
            footprints = self._footprints(summaries, scanned)
            assert self.graph is not None
            ends = [
                claim.formula
                for stage in self.graph.order
                for claim in stage.claims
                if claim.name == "termination" and self.assumptions.over_parameters(claim.formula)
            ]
            asked = (self.kernel, summaries, preconditions, prover, footprints, ends)
            apart = copied_rows(self.kernel, summaries, self.graph)
            excluded = calls_not_admitted(*asked, copied=apart.keys())
            misplaced = places_not_admitted(*asked) + [
                f"any call: the guard can't look at {limit.value} at each point"
                for limit in scanned.untested
            ]
        if excluded or misplaced:
            diagnostic = _of_few_calls(self.kernel, excluded, misplaced, preconditions)
            proof = Proof("unproved", obligations, tuple(preconditions))
            return self._result("unproved", diagnostic, summaries, proof, self.kernel.warnings)
        proof = Proof(
            "proved", obligations, tuple(preconditions), None, tuple(screening.warnings.values())
        )
        warnings = (*self.kernel.warnings, *proof.warnings, *self._unstated(preconditions))
        return self._result("proved", None, summaries, proof, warnings)

    def _footprints(self, summaries: Sequence[Summary], scanned: Scanned) -> dict[str, Footprint]:
        """What the guarded entry will take a call to touch of each of the caller's arrays."""
        from ..emit import source_reads

        kernel = self.kernel
        callers = {p.name for p in kernel.params}
        layouts: dict[str, Layout] = {}
        unlike: set[str] = set()
        """Arrays that stages see with different dimensions: no entry is emitted for them."""
        for summary in summaries:
            for array, layout in summary.layouts.items():
                if len(layouts.setdefault(array, layout).strides) != len(layout.strides):
                    unlike.add(array)
            layouts |= summary.layouts
        assert self.graph is not None
        others = source_reads(kernel, self.graph, layouts)
        return {
            array: Footprint(layouts[array], found)
            for array, found in scanned.boxes.items()
            if array in callers and array not in unlike
        } | {array: Footprint(*found) for array, found in others.items()}

    def _refuse_addresses(
        self, summaries: Sequence[Summary], preconditions: Sequence[Precondition]
    ) -> None:
        """What is stored, and where, doesn't depend on where in memory arrays lie."""
        assert self.assumptions is not None
        addresses = self.assumptions.prover.parameters.addresses
        if not addresses:
            return
        parts: list[Expr | None] = [p.formula for p in preconditions]
        for s in summaries:
            parts += [s.expression, s.condition, s.written_if, *s.update_point]
            parts += [e for d in (*s.roi, *s.domain) for e in (d.lower, d.upper)]
            parts += [e for x in s.layouts.values() for e in (x.offset, *x.strides)]
        if any(p is not None and names_any(p, addresses) for p in parts):
            names = ", ".join(sorted(f"`{a.removesuffix('.address')}`" for a in addresses))
            raise LiftError(
                Diagnostic(
                    "pointer-cast", "error",
                    f"what {self.kernel.name} stores depends on where in memory {names} lies",
                    self.kernel.span, family="unsupported",
                )
            )  # fmt: skip

    def _formulas(self, preconditions: Sequence[Precondition]) -> list[Expr]:
        """The preconditions as the cases' generator reads them: over typed parameters."""
        assert self.assumptions is not None
        names = self.assumptions.prover.parameters
        return [
            typed_formula(p.formula, names)
            for p in preconditions
            if p.formula is not None and p.origin == "inferred"
            if not names_any(p.formula, names.row_strides)
        ]

    def _unstated(self, preconditions: Sequence[Precondition]) -> Iterator[Diagnostic]:
        assert self.assumptions is not None
        for found in self.kernel.not_null:
            if found.origin == "inferred":
                yield Diagnostic(
                    "assumed",
                    "note",
                    f"equal only where {found.name} isn't null: its test for null is decided",
                    found.span,
                    help="the guarded entry calls the original with a null pointer",
                )
        region = self.kernel.region
        choices = [c.param for c in region.choices] if region is not None else []
        for choice in region.choices if region is not None else ():
            pointer = choice.param.removesuffix(".which")
            for name in choice.left_out:
                yield Diagnostic(
                    "assumed",
                    "note",
                    f"equal only where {pointer} isn't {name}, of which a call isn't understood",
                    self.kernel.span,
                    help="the guarded entry calls the original with that function",
                )
        inferred = [
            p.text
            for p in preconditions
            if p.origin == "inferred" and p.kind == "formula" and not p.arrays
            if p.formula is None or not names_any(p.formula, choices)
            if p.formula not in self.assumptions.limits
        ]
        if inferred:
            text = " and ".join(f"`{t}`" for t in inferred)
            yield Diagnostic(
                "assumed",
                "note",
                f"equal only where {text}, which the source doesn't say",
                self.kernel.span,
                help=f"state it with assert({inferred[0]}) or `// lift: assume({inferred[0]})`; "
                "the guarded entry calls the original elsewhere",
            )

    def _assume_apart(self) -> None:
        """Different array parameters don't overlap, where one of them is written."""
        assert self.assumptions is not None
        params = [p for p in self.kernel.params if p.kind != "scalar"]
        used = {n for s in self.lifted for n in s.summary.layouts}
        used |= {r.array for s in self.lifted for r in s.stage.reads}
        written = [p.name for p in params if any(s.stage.output == p.name for s in self.lifted)]
        for a in written:
            for b in (p.name for p in params if p.name in used):
                if a != b and not (b in written and written.index(b) < written.index(a)):
                    self.assumptions.assume_disjoint(a, b)
        for p in params:
            if p.kind == "rows" and p.name in used:
                self.assumptions.assume_rows(p.name)
        summarized = {n for s in self.lifted for n in s.summary.layouts}
        # Other arrays are touched where the original touches them; a table of rows is looked at.
        pointers = [
            p.name
            for p in params
            if p.name in summarized
            if p.kind == "rows" or (p.kind == "array" and p.name in written)
        ]
        stages = [s.stage for s in self.lifted]
        known = self.assumptions.formulas
        nullable = [p.name for p in params if p.may_be_null]
        prover = self.assumptions.prover
        for name in conditional_arrays(stages, pointers, prover, known, nullable):
            self.assumptions.assume_not_null(name)
        for lifted in self.lifted:
            layout = lifted.summary.layouts[lifted.stage.output]
            if layout.rows:
                *columns, row = lifted.summary.roi
                inside = list(zip(columns, layout.strides, strict=False))
                self.assumptions.assume_rows_apart(lifted.stage.output, row, inside)
        summaries = [s.summary for s in self.lifted]
        assume_written_together(summaries, written, self.assumptions)
        assume_terms_of_sums(summaries, written, self.assumptions)

    def _failed(
        self,
        diagnostic: Diagnostic,
        candidate: Summary | None = None,
        obligation: Obligation | None = None,
        preconditions: Sequence[Precondition] = (),
        counterexample: Counterexample | None = None,
    ) -> FunctionResult:
        if diagnostic.span is None:
            diagnostic = replace(diagnostic, span=self.kernel.span)
        warnings = self.kernel.warnings
        if candidate is not None and self.assumptions is not None and counterexample is None:
            counterexample, found = self._refute(
                candidate, preconditions, () if obligation is None else (obligation,)
            )
            warnings = (*warnings, *found)
            if counterexample is not None:
                notes = (*diagnostic.notes, str(counterexample))
                diagnostic = replace(diagnostic, code="refuted", notes=notes)
            elif diagnostic.code == "refuted":
                # An obligation may be too much to ask: only an input on which they differ refutes.
                diagnostic = replace(diagnostic, code="undecided", family="undecided")
        obligations = tuple(o for s in self.lifted for o in s.obligations)
        if obligation is not None:
            obligations = (*obligations, obligation)
        undecided = diagnostic.code == "undecided"
        known = self.assumptions.preconditions if self.assumptions else []
        status: Literal["unproved", "failed"] = "unproved" if undecided else "failed"
        proof = Proof(status, obligations, tuple(known), counterexample)
        summaries = [s.summary for s in self.lifted]
        if candidate is not None:
            summaries.append(candidate)
        return self._result(status, diagnostic, tuple(summaries), proof, warnings)

    def _refute(
        self,
        candidate: Summary,
        preconditions: Sequence[Precondition],
        obligations: Sequence[Obligation],
    ) -> tuple[Counterexample | None, tuple[Diagnostic, ...]]:
        """An input, as the candidate's proof assumes it, on which it isn't the original."""
        assert self.assumptions is not None and self.graph is not None
        original = original_until(self.kernel, self.graph, candidate)
        if original is None:
            return None, ()
        known = list(dict.fromkeys((*self.assumptions.preconditions, *preconditions)))
        summaries = [*(s.summary for s in self.lifted), candidate]
        writes = [w for stage in self.graph.order for w in stage.writes]
        exprs = [e for w in writes for e in (w.value, w.condition)]
        sizes = telling_sizes((*exprs, candidate.expression), obligations)
        found = screen(
            original, summaries, self._formulas(known),
            self.assumptions.prover.inlined, REFUTATION_RUNS, (candidate.output,), sizes=sizes,
        )  # fmt: skip
        return found.counterexample, tuple(found.warnings.values())

    def _result(
        self,
        status: Status,
        diagnostic: Diagnostic | None,
        summaries: tuple[Summary, ...],
        proof: Proof,
        warnings: Iterable[Diagnostic],
    ) -> FunctionResult:
        seconds = {
            k: self.watch.seconds.get(k, 0.0)
            for k in ("parse", "roi", "terminals", "expression", "verify")
        }
        seconds["total"] = time.perf_counter() - self.began + self.options.parse_seconds
        return FunctionResult(
            self.kernel.name,
            self.kernel.span,
            self.kernel.signature,
            status,
            diagnostic,
            self.emitted,
            self.graph,
            summaries,
            proof,
            tuple(warnings),
            seconds,
        )


def _of_few_calls(
    kernel: Kernel,
    excluded: Sequence[str],
    misplaced: Sequence[str],
    preconditions: Sequence[Precondition],
) -> Diagnostic:
    """`excluded` are calls that preconditions exclude, `misplaced` those that the guard refuses for
    where it takes them to touch memory."""
    inferred = [p.text for p in preconditions if p.origin == "inferred" and p.kind != "disjoint"]
    ways = []
    if excluded:
        ways.append(
            "where no such call is made, say so: `// lift: assume(...)` or --assume with what "
            "stands in backquotes"
        )
    if misplaced:
        ways.append(
            "bound the index that is looked up, by a clamp, a condition (`0 <= j && j < size`) or "
            "the type of its elements"
        )
    return Diagnostic(
        "few-calls",
        "error",
        "proved only where ordinary calls don't go: not with " + "; ".join((*excluded, *misplaced)),
        kernel.span,
        notes=("proved where " + " and ".join(f"`{t}`" for t in inferred),) if inferred else (),
        help="; ".join(ways),
        family="undecided",
    )


def _called(kernel: Kernel, call: Call) -> Expr:
    """The value of a call of one of the kernel's pure functions."""
    function = kernel.functions[call.name]
    return substitute(function.body, dict(zip(function.params, call.args, strict=True)))


def _crossed(lifted: LiftedStage, other: str) -> StageFailure:
    """One nest updates an array and computes another one from it."""
    message = (
        f"one loop nest writes both {lifted.stage.output} and {other}, "
        "and the one is computed from the other"
    )
    diagnostic = Diagnostic(
        "unsupported-stage", "error", message, lifted.stage.span, family="unsupported"
    )
    return StageFailure(diagnostic, lifted.summary)


def _sizes(graph: StageGraph, known: Parameters) -> set[str]:
    """Scalars whose ranges a proof relies on: in extents, indices, claims, integer conditions."""
    accesses: list[Write | Read] = []
    exprs: list[Expr] = []
    for stage in graph.order:
        accesses += [*stage.writes, *stage.reads]
        exprs += [e for c in stage.claims for e in (c.formula, *c.given)]
        exprs += [e for f in stage.facts for e in (f.formula, *f.path) if as_formula(e) is not None]
    for a in accesses:
        exprs += [*a.indices, *(loop.extent for loop in a.loops)]
        # As the proofs read them: that a sum of a wide parameter doesn't wrap relies on its range.
        ranges = Ranges(known, a.loops)
        exprs += [c for c in conjuncts(a.condition) if as_formula(c, ranges) is not None]
    return {n.name for n in postorder(*exprs) if isinstance(n, Variable)}


def _live(lifted: Sequence[LiftedStage], kernel: Kernel) -> list[LiftedStage]:
    """The stages without those of local arrays that no live stage reads before they are
    overwritten."""
    live: list[LiftedStage] = []
    for nest in reversed(list(_of_nests(lifted))):
        read = [
            item
            for item in reversed(nest)
            if kernel.arrays[item.stage.output].origin != "local"
            or _is_read(item.stage.output, live)
        ]
        # The update of a tuple is one.
        live[:0] = nest if read and nest[0].summary.is_fold else reversed(read)
    return live


def _of_nests(lifted: Sequence[LiftedStage]) -> Iterator[list[LiftedStage]]:
    """The stages, those of one update of a tuple together."""
    together: list[LiftedStage] = []
    for item in lifted:
        nest = together[0].summary.nest if together else -1
        if together and not (item.summary.is_fold and item.summary.nest == nest):
            yield together
            together = []
        together.append(item)
    if together:
        yield together


def _is_read(array: str, later: Sequence[LiftedStage]) -> bool:
    """Whether later stages read what is in an array, before one of them overwrites it. Those of one
    nest read what was there before all of them."""
    for nest in nests_of(later, lambda item: item.summary.nest):
        nodes = postorder(*(item.summary.expression for item in nest))
        if any(isinstance(n, Call) and n.name == array for n in nodes):
            return True
        own = [item.summary.is_pure for item in nest if item.stage.output == array]
        if own:
            return not all(own)
    return False
