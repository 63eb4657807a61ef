"""What the stages of one kernel share while they are lifted, and what one of them becomes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from compiler.ir import LE, TRUE, And, Call, Expr, Type, Variable, const, postorder

from ..model.diagnostic import Diagnostic, LiftError
from ..model.proof import Obligation, Precondition
from ..model.stage import Stage
from ..model.summary import Layout, Summary, SummaryKind
from ..synth import SEARCH_BUDGET, Grammar, SymbolRanges
from ..verify import Assumptions, Produced, known_ranges


@dataclass
class Stopwatch:
    """Seconds by step, for `FunctionResult.seconds`."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began


@dataclass(frozen=True)
class LiftedStage:
    stage: Stage
    summary: Summary
    obligations: tuple[Obligation, ...]


class StageFailure(LiftError):
    """No summary of a stage could be proved; has the best candidate and what killed it."""

    def __init__(
        self,
        diagnostic: Diagnostic,
        candidate: Summary | None = None,
        obligation: Obligation | None = None,
        preconditions: Sequence[Precondition] = (),
    ) -> None:
        super().__init__(diagnostic)
        self.preconditions = tuple(preconditions)
        """Those that the attempt had come to assume: it is no counterexample where they fail."""
        self.candidate = candidate
        self.obligation = obligation


@dataclass
class StageContext:
    """What the stages of one kernel share."""

    grammar: Grammar
    assumptions: Assumptions
    watch: Stopwatch
    search_budget: int = SEARCH_BUDGET
    """How many expressions may be built for each stage to find a shorter one."""
    produced: dict[str, Produced] = field(default_factory=dict)
    """What the stages so far left in each array."""
    seen: dict[str, Layout] = field(default_factory=dict)
    """How they see each array that they read: a program sees it in one way."""
    whole: frozenset[str] = frozenset()
    """Arrays of the kernel's own of which pure stages make all, also what they leave as it is."""
    warnings: list[Diagnostic] = field(default_factory=list)
    _intervals: dict[str, tuple[int, int]] = field(default_factory=dict)
    _read: list[Expr] = field(default_factory=list)

    def fork(self) -> StageContext:
        """The same, to try what may fail."""
        return replace(self, assumptions=self.assumptions.fork(), seen=dict(self.seen))

    def within(self, stage: Stage, kind: SummaryKind) -> StageContext:
        """What is known in the iterations of a stage with a summary of this kind: what was known of
        the elements before doesn't hold of those that it updates again and again."""
        if kind in ("pure", "window"):
            return replace(self)
        updated = {stage.output, *(w.array for w in stage.together)}
        others = {n: p for n, p in self.produced.items() if n not in updated}
        return replace(self, produced=others)

    def adopt(self, fork: StageContext) -> None:
        """Goes on from where a fork of this has come to."""
        self.assumptions.adopt(fork.assumptions)
        self.produced, self.seen = fork.produced, fork.seen

    @property
    def parameters(self) -> dict[str, Type]:
        return self.assumptions.prover.parameters

    def facts(self, symbol: Expr) -> tuple[int, int]:
        """Least and greatest value of an integer symbol of an expression."""
        producer = self.produced.get(symbol.name) if isinstance(symbol, Call) else None
        if producer is not None and producer.interval is not None:
            return producer.interval
        if isinstance(symbol, Variable):
            stated = self._stated().get(symbol.name)
            if stated is not None:
                return max(stated[0], symbol.type.min), min(stated[1], symbol.type.max)
        return symbol.type.min, symbol.type.max

    def facts_at(self, bounds: Sequence[Expr]) -> Callable[[Expr], tuple[int, int]]:
        """`facts` where bounds of coordinates hold: `x < cols` says that cols is positive."""
        known = known_ranges([*self.assumptions.formulas, *bounds])
        there = {v.name: r for v, r in known.items() if isinstance(v, Variable)}

        def facts(symbol: Expr) -> tuple[int, int]:
            low, high = self.facts(symbol)
            if isinstance(symbol, Variable) and symbol.name in self.parameters:
                least, most = there.get(symbol.name, (low, high))
                return max(low, least), min(high, most)
            return low, high

        return facts

    def _stated(self) -> dict[str, tuple[int, int]]:
        """The intervals of parameters that the preconditions so far say."""
        formulas = self.assumptions.formulas
        if formulas != self._read:
            found = known_ranges(formulas)
            self._intervals = {v.name: r for v, r in found.items() if isinstance(v, Variable)}
            self._read = formulas
        return self._intervals

    def known_values(self, expression: Expr) -> list[Expr]:
        """What is proved of the elements of produced arrays that an expression reads, and what the
        preconditions say of its parameters."""
        found: list[Expr] = []
        for node in postorder(expression):
            if isinstance(node, Variable) and node.name in self._stated():
                low, high = (const(v, node.type) for v in self.facts(node))
                found += [LE(low, node), LE(node, high)]
            producer = self.produced.get(node.name) if isinstance(node, Call) else None
            if producer is not None and producer.interval is not None:
                low, high = (const(v, node.type) for v in producer.interval)
                found += [LE(low, node), LE(node, high)]
        return found

    def finish(self, nest: Iterable[tuple[LiftedStage, bool]]) -> None:
        """Makes the results of one nest's stages known to the stages that read them; the flag says
        that an array had no elements before.

        They happen at once: what one of them reads is what was there before any of them.
        """
        found = {
            s.stage.output: Produced(
                s.summary,
                is_fresh,
                value_interval(s.summary, self),
                self.produced.get(s.stage.output),
            )
            for s, is_fresh in nest
        }
        self.produced = {**self.produced, **found}


_TELLING = 1 << 32
"""An interval as wide as that bounds no element that 32 bits say, and a proof of it may be long."""


def value_interval(summary: Summary, context: StageContext) -> tuple[int, int] | None:
    """Proven bounds of a definition's values; None when nothing better than its type is known.

    Nothing is known of a reduction's elements: they are updated any number of times.
    """
    expression = summary.expression
    if not summary.is_pure or not expression.type.is_integer or expression.type.is_bool:
        return None
    low, high = SymbolRanges(context.facts)(expression)
    if (low, high) == (expression.type.min, expression.type.max) or high - low > _TELLING:
        return None
    given = context.known_values(expression)
    inside = And(
        LE(const(low, expression.type), expression), LE(expression, const(high, expression.type))
    )
    return (low, high) if context.assumptions.prover.equal(inside, TRUE, given).proved else None
