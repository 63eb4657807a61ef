"""Preconditions: the stated ones, and the weakest that a proof needs (docs/design.md)."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from compiler.ir import (
    FALSE,
    GE,
    GT,
    I64,
    LE,
    LT,
    OPERATORS,
    Add,
    And,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Sub,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..dag import (
    MOST_IN_A_GUARD,
    Ranges,
    conjunction,
    from_polynomial,
    normal,
    polynomial,
    value_range,
)
from ..model.diagnostic import Diagnostic, LiftError
from ..model.kernel import Assume, Kernel
from ..model.parameters import row_stride_of
from ..model.proof import Precondition, PreconditionKind
from ..model.summary import Dimension, Limit
from .branch_asserts import asserted_in_branches
from .decide import Decision, Prover
from .run_time_test import integer_part, run_time_test
from .simpler import simpler


@dataclass
class Assumptions:
    """The preconditions of one kernel, growing as obligations turn out to need them.

    What may fail is tried on a `fork`, and what the fork has come to assume counts only once it is
    adopted: an attempt that failed leaves nothing behind.
    """

    kernel: Kernel
    prover: Prover
    preconditions: tuple[Precondition, ...] = ()
    limits: tuple[Expr, ...] = ()
    """The preconditions that wide sizes fit the lifted code's 32 bits."""

    def fork(self) -> Assumptions:
        """The same, to go on by itself."""
        return replace(self)

    def adopt(self, fork: Assumptions) -> None:
        """Assumes what a fork of these has come to assume."""
        shared = zip(self.preconditions, fork.preconditions, strict=False)
        assert all(own is theirs for own, theirs in shared)
        self.preconditions = fork.preconditions

    @property
    def formulas(self) -> list[Expr]:
        return [p.formula for p in self.preconditions if p.formula is not None]

    def decide(self, goal: Expr, given: Iterable[Expr], remedies: Sequence[Expr] = ()) -> Decision:
        """Decides `goal`; where it doesn't hold, the first remedy that makes it hold is assumed.

        Remedies over anything but parameters are passed over. Where a remedy might help but ran out
        of time, nothing is decided.
        """
        hypotheses = (*self.formulas, *given)
        decision = self._decide(goal, hypotheses)
        if decision.proved:
            return decision
        for remedy in dict.fromkeys(map(self._testable, map(normal, remedies))):
            if remedy is None:
                continue
            possible = self.prover.satisfiable((*hypotheses, remedy))
            if possible is False:
                continue
            second = self._decide(goal, (*hypotheses, remedy))
            if second.proved and possible:
                self.assume(remedy)
                return second
            if possible is None or second.verdict == "undecided":
                decision = replace(decision, verdict="undecided", by=None)
        return decision

    def _decide(self, goal: Expr, hypotheses: Sequence[Expr]) -> Decision:
        """Decides `goal`; of two orders of strides, which solvers are bad at, in each by itself."""
        orders = next((f for f in hypotheses if _is_of_orders(f)), None)
        if orders is not None:
            others = [f for f in hypotheses if f is not orders]
            decision = self.prover.in_each_case(goal, (orders.a, orders.b), others)
            if decision.verdict != "undecided":
                return decision
        return self.prover.integers(goal, hypotheses)

    def _testable(self, remedy: Expr) -> Expr | None:
        """What a guard can test that says as much, or more."""
        if not self.over_parameters(remedy):
            return None
        if not self._fits_a_guard(remedy):
            remedy = in_smaller_numbers(remedy)
        if not self._fits_a_guard(remedy) and any(isinstance(n, Div) for n in postorder(remedy)):
            # `2 * q + 2 * x <= m` is `q + x <= m / 2` before q, the quotient of a sum of products,
            # is one of a product of a sum.
            remedy = in_smaller_numbers(remedy)
        return remedy if self._fits_a_guard(remedy) else None

    def _fits_a_guard(self, formula: Expr) -> bool:
        """Whether the guarded entry can compute a formula in 64 bits without overflow."""
        interval = Ranges(self.prover.parameters).interval
        numbers = (n for n in postorder(formula) if n.type is I64)
        return all(max(map(abs, interval(n))) <= MOST_IN_A_GUARD for n in numbers)

    def over_parameters(self, formula: Expr) -> bool:
        return all(
            not isinstance(n, Variable) or n.name in self.prover.parameters
            for n in postorder(formula)
        ) and all(n.type is I64 or n.type.is_bool for n in postorder(formula))

    def assume(self, formula: Expr) -> None:
        if formula not in self.formulas:
            self._add(Precondition(self._in_c(formula), formula, "formula", "inferred"))

    def _in_c(self, formula: Expr) -> str:
        return to_c(formula, self.prover.parameters.sizes)

    def _add(self, *found: Precondition) -> None:
        self.preconditions = (*self.preconditions, *found)

    def _add_of_arrays(self, text: str, kind: PreconditionKind, *arrays: str) -> None:
        if all(p.text != text for p in self.preconditions):
            self._add(Precondition(text, None, kind, "inferred", arrays))

    def assume_not_null(self, array: str) -> None:
        self._add_of_arrays(f"{array} isn't null", "not-null", array)

    def assume_disjoint(self, a: str, b: str) -> None:
        self._add_of_arrays(f"{a} and {b} don't overlap", "disjoint", a, b)

    def assume_limit(self, limit: Limit, text: str) -> None:
        """That numbers which are read are small enough, shown as `text`."""
        reads = (n for n in postorder(limit.value) if isinstance(n, Call))
        self._add_of_arrays(text, "limit", *dict.fromkeys(read.name for read in reads))

    def assume_rows(self, array: str) -> None:
        self._add_of_arrays(f"the rows of {array} are evenly spaced", "rows", array)

    def assume_rows_apart(
        self, array: str, row: Dimension, inside: Sequence[tuple[Dimension, Expr]]
    ) -> None:
        """The rows of a table that is written don't overlap each other.

        Kernel IR gives each row memory of its own; only this makes it so. `inside` are the other
        dimensions with their strides: channels, and columns of pixels.
        """
        stride = row_stride_of(array)
        width: Expr = const(1, I64)
        for dimension, own in inside:
            positive = (
                const(abs(int(own.value)), I64) if isinstance(own, Const) else Max(own, Neg(own))
            )
            steps = Sub(Sub(dimension.upper, dimension.lower), const(1, I64))
            width = Add(width, Mul(positive, steps))
        width = normal(width)
        formula = Or(
            Or(LE(width, stride), LE(width, Neg(stride))),
            LE(normal(Sub(row.upper, row.lower)), const(1, I64)),
        )
        text = f"the rows of {array} don't overlap"
        self._add(Precondition(text, formula, "formula", "inferred", (array,)))

    def without_redundant(self) -> list[Precondition]:
        """The preconditions without inferred ones that the others imply."""
        kept = list(self.preconditions)
        for candidate in list(kept):
            if candidate.formula is None or candidate.origin != "inferred":
                continue
            if candidate.formula in self.limits:
                continue  # integer formulas take them for granted, so they can't be asked for proof
            others = [p.formula for p in kept if p is not candidate and p.formula is not None]
            if self.prover.integers(candidate.formula, others).proved:
                kept.remove(candidate)
        return [self._plainer(p) for p in kept]

    def _plainer(self, precondition: Precondition) -> Precondition:
        formula = precondition.formula
        if formula is None or precondition.origin != "inferred" or precondition.arrays:
            return precondition
        if formula in self.limits:
            return precondition
        found = simpler(formula, self.limits, self.prover)
        text = self._in_c(found)
        if found is formula or len(text) >= len(self._in_c(formula)):
            return precondition
        if self._fits_a_guard(formula) and not self._fits_a_guard(found):
            return precondition
        return replace(precondition, text=text, formula=found)


