"""The portfolio: how one formula is decided (docs/design.md, "Verification").

Structural equality first; then complete enumeration with numpy when the inputs have few states;
then part by part (`congruence`); then Z3. Random and extreme samples refute quickly what is wrong.
A time-out is `undecided`, never a pass.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
import z3

from compiler.ir import (
    FALSE,
    GE,
    I64,
    LE,
    LT,
    TRUE,
    And,
    Call,
    Cast,
    Const,
    Expr,
    Mod,
    Type,
    Variable,
    const,
    dtype_of,
    postorder,
    substitute,
    transform,
)
from compiler.ir.operators import Range

from ..dag import NotConcrete, Reduce, concrete, negate, normal, value_range
from ..dag import replace as replaced
from ..model.parameters import Parameters
from ..model.proof import Decider, Verdict
from .assumed import assuming
from .congruence import Congruence
from .encode import (
    IntegerEncoder,
    ValueEncoder,
    divides_products,
    is_leaf,
    is_remainder,
    value_postorder,
)
from .known_ranges import known_ranges
from .states import difference, has_reductions, leaves_of, samples, state_count, states_of
from .value_by_value import of_few_values, with_value

COMPLETE_STATES = 1 << 26
QUICK_STATES = 1 << 17
CHUNK = 1 << 20
RESOURCES = 1_000_000
"""Z3's resource units that stand for a second: limits count work, so that verdicts don't depend on
how busy the machine is."""
PATIENCE = 3
"""Seconds of wall time for each second's worth of work, after which Z3 is stopped all the same; it
begins anew, with more of them, where the machine had less than that second for it."""
PART_SECONDS = 1.0
PART_STATES = 1 << 21
SLOW_PART_STATES = 1 << 25
MODEL_ATTEMPTS = 300
_WORDS = {1 << 8, 1 << 16, 1 << 32}
_SMALL = ((0, 3), (0, 8), (-2, 5), (0, 40))
"""The least and the greatest number of an attempt, in turn."""
_LEAST = -2


@lru_cache(maxsize=256)
def _small_numbers(lows: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The attempts' numbers, one no less than each of `lows`: the same whenever it is asked."""
    source = random.Random(7)
    spans = (_SMALL[attempt % len(_SMALL)] for attempt in range(MODEL_ATTEMPTS))
    return tuple(
        tuple(source.randint(max(least, low), most) for low in lows) for least, most in spans
    )


@dataclass(frozen=True)
class Decision:
    """`model` maps names of leaves to values when refuted."""

    verdict: Verdict
    by: Decider | None
    seconds: float
    query: Any = None
    """The formulas that the solver was asked about, or a text that says more."""
    model: dict[str, Any] = field(default_factory=dict)

    @property
    def smt2(self) -> str | None:
        """What the solver was asked; written out here, since few ask."""
        if self.query is None or isinstance(self.query, str):
            return self.query
        return _smt2(self.query)

    @property
    def proved(self) -> bool:
        return self.verdict == "proved"


