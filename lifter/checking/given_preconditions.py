"""The preconditions of a committed claim: are they what they say, and is that enough.

A claim's preconditions are shown to people as text and tested by the guarded entry as formulas, and
the proof relies on the formulas. So text and formula must say the same, and a new proof must need
nothing that doesn't follow from them. To need less is fine.
"""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import (
    I32,
    I64,
    LE,
    TRUE,
    And,
    Call,
    Cast,
    Expr,
    Load,
    Variable,
    const,
    postorder,
    substitute,
)

from ..dag import MOST_IN_A_GUARD, Ranges, Reduce, normal
from ..emit import Assumed
from ..model.diagnostic import LiftError
from ..model.kernel import Assume, Kernel
from ..model.parameters import names_any, parameters
from ..model.proof import Precondition
from ..parse import parse_assumption
from ..verify import Assumptions, Prover, integer_part, run_time_test, to_c
from .well_formed import IllFormed


class GivenPreconditions:
    """The committed preconditions of one kernel; raises `IllFormed` for what can't be one."""

    def __init__(
        self,
        assumed: Sequence[Assumed],
        kernel: Kernel,
        timeout: float,
        sizes: Sequence[Expr] = (),
    ) -> None:
        self.prover = Prover(parameters(kernel), None, min(20.0, timeout / 10))
        self.known = self.prover.parameters
        self.kernel = kernel
        self.preconditions = tuple(map(self._read, assumed))
        self.formulas = [p.formula for p in self.preconditions if p.formula is not None]
        fit = [normal(And(LE(const(I32.min, I64), s), LE(s, const(I32.max, I64)))) for s in sizes]
        self.limits = tuple(
            Precondition(to_c(f, self.known.sizes), f, "formula", "inferred")
            for f in dict.fromkeys(fit)
            if f is not TRUE and self._fits_a_guard(f)
        )
        """That `sizes` fit 32 bits, which the guarded entry of any summary tests."""
        if self.formulas and self.prover.satisfiable(self.formulas) is not True:
            raise IllFormed("nothing shows that its preconditions can hold together")

    @property
    def inferred(self) -> tuple[Precondition, ...]:
        """Those that no source stated."""
        return tuple(p for p in self.preconditions if p.origin == "inferred")

    def _read(self, assumed: Assumed) -> Precondition:
        made = Precondition(
            assumed.text, assumed.formula, assumed.kind, assumed.origin, assumed.arrays,
            assumed.tested,
        )  # fmt: skip
        if not self._says_what_it_means(made):
            raise IllFormed(f"the precondition `{assumed.text}` isn't what is tested")
        return made

    def _says_what_it_means(self, given: Precondition) -> bool:
        text, arrays = given.text, given.arrays
        if given.kind == "limit":
            # Compared with the proof's own in `missing`.
            return given.formula is None and given.tested is None and bool(arrays)
        if given.kind != "formula":
            texts = {
                ("disjoint", 2): "{} and {} don't overlap",
                ("rows", 1): "the rows of {} are evenly spaced",
                ("not-null", 1): "{} isn't null",
            }
            pattern = texts.get((given.kind, len(arrays)))
            bare = given.formula is None and given.tested is None
            return bare and pattern is not None and text == pattern.format(*arrays)
        for expr in (given.formula, given.tested):
            if expr is not None and not self._is_over_parameters(expr):
                return False
        if given.formula is not None and not _is_index_formula(given.formula):
            return False
        if arrays:
            # Its formula is compared with the proof's own in `missing`.
            return given.tested is None and text == f"the rows of {arrays[0]} don't overlap"
        formula = given.formula if given.tested is None else None
        if (
            formula is not None
            and self._fits_a_guard(formula)
            and text == to_c(formula, self.known.sizes)
        ):
            return True
        return any(self._is(given, condition) for condition in self._conditions(text))

    def _conditions(self, text: str) -> list[Expr]:
        """What a text can mean: as the source states it, or read by itself."""
        found = [a.condition for a in self.kernel.preconditions if a.text == text]
        try:
            read = parse_assumption(text, self.kernel.params, None)
        except LiftError:
            read = None
        return found if read is None else [*found, read]

    def _is(self, given: Precondition, condition: Expr) -> bool:
        test = run_time_test(condition, self.known)
        formula = integer_part(condition, self.known)
        tested = given.formula if given.tested is None else given.tested
        return test is not None and test is tested and formula is given.formula

    def _is_over_parameters(self, expr: Expr) -> bool:
        return expr.type.is_bool and not any(
            isinstance(n, Call | Load | Reduce)
            or (isinstance(n, Variable) and n.name not in self.known)
            for n in postorder(expr)
        )

    def _fits_a_guard(self, formula: Expr) -> bool:
        interval = Ranges(self.known).interval
        numbers = (n for n in postorder(formula) if n.type is I64)
        return all(max(map(abs, interval(n))) <= MOST_IN_A_GUARD for n in numbers)

    def stated(self) -> tuple[Assume, ...]:
        """What counts as stated by the source: what it states and what follows from these, and what
        it stated when it was lifted."""
        kernel = self.kernel
        now = [a for a in kernel.preconditions if self._follows(a.condition)]
        known = {run_time_test(a.condition, self.known) for a in now}
        before = [
            Assume(kernel.span, self._typed(test), p.text, p.origin)
            for p in self.preconditions
            if p.kind == "formula" and p.origin != "inferred"
            for test in (p.formula if p.tested is None else p.tested,)
            if test is not None and test not in known
        ]
        return (*now, *before)

    def _follows(self, condition: Expr) -> bool:
        test = run_time_test(condition, self.known)
        formula = integer_part(condition, self.known)
        if test is None or (formula is not test and not self._is_tested(test)):
            return False
        return formula is None or self._is_implied(formula)

    def _is_tested(self, test: Expr) -> bool:
        return any(p.tested is test for p in self.preconditions)

    def _is_implied(self, formula: Expr) -> bool:
        known = (*self.formulas, *(p.formula for p in self.limits if p.formula is not None))
        return formula in self.formulas or self.prover.integers(formula, known).proved

    def missing(self, proof: Assumptions) -> list[Precondition]:
        """What a proof has come to assume that doesn't follow from these.

        Raises `IllFormed` where one of these says of rows what no proof does.
        """
        own = [p for p in proof.preconditions if all(p is not g for g in self.preconditions)]
        for given in (p for p in self.preconditions if p.kind == "formula" and p.arrays):
            if all((p.text, p.formula) != (given.text, given.formula) for p in own):
                raise IllFormed(f"the precondition `{given.text}` isn't what is tested")
        limits = {p.text for p in own if p.kind == "limit"}
        for given in (p for p in self.preconditions if p.kind == "limit"):
            if given.text not in limits:
                raise IllFormed(f"the precondition `{given.text}` isn't what is tested")
        kinds = {_which(p) for p in self.preconditions if p.kind != "formula"}
        found = []
        for needed in proof.preconditions:
            if needed.kind != "formula":
                follows = _which(needed) in kinds
            else:
                follows = needed.tested is None or self._is_tested(needed.tested)
                if needed.formula in proof.limits:
                    # Integer formulas take these for granted, so they can't be asked for proof.
                    follows = follows and needed.formula in self.formulas
                elif needed.formula is not None:
                    follows = follows and self._is_implied(needed.formula)
            if not follows:
                found.append(needed)
        return found

    def tests(self) -> list[Expr]:
        """All that concrete inputs must satisfy, over typed parameters."""
        found = []
        for given in self.preconditions:
            test = given.formula if given.tested is None else given.tested
            if test is not None and not names_any(test, self.known.row_strides):
                found.append(self._typed(test))
        return found

    def _typed(self, test: Expr) -> Expr:
        """A test over typed parameters: sizes in it are index expressions, floats are typed."""
        mapping: dict[Expr, Expr] = {}
        for node in postorder(test):
            if isinstance(node, Variable) and node.type is I64:
                declared = self.known[node.name]
                if declared is not I64:
                    mapping[node] = Cast(I64, Variable(node.name, declared))
        return substitute(test, mapping)


def _is_index_formula(formula: Expr) -> bool:
    return all(n.type is I64 or n.type.is_bool for n in postorder(formula))


def _which(precondition: Precondition) -> tuple[object, ...]:
    """What one of no formula says."""
    said = precondition.text if precondition.kind == "limit" else None
    return precondition.kind, frozenset(precondition.arrays), said