def in_smaller_numbers(formula: Expr) -> Expr:
    """What says as much or more of smaller numbers, which a guard may compute: `4 * w * h <= n` as
    `w * h <= n / 4`, `n * w * h <= m`, where no factor is negative, step by step, and
    `s * b - s * a <= m` as `s * (b - a) <= m` of a `b - a` with 32 bits."""
    if isinstance(formula, (And, Or)):
        a, b = map(in_smaller_numbers, formula.children)
        return a if a == b else formula.rebuild((a, b))
    if not isinstance(formula, (LE, GE)):
        return formula
    small, large = formula.children if isinstance(formula, LE) else formula.children[::-1]
    if isinstance(small, Max):
        return conjunction(in_smaller_numbers(normal(LE(side, large))) for side in small.children)
    terms = polynomial(normal(Sub(small, large)))
    rest = terms.pop((), 0)
    divisor = math.gcd(*terms.values()) if terms else 1
    if divisor < 2 and len(max(terms, key=len, default=())) < 3:
        told: list[Expr] = []
        plain = _with_shared_factors(LE(small, large), told)
        return conjunction((*told, plain)) if told else formula
    # A multiple of the divisor is at most -rest where it is at most what -rest rounds down to.
    left, limit = {m: c // divisor for m, c in terms.items()}, -rest // divisor
    if all(c < 0 for c in left.values()):
        return GE(from_polynomial({m: -c for m, c in left.items()}), const(-limit, I64))
    (factors, times), *others = left.items()
    if len(factors) > 2 and times == 1 and not others and limit >= 0:
        return _of_three(factors, limit)
    return LE(from_polynomial(left), const(limit, I64))


def _with_shared_factors(formula: LE, told: list[Expr]) -> Expr:
    """A comparison of sums of products, in which those that share a factor are one product; `told`
    takes that what is multiplied with it has 32 bits."""

    def narrow(expr: Expr) -> Expr:
        terms = polynomial(expr)
        products = [m for m in terms if len(m) == 2]
        factors = dict.fromkeys(f for m in products for f in m)
        shared = max(factors, key=lambda f: sum(f in m for m in terms), default=None)
        inside: dict[tuple[Expr, ...], int] = {}
        total: Expr = const(0, I64)
        for monomial, coefficient in terms.items():
            left = list(monomial)
            if shared in left:
                left.remove(shared)
                inside[tuple(left)] = coefficient
                continue
            term: Expr = const(coefficient, I64)
            for factor in monomial:
                if isinstance(factor, Div) and isinstance(factor.b, Const):
                    factor = Div(narrow(factor.a), factor.b)
                term = Mul(term, factor)
            total = Add(total, term)
        if len(inside) < 2 or shared is None:
            return normal(Add(total, from_polynomial(_times(inside, shared))))
        factor = from_polynomial(inside)
        most, least = const(_MOST_ELEMENTS, I64), const(-_MOST_ELEMENTS, I64)
        told.extend((LE(factor, most), GE(factor, least)))
        return normal(Add(total, Mul(shared, Max(Min(factor, most), least))))

    return LE(narrow(formula.a), narrow(formula.b))


def _times(terms: Mapping[tuple[Expr, ...], int], factor: Expr | None) -> dict[Any, int]:
    return {(*monomial, factor): c for monomial, c in terms.items()} if factor is not None else {}


_MOST_ELEMENTS = (1 << 31) - 1


def _of_three(factors: Sequence[Expr], limit: int) -> Expr:
    """That none of the factors is negative and their product at most `limit`, or what is large for
    an array: step by step, each time as if what was multiplied were no larger than needed."""
    limit = min(limit, _MOST_ELEMENTS)
    cap, product = const(limit + 1, I64), Mul(*factors[:2])
    for factor in factors[2:]:
        product = Mul(Max(Min(product, cap), const(0, I64)), factor)
    signs = (GE(factor, const(0, I64)) for factor in dict.fromkeys(factors))
    return conjunction((*signs, LE(product, const(limit, I64))))


def stated(kernel: Kernel, prover: Prover, sizes: Collection[str]) -> Assumptions:
    """The kernel's own preconditions, and that wide `sizes` fit the lifted code's 32 bits.

    Raises `LiftError`: `assumption-false` where one of them can't hold or be tested at run time,
    `vacuous` where they can't hold together.
    """
    assumptions = Assumptions(
        kernel,
        prover,
        (
            *(
                Precondition(f"{p.name} isn't null", None, "not-null", p.origin, (p.name,))
                for p in kernel.not_null
            ),
            *(
                _stated_precondition(assume, prover)
                for assume in kernel.preconditions
                if not _is_untested_fact(assume, kernel, prover)
            ),
        ),
    )
    for name, type in prover.parameters.items():
        low, high = value_range(name, prover.parameters)
        if name in sizes and type.is_integer and high < type.max:
            parameter = Variable(name, I64)
            fits: Expr = LE(parameter, const(high, I64))
            if low > type.min and name not in prover.parameters.sizes:
                fits = And(LE(const(low, I64), parameter), fits)
            if name not in prover.parameters.row_strides | prover.parameters.addresses:
                assumptions.limits += (fits,)
                assumptions.assume(fits)
    for formula in asserted_in_branches(kernel, prover):
        if formula not in assumptions.formulas and assumptions.over_parameters(formula):
            text = to_c(formula, prover.parameters.sizes)
            found = Precondition(text, formula, "formula", "assert")
            assumptions.preconditions += (found,)
    _refuse_contradictions(assumptions)
    return assumptions


def _is_untested_fact(assume: Assume, kernel: Kernel, prover: Prover) -> bool:
    """Whether a condition that leads to a region is nothing that its guard can test: nobody asked
    for it, and a proof may do without."""
    is_fact = kernel.region is not None and assume.origin == "assert"
    return is_fact and run_time_test(assume.condition, prover.parameters) is None


def _stated_precondition(assume: Assume, prover: Prover) -> Precondition:
    """Raises `LiftError` (`assumption-false`) where the guarded entry couldn't test the condition,
    or where it is false for every call."""
    test = run_time_test(assume.condition, prover.parameters)
    if test is None:
        message = f"the assumption `{assume.text}` isn't about integer and float parameters alone"
        help = "state it by comparisons of parameters and constants"
        raise LiftError(Diagnostic("assumption-false", "error", message, assume.span, help=help))
    formula = integer_part(assume.condition, prover.parameters)
    is_false = formula is not None and prover.satisfiable((formula,)) is False
    if is_false or (test is not formula and prover.equal(test, FALSE).proved):
        message = f"the assumption `{assume.text}` is false for every call"
        raise LiftError(Diagnostic("assumption-false", "error", message, assume.span))
    tested = None if test is formula else test
    return Precondition(assume.text, formula, "formula", assume.origin, tested=tested)


def _refuse_contradictions(assumptions: Assumptions) -> None:
    """Under preconditions that no call meets, every claim would hold."""
    prover, stated_ones = assumptions.prover, assumptions.kernel.preconditions
    tests = [p.tested for p in assumptions.preconditions if p.tested is not None]
    impossible = len(tests) > 1 and prover.equal(conjunction(tests), FALSE).proved
    if assumptions.formulas and prover.satisfiable(assumptions.formulas) is False:
        impossible = True
    if impossible:
        shown = ", ".join(p.text for p in assumptions.preconditions)
        message = f"the assumptions contradict each other: {shown}"
        span = stated_ones[0].span if stated_ones else assumptions.kernel.span
        raise LiftError(Diagnostic("vacuous", "error", message, span))


def to_c(expr: Expr, sizes: Collection[str] = (), strength: int = 0) -> str:
    """A formula over parameters as C, for people and for the guarded entry; `sizes` are the names
    of vectors' sizes, which C++ calls."""

    def part(inner: Expr, strength: int = 0) -> str:
        return to_c(inner, sizes, strength)

    if isinstance(expr, Const):
        return str(int(expr.value))
    if isinstance(expr, Variable):
        return f"{expr.name}()" if expr.name in sizes else expr.name
    if isinstance(expr, Neg):
        return f"-{part(expr.value, OPERATORS[Neg].strength)}"
    if isinstance(expr, Not):
        return f"!({part(expr.value)})"
    if isinstance(expr, (Min, Max)):
        test = OPERATORS[LT if isinstance(expr, Min) else GT]
        left, right = (part(c, test.strength) for c in expr.children)
        return f"({left} {test.symbol} {right} ? {left} : {right})"
    if isinstance(expr, Select):
        return "({} ? {} : {})".format(*map(part, expr.children))
    row = OPERATORS[type(expr)]
    own = row.strength
    a, b = expr.children
    text = f"{part(a, own)} {row.symbol} {part(b, own + 1)}"
    return f"({text})" if own < strength else text


def typed_formula(formula: Expr, parameters: dict[str, Type]) -> Expr:
    """A formula over index expressions as one over the typed parameters, in 64-bit arithmetic."""
    mapping: dict[Expr, Expr] = {}
    for node in postorder(formula):
        if isinstance(node, Variable):
            declared = parameters[node.name]
            if declared is not I64:
                mapping[node] = Cast(I64, Variable(node.name, declared))
    return substitute(formula, mapping)


def _is_of_orders(formula: Expr) -> TypeGuard[Or]:
    """Whether a formula is a choice of two, both of which are about products of parameters."""
    return isinstance(formula, Or) and all(
        any(isinstance(n, Mul) and not isinstance(n.b, Const) for n in postorder(side))
        for side in (formula.a, formula.b)
    )