class Prover:
    """Decides formulas for one kernel; `timeout` is in seconds a query.

    Of parameters in a plain dictionary only the types are known.
    """

    def __init__(
        self,
        parameters: Mapping[str, Type],
        inline: Callable[[Call], Expr] | None = None,
        timeout: float = 10.0,
    ) -> None:
        if not isinstance(parameters, Parameters):
            parameters = Parameters(parameters)
        self.parameters, self.inline, self.timeout = parameters, inline, timeout

    def integers(
        self, goal: Expr, given: Iterable[Expr] = (), timeout: float | None = None
    ) -> Decision:
        """Whether `goal` holds for all integers that satisfy `given`.

        All are booleans over index expressions.
        """
        began = time.perf_counter()
        goal = normal(goal)
        hypotheses = [normal(g) for g in given]
        if goal is TRUE or goal in hypotheses or FALSE in hypotheses:
            return Decision("proved", "structural", time.perf_counter() - began)
        model = self._small_model((*hypotheses, negate(goal)))
        if model is not None:
            return Decision("refuted", "complete", time.perf_counter() - began, None, model)
        decision = Decision("undecided", None, 0.0)
        for abstraction in (*_abstractions(goal, *hypotheses), {}):
            encode = self._encoder(hypotheses, **abstraction)
            claim = encode(goal)
            assumed = [encode(h) for h in hypotheses]
            decision = self._ask([*assumed, *encode.facts], claim, began, timeout)
            if decision.proved:
                break
        return decision

    def in_each_case(self, goal: Expr, cases: Sequence[Expr], given: Sequence[Expr]) -> Decision:
        """Whether `goal` holds wherever all that is `given` does and at least one of `cases`."""
        found: list[Decision] = []
        for case in cases:
            decision = self.integers(goal, (case, *given))
            if not decision.proved:
                return decision
            found.append(decision)
        asked = [z3.And(*decision.query) for decision in found if decision.query is not None]
        return Decision(
            "proved",
            "z3" if asked else "structural",
            sum(decision.seconds for decision in found),
            [z3.Or(*asked)] if asked else None,
        )

    def unwrapped(self, formula: Expr, given: Iterable[Expr]) -> Expr:
        """`formula` where `given` hold: of numbers that these say to lie within a machine's word,
        remainders by its size are left out."""
        hypotheses = tuple(given)
        mapping: dict[Expr, Expr] = {}
        for node in postorder(formula):
            if isinstance(node, Mod) and isinstance(node.b, Const) and node.b.value in _WORDS:
                within = And(GE(node.a, const(0, I64)), LT(node.a, node.b))
                if self.integers(within, hypotheses, 1.0).proved:
                    mapping[node] = node.a
        return replaced(formula, mapping) if mapping else formula

    def _encoder(self, given: Sequence[Expr], **abstraction: bool) -> IntegerEncoder:
        """An encoder of what holds where the formulas `given` do."""

        @cache
        def known() -> Mapping[Expr, Range]:
            found = known_ranges(given)
            for leaf, interval in list(found.items()):
                # Atoms are made of parameters as they are declared.
                if isinstance(leaf, Variable) and leaf.name in self.parameters:
                    found[Variable(leaf.name, self.parameters[leaf.name])] = interval
            return found

        return IntegerEncoder(self.parameters, known, **abstraction)

    def _small_model(self, formulas: Sequence[Expr]) -> dict[str, int] | None:
        """Small numbers that satisfy all formulas, if random search meets some at once."""
        names = sorted({v.name for f in formulas for v in postorder(f) if isinstance(v, Variable)})
        try:
            # The last is the goal's negation, if anything: it holds least often.
            tests = [concrete(f) for f in reversed(formulas)]
        except NotConcrete:
            return None
        known = self.parameters
        lows = [value_range(n, known)[0] if n in known else _LEAST for n in names]
        for row in _small_numbers(tuple(max(low, _LEAST) for low in lows)):
            values = dict(zip(names, row, strict=True))
            for test in tests:
                if not test(values):
                    break
            else:
                return values
        return None

    def satisfiable(self, formulas: Iterable[Expr]) -> bool | None:
        """Whether integers exist that satisfy all formulas; None when undecided."""
        chosen = [normal(f) for f in formulas]
        if self._small_model(chosen) is not None:
            return True
        encode = self._encoder(chosen)
        asserted = [encode(f) for f in chosen]
        answer, _ = _check([*asserted, *encode.facts], self.timeout)
        return None if answer == z3.unknown else answer == z3.sat

    def equal(
        self, a: Expr, b: Expr, given: Sequence[Expr] = (), timeout: float | None = None
    ) -> Decision:
        """Whether two typed expressions are equal for all values of their leaves under `given`.

        `given` are typed booleans (comparisons of index expressions are read as 64-bit ones).
        """
        began = time.perf_counter()
        if a is b or FALSE in given:
            return Decision("proved", "structural", time.perf_counter() - began)
        a, b, *given = (self._over_program_parameters(e) for e in (a, b, *given))
        hypotheses = [self.inlined(g) for g in given]
        a, b = assuming(a, given), assuming(b, given)
        left, right = (assuming(self.inlined(e), hypotheses) for e in (a, b))
        if left is right:
            return Decision("proved", "structural", time.perf_counter() - began)
        leaves = leaves_of(left, right, *hypotheses)
        sampled = self._refute_by_samples(left, right, hypotheses, leaves)
        if sampled is not None and not has_reductions(leaves):
            return Decision("refuted", "complete", time.perf_counter() - began, None, sampled)
        states = state_count(leaves)
        if states <= QUICK_STATES:
            found = self._enumerate(left, right, hypotheses, leaves, began)
            if found.proved or not has_reductions(leaves):
                return found
        # A bound of a loop says nothing of pixels: without it there may be few states.
        own = leaves_of(left, right)
        relevant = [h for h in hypotheses if set(leaves_of(h)) <= set(own)]
        if state_count(own) <= QUICK_STATES:
            found = self._enumerate(left, right, relevant, own, began)
            if found.proved:
                return found
        by_values = self._value_by_value(left, right, hypotheses, began, timeout)
        if by_values is not None:
            return by_values
        if self._same_parts(((a, b), (left, right)), hypotheses):
            note = _note(left, right, "part by part")
            return Decision("proved", "complete", time.perf_counter() - began, note)
        first = self._ask_equal(
            a, b, given, began, inline=False, timeout=0.3 * (timeout or self.timeout)
        )
        if first.proved:
            return first
        if state_count(own) <= COMPLETE_STATES < states:
            found = self._enumerate(left, right, relevant, own, began)
            if found.proved:
                return found
        if states <= COMPLETE_STATES:
            return self._enumerate(left, right, hypotheses, leaves, began)
        return self._ask_equal(left, right, hypotheses, began, inline=True, timeout=timeout)

    def _value_by_value(
        self,
        left: Expr,
        right: Expr,
        hypotheses: Sequence[Expr],
        began: float,
        timeout: float | None,
    ) -> Decision | None:
        """The decision for each value of a parameter that has few; None where one is undecided."""
        chosen = of_few_values(left, right, known_ranges(hypotheses), self.parameters)
        if chosen is None:
            return None
        parameter, values = chosen
        for value in values:
            given = [with_value(h, parameter, value) for h in hypotheses]
            a, b = (with_value(e, parameter, value) for e in (left, right))
            decision = self.equal(a, b, given, 0.3 * (timeout or self.timeout))
            if decision.verdict == "refuted":
                return replace(decision, model={**decision.model, parameter.name: value})
            if not decision.proved:
                return None
        note = _note(left, right, f"for each value of {parameter.name}")
        return Decision("proved", "complete", time.perf_counter() - began, note)

    def _same_parts(self, pairs: Iterable[tuple[Expr, Expr]], hypotheses: Sequence[Expr]) -> bool:
        """Whether one of the pairs, which say the same, is proved equal part by part."""
        comparison = Congruence(known_ranges(hypotheses), self._settle, hypotheses)
        return any(comparison.same(a, b) for a, b in dict.fromkeys(pairs))

    def _settle(self, a: Expr, b: Expr, known: Mapping[Expr, tuple[int, int]]) -> bool:
        """Whether a and b are equal for all values of their variables, in `known` intervals."""
        leaves = leaves_of(a, b)
        given: list[Expr] = []
        for leaf in leaves:
            low, high = known.get(leaf, (0, 0))
            if leaf in known and (low, high) != (leaf.type.min, leaf.type.max):
                given += [LE(const(low, leaf.type), leaf), LE(leaf, const(high, leaf.type))]
        generator = np.random.default_rng(20190718)
        try:
            values = [samples(leaf.type, 512, generator, known.get(leaf)) for leaf in leaves]
            if difference(a, b, given, leaves, values) is not None:
                return False
        except TypeError:
            return False
        sizes = [known[v][1] - known[v][0] + 1 if v in known else states_of(v.type) for v in leaves]
        if math.prod(sizes) <= PART_STATES:
            grids = np.indices(sizes).reshape(len(sizes), -1) if sizes else np.zeros((0, 1))
            values = [
                (g + known.get(v, (0, 0))[0]).astype(dtype_of(v.type))
                for g, v in zip(grids, leaves, strict=True)
            ]
            return difference(a, b, given, leaves, values) is None
        encode = ValueEncoder()
        question = z3.Not(encode(a) == encode(b))
        answer, _ = _check([*(encode(g) for g in given), question], PART_SECONDS)
        if answer == z3.unknown and state_count(leaves) <= SLOW_PART_STATES:
            return self._enumerate(a, b, given, leaves, time.perf_counter()).proved
        return bool(answer == z3.unsat)

    def _over_program_parameters(self, expr: Expr) -> Expr:
        """`expr` with int64 variables that stand for parameters as the parameters, extended."""
        mapping: dict[Expr, Expr] = {}
        for node in value_postorder(expr):
            if not is_leaf(node):
                continue
            mapping[node] = node
            if isinstance(node, Reduce):
                body = self._over_program_parameters(node.body)
                mapping[node] = Reduce(node.operator, node.counter, node.extent, body)
            if isinstance(node, Variable) and node.type is I64:
                declared = self.parameters.get(node.name, I64)
                if declared is not I64:
                    mapping[node] = Cast(I64, Variable(node.name, declared))
        return substitute(expr, mapping)

    def inlined(self, expr: Expr) -> Expr:
        """`expr` with the source's pure functions replaced by their bodies."""
        inline = self.inline
        if inline is None:
            return expr
        chosen: Callable[[Call], Expr] = inline

        def visit(node: Expr) -> Expr:
            if isinstance(node, Call) and node.kind == "pure":
                return self.inlined(chosen(node))
            return node

        return transform(expr, visit)

    def _ask_equal(
        self,
        a: Expr,
        b: Expr,
        given: Sequence[Expr],
        began: float,
        *,
        inline: bool,
        timeout: float | None,
    ) -> Decision:
        limit = timeout or self.timeout
        has_floats = any(e.type.is_float for e in value_postorder(a))
        # Z3's floats have one NaN: their bits aren't those of the program's.
        by_bits = any(_is_of_bits(e) for root in (a, b, *given) for e in value_postorder(root))
        decision = Decision("undecided", None, 0.0)
        for ieee in (False, True) if has_floats and not by_bits else (False,):
            encode = ValueEncoder(self.parameters, ieee=ieee, inline=None)
            left, right = encode(a), encode(b)
            assumed = [encode(g) for g in given]
            decision = self._ask(assumed, left == right, began, limit)
            if decision.proved:
                return decision
            if not inline:
                break
        if decision.verdict == "refuted" and not self._confirmed(a, b, given):
            # A model over uninterpreted operations or free reductions refutes nothing by itself.
            return Decision("undecided", None, time.perf_counter() - began, decision.smt2)
        return decision

    def _confirmed(self, a: Expr, b: Expr, given: Sequence[Expr]) -> bool:
        """Whether a Z3 model of `a != b` is a real counterexample: nothing in it was abstracted."""
        return not any(
            e.type.is_float or isinstance(e, Reduce) or (isinstance(e, Call) and e.kind == "pure")
            for root in (a, b, *given)
            for e in value_postorder(root)
        )

    def _ask(
        self, given: Sequence[Any], goal: Any, began: float, timeout: float | None
    ) -> Decision:
        formulas = [*given, z3.Not(goal)]
        answer, solver = _check(formulas, timeout or self.timeout)
        seconds = time.perf_counter() - began
        if answer == z3.unsat:
            return Decision("proved", "z3", seconds, formulas)
        if answer == z3.sat:
            model = solver.model()
            values = {
                d.name().strip("|"): _number(model[d]) for d in model.decls() if d.arity() == 0
            }
            return Decision("refuted", "z3", seconds, formulas, values)
        return Decision("undecided", None, seconds, formulas)

    def _refute_by_samples(
        self, a: Expr, b: Expr, given: Sequence[Expr], leaves: Sequence[Expr]
    ) -> dict[str, Any] | None:
        generator = np.random.default_rng(20190718)
        values = [samples(leaf.type, 1024, generator) for leaf in leaves]
        try:
            return difference(a, b, given, leaves, values)
        except TypeError:  # not everything can be evaluated: reductions, bfloat
            return None

    def _enumerate(
        self, a: Expr, b: Expr, given: Sequence[Expr], leaves: Sequence[Expr], began: float
    ) -> Decision:
        """Every state of the leaves, in chunks; complete, so it decides."""
        sizes = [states_of(leaf.type) for leaf in leaves]
        total = state_count(leaves)
        for begin in range(0, total, CHUNK):
            rest = np.arange(begin, min(begin + CHUNK, total), dtype=np.int64)
            values = []
            for leaf, size in zip(leaves, sizes, strict=True):
                values.append((rest % size + leaf.type.min).astype(dtype_of(leaf.type)))
                rest = rest // size
            found = difference(a, b, given, leaves, values)
            if found is not None and has_reductions(leaves):
                return Decision("undecided", None, time.perf_counter() - began)
            if found is not None:
                return Decision("refuted", "complete", time.perf_counter() - began, None, found)
        return Decision(
            "proved",
            "complete",
            time.perf_counter() - began,
            _note(a, b, f"by complete enumeration of {total} states"),
        )


