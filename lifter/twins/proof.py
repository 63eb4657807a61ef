"""That two kernels leave the same, for all inputs and all sizes.

Both are lifted, each to summaries that are proved of it. Then those of the one are proved to leave
in every array of the caller's what those of the other leave there, as `lift verify` does it when
loops have changed. Where one of them doesn't lift, the other one's summaries may be proved of its
loops as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from compiler.ir import LT

from ..checking.composed import Composed
from ..checking.reproving import Reproving, given_summaries
from ..checking.well_formed import IllFormed
from ..emit import FunctionBody
from ..lift.lift_function import Lifting, LiftOptions, lift_kernel
from ..model.diagnostic import Diagnostic
from ..model.kernel import Kernel
from ..model.lifted import FunctionResult
from ..model.parameters import parameters
from ..model.proof import Obligation, Precondition
from ..model.summary import Summary
from ..verify import Prover
from .matched import with_arrays_of

LONGEST_REASON = 120


@dataclass(frozen=True)
class Proved:
    """A proof that twins are equal, wherever these preconditions hold and both are defined."""

    preconditions: tuple[Precondition, ...]
    obligations: tuple[Obligation, ...]
    of_first: tuple[Precondition, ...] = ()
    of_second: tuple[Precondition, ...] = ()
    """What one of the two asks for by itself and the other doesn't."""


@dataclass
class Proving:
    """Two kernels that return nothing, with parameters of the same names, on the way to a proof."""

    first: Kernel
    second: Kernel
    options: LiftOptions
    within: float = 0
    reasons: list[str] = field(default_factory=list)
    """Why there is no proof, as far as it was tried."""
    lifted: list[FunctionResult] = field(default_factory=list)
    failed: list[Obligation] = field(default_factory=list)
    """What wasn't proved of the two together."""

    def lift_first(self) -> FunctionResult:
        """The first, lifted by itself: its summaries are what the second is compared with."""
        return self._lifted(self.first)

    def _lifted(self, kernel: Kernel) -> FunctionResult:
        result = lift_kernel(kernel, self.options)
        self.lifted.append(result)
        if result.status != "proved" and result.diagnostic is not None:
            why = result.diagnostic
            self.reasons.append(f"{kernel.name} isn't lifted: {why.message} [{why.code}]")
        return result

    def proved(self, one: FunctionResult) -> Proved | None:
        """The proof, given what the first was lifted to."""
        if one.kernel is None:
            return None
        if one.status != "proved":
            return self._of_loops(self._lifted(self.second), self.first)
        second = with_arrays_of(one.kernel, self.second)
        other = self._lifted(second)
        if other.status != "proved":
            return self._of_loops(one, second)
        return self._composed(one, second, other)

    def _composed(
        self, one: FunctionResult, second: Kernel, other: FunctionResult
    ) -> Proved | None:
        given = self._in_terms_of(one, second)
        if given is None:
            return None
        lifting = Composed(second, self.options, given, other, self.within)
        result = lifting.result()
        if result.status != "proved":
            self._refused(result)
            return None
        return self._not_vacuous(_together(one, other, result), one)

    def _of_loops(self, one: FunctionResult, kernel: Kernel) -> Proved | None:
        """The summaries of one, proved of the other's loops as they are."""
        if one.status != "proved" or one.kernel is None:
            return None
        kernel = with_arrays_of(one.kernel, kernel)
        given = self._in_terms_of(one, kernel)
        if given is None:
            return None
        for result in self._reproved(kernel, given):
            if result.status == "proved":
                return self._not_vacuous(_together(one, result), one)
        return None

    def _not_vacuous(self, proved: Proved, one: FunctionResult) -> Proved | None:
        """A proof under preconditions that hold together, of an image that isn't empty."""
        known = [p.formula for p in proved.preconditions if p.formula is not None]
        prover = Prover(parameters(self.first), None, self.options.timeout / 10)
        for summary in one.summaries:
            some = [LT(d.lower, d.upper) for d in summary.roi]
            if prover.satisfiable([*known, *some]) is True:
                return proved
        self.reasons.append("nothing shows that what both ask for can hold together")
        return None

    def _reproved(self, kernel: Kernel, given: Sequence[Summary]) -> Iterator[FunctionResult]:
        lifting: Lifting = Reproving(kernel, self.options, given)
        yield lifting.result()
        for reading in lifting.other_readings():
            yield Reproving(kernel, self.options, given, reading=reading).result()

    def _in_terms_of(self, one: FunctionResult, kernel: Kernel) -> tuple[Summary, ...] | None:
        assert one.kernel is not None
        bodies = [FunctionBody(f.name, f.params, f.body) for f in one.kernel.functions.values()]
        try:
            return given_summaries(one.summaries, bodies, kernel, inline=True)
        except IllFormed as error:
            self.reasons.append(f"the summary of {one.name} says nothing of {kernel.name}: {error}")
            return None

    def _refused(self, result: FunctionResult) -> None:
        why: Diagnostic | None = result.diagnostic
        if why is not None:
            self.reasons.append(_without_formulas(why.message))
        if result.proof is not None:
            self.failed += [o for o in result.proof.obligations if o.verdict != "proved"]


def _together(*results: FunctionResult) -> Proved:
    preconditions: dict[tuple[object, ...], Precondition] = {}
    for result in results:
        for p in _preconditions(result):
            preconditions.setdefault(_said(p), p)
    obligations = [o for r in results if r.proof is not None for o in r.proof.obligations]
    own = [{_said(p): p for p in _preconditions(r)} for r in results[:2]]
    alone = [
        tuple(p for said, p in mine.items() if said not in yours)
        for mine, yours in ((own[0], own[1]), (own[1], own[0]))
    ]
    return Proved(tuple(preconditions.values()), tuple(obligations), *alone)


def _said(p: Precondition) -> tuple[object, ...]:
    arrays: object = frozenset(p.arrays) if p.kind == "disjoint" else p.arrays
    return p.kind, arrays, p.formula, p.tested


def _without_formulas(text: str) -> str:
    """What went wrong, without the formulas of sixteen lanes."""
    head, _, _ = text.partition(": ")
    return text if len(text) <= LONGEST_REASON else head


def _preconditions(result: FunctionResult) -> tuple[Precondition, ...]:
    return result.proof.preconditions if result.proof is not None else ()