def _abstractions(*formulas: Expr) -> Iterator[dict[str, bool]]:
    """What may be taken for free numbers: it can only fail to be proved, and is linear."""
    nodes = list(postorder(*formulas))
    if any(map(is_remainder, nodes)):
        yield {"remainders_are_free": True}
    if any(map(divides_products, nodes)):
        yield {"products_are_free": True}


def _check(formulas: Sequence[Any], timeout: float) -> tuple[Any, Any]:
    """(answer, solver): Z3's plain core first, then its default strategy in the time that is left.

    The core proves products of strides and rows in 2 ms where the default, which picks a tactic for
    nonlinear integers, takes 200; for bit-vectors the default's bit-blasting is the better one.
    """
    integers = any(z3.is_int(v) for f in formulas for v in _symbols(f))
    answer: Any = z3.unknown
    solver: Any = None
    for make, share in (
        ((z3.SimpleSolver, 0.3), (z3.Solver, 1.0)) if integers else ((z3.Solver, 1.0),)
    ):
        patience, had_its_time = PATIENCE * timeout * share, False
        while answer == z3.unknown and not had_its_time:
            solver = make()
            solver.set("timeout", max(1, int(patience * 1000)))
            solver.set("rlimit", max(1, int(timeout * share * RESOURCES)))
            solver.add(*formulas)
            began, worked = time.perf_counter(), time.process_time()
            answer = solver.check()
            was_stopped = time.perf_counter() - began >= 0.9 * patience
            had_its_time = not was_stopped or time.process_time() - worked >= timeout * share
            patience *= PATIENCE
        if answer != z3.unknown:
            break
    return answer, solver


def _is_of_bits(node: Expr) -> bool:
    return isinstance(node, Call) and node.name == "reinterpret" and node.kind == "intrinsic"


def _symbols(formula: Any) -> Iterator[Any]:
    """The free symbols of a Z3 term."""
    seen: set[int] = set()
    stack = [formula]
    while stack:
        term = stack.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield term
        stack.extend(term.children())


def _number(value: Any) -> Any:
    if value is None:
        return 0
    if z3.is_int_value(value) or z3.is_bv_value(value):
        return value.as_long()
    if z3.is_true(value) or z3.is_false(value):
        return int(z3.is_true(value))
    return str(value)


def _note(a: Expr, b: Expr, how: str) -> str:
    encode = ValueEncoder()
    return f"; decided {how}\n{_smt2([z3.Not(encode(a) == encode(b))])}"


def _smt2(formulas: Sequence[Any]) -> str:
    """The question as it was put. A solver that was asked has simplified its own copy; and of its
    two printers this is the one whose text depends on the formulas alone, with names in quotes."""
    solver = z3.Solver()
    solver.add(*formulas)
    return f"(set-logic ALL)\n{solver.sexpr()}(check-sat)\n"
