"""What becomes of a mutant: does it differ from the original, does the verifier accept it.

The two answers are found independently. *Differs* runs things: the interpreted original against
the realized mutant on whole images, and, for a change of a formula alone, the formula against the
proved one on many values a point. *Accepted* asks the verifier, once with exactly the preconditions
of the accepted proof and once with its own inference.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from compiler.ir import Call, Const, Expr, Type, Variable, dtype_of, evaluate, postorder
from lifter.dag import Reduce, concrete
from lifter.lift.lift_function import _sizes
from lifter.model.summary import Summary
from lifter.verify import PureProof
from lifter.verify.assumptions import Assumptions, stated, typed_formula
from lifter.verify.cases import Case, cases, run_case
from lifter.verify.decide import Decision, Prover
from lifter.verify.interpret import RunOutcome
from lifter.verify.memory import POISON, Memory
from lifter.verify.realize import _Stage, realize
from lifter.verify.reduction import ReductionProof
from lifter.verify.screen import _local, is_wild, same_values
from tests.end_to_end.lifted_corpus import Lifted, Step
from tests.verify.mutants import Mutant

SEED = 77
LANES = 4096
MANY = 120
ALL_PAIRS = 1 << 16
"""Every state of the first two bytes that a formula reads."""


class Fixed(Assumptions):
    """Preconditions that no obligation can add to."""

    def decide(self, goal: Expr, given: Any, remedies: Any = ()) -> Decision:
        return super().decide(goal, given, ())


@dataclass
class Run:
    """One input, what the original leaves on it, and the memory to start from."""

    case: Case
    outcome: RunOutcome
    scalars: dict[str, int | float]
    before: dict[str, Memory]


@dataclass
class Trials:
    """Judges the mutants of one kernel's stages. `seconds` limits one query of the solver."""

    subject: Lifted
    seconds: float
    count: int = 16
    runs: list[Run] = field(default_factory=list)
    fresh: dict[int, Assumptions] = field(default_factory=dict)
    gaps: dict[int, bool] = field(default_factory=dict)
    inferred: tuple[Expr, ...] = ()
    """What the last mutant was accepted under, beyond the preconditions of the proof."""

    def __post_init__(self) -> None:
        kernel = self.subject.kernel
        for case in cases(kernel, SEED, self.count, tuple(self.subject.formulas())):
            outcome = run_case(kernel, case)
            if outcome.stopped is None and not is_wild(outcome):
                self.runs.append(self._run(case, outcome))
        self.runs.sort(key=_usefulness, reverse=True)

    def _run(self, case: Case, outcome: RunOutcome) -> Run:
        before = case.memories()
        for name, memory in before.items():
            for index in outcome.arrays[name].touched():
                memory.peek(index)
        scalars = dict(case.scalars)
        scalars.update({f"{n}.size": size for n, size in case.sizes.items()})
        for param in self.subject.kernel.params:
            if param.kind == "rows":
                scalars[f"{param.name}.row_stride"] = 0
        return Run(case, outcome, scalars, before)

    # Does it differ?

    def differs(self, number: int, mutant: Mutant, under: Sequence[Expr] = ()) -> str | None:
        """An input on which the kernel with this mutant for its stage `number` is wrong.

        Only inputs on which all conditions of `under` hold count.
        """
        steps = self.subject.steps
        summaries = [mutant.summary if i == number else s.summary for i, s in enumerate(steps)]
        for run in self.runs:
            if not _hold(under, run.scalars):
                continue
            wrong = self._wrong(summaries, run)
            if wrong is not None:
                return f"{run.case}: {wrong}"
        if mutant.whole or not self._stands_alone(steps[number]):
            return None
        return self._formulas_differ(steps[number].summary, mutant.summary, under)

    def _wrong(self, summaries: list[Summary], run: Run) -> str | None:
        memories = {name: memory.copy() for name, memory in run.before.items()}
        for name, array in self.subject.kernel.arrays.items():
            if name not in memories:
                values = None if array.values is None else dict(enumerate(array.values))
                memories[name] = _local(array.type, values)
        realize(summaries, run.scalars, memories, self.subject.proved_assumptions.prover.inlined)
        for name in dict.fromkeys(s.output for s in summaries):
            if self.subject.kernel.arrays[name].origin == "local":
                continue
            theirs, ours = run.outcome.arrays[name], memories[name]
            for index in theirs.written | ours.written:
                expected = theirs.peek(index)
                if expected is not POISON and not same_values(expected, ours.peek(index)):
                    return f"{name}{index} is {expected!r}, not {ours.peek(index)!r}"
        return None

    def _stands_alone(self, step: Step) -> bool:
        """Everything that the formula reads may have any value."""
        arrays = self.subject.kernel.arrays
        reads = [n for n in step.summary.layouts if n != step.summary.output]
        own = arrays[step.summary.output].origin != "local"
        return own and step.summary.kind == "pure" and not any(
            arrays[n].origin == "local" or n in step.produced for n in reads
        )  # fmt: skip

    def _formulas_differ(
        self, proved: Summary, mutant: Summary, under: Sequence[Expr]
    ) -> str | None:
        """Whether two formulas differ at some points, whatever the arrays contain."""
        lanes = ALL_PAIRS
        for scalars in self._numbers(proved.expression):
            if not _hold(under, scalars):
                continue
            a, b = (
                _Stage(s, scalars, {}, self.subject.proved_assumptions.prover.inlined).expression
                for s in (proved, mutant)
            )
            for point in self._points(proved, scalars):
                values = _Values(lanes)
                env = {**scalars, **point}
                x, y = (np.broadcast_to(evaluate(e, env, values), (lanes,)) for e in (a, b))
                unequal = _unequal(x, y)
                if unequal.any():
                    lane = int(np.argmax(unequal))
                    return f"{scalars}, at {point}: {x[lane]!r}, not {y[lane]!r}"
                lanes = LANES
        return None

    def _numbers(self, expression: Expr) -> Iterator[dict[str, int | float]]:
        """Scalars of the runs, and those with each parameter of the formula at telling values."""
        constants = {int(n.value) for n in postorder(expression) if isinstance(n, Const)}
        telling = sorted({v + d for v in (*constants, 0, 255) for d in (-1, 0, 1)})[:24]
        # Reductions are written out, so their extents stay small here.
        has_loops = any(isinstance(n, Reduce) for n in postorder(expression))
        own = {n.name: n.type for n in postorder(expression) if isinstance(n, Variable)}
        for number, run in enumerate(r for r in self.runs if any(r.outcome.arrays)):
            yield run.scalars
            for name in own:
                if number == 0 and name in run.scalars and own[name].is_integer and not has_loops:
                    for value in telling:
                        changed = {**run.scalars, name: value}
                        if own[name].contains(value) and self._admitted(changed):
                            yield changed
            if number == 3:
                return

    def _admitted(self, scalars: dict[str, int | float]) -> bool:
        conditions = (*(a.condition for a in self.subject.kernel.preconditions),)
        return all(bool(evaluate(c, scalars)) for c in (*conditions, *self.subject.formulas()))

    def _points(
        self, summary: Summary, scalars: dict[str, int | float]
    ) -> Iterator[dict[str, Any]]:
        """Some points of the region: its corners and its middle."""
        integers = {n: int(v) for n, v in scalars.items() if not isinstance(v, float)}
        lows = [concrete(d.lower)(integers) for d in summary.roi]
        highs = [concrete(d.upper)(integers) - 1 for d in summary.roi]
        if any(low > high for low, high in zip(lows, highs, strict=True)):
            return
        middle = [(low + high) // 2 for low, high in zip(lows, highs, strict=True)]
        places = [tuple(middle), tuple(lows), tuple(highs)]
        if len(summary.roi) == 3:
            places += [(channel, *middle[1:]) for channel in range(lows[0], highs[0] + 1)]
        for place in dict.fromkeys(places):
            yield {d.variable.name: np.int32(v) for d, v in zip(summary.roi, place, strict=True)}

    # Does the verifier accept it?

    def accepted(self, number: int, mutant: Mutant) -> str | None:
        """How the verifier accepts the mutant as stage `number`; None when it doesn't."""
        own = self.subject.proved_assumptions
        self.inferred = ()
        prover = Prover(own.prover.parameters, own.prover.inline, self.seconds)
        fixed = Fixed(own.kernel, prover, list(own.preconditions))
        if self._proves(number, mutant, fixed):
            return "with the preconditions of the proof"
        inferring = self._inferring(number, mutant, prover)
        if inferring is not None and self._proves(number, mutant, inferring):
            names = prover.parameters
            self.inferred = tuple(
                typed_formula(p.formula, names)
                for p in inferring.preconditions
                if p.formula is not None and p.origin == "inferred"
            )
            return "with " + " and ".join(p.text for p in inferring.preconditions)
        return None

    def _proves(self, number: int, mutant: Mutant, assumptions: Assumptions) -> bool:
        step = self.subject.steps[number]
        if mutant.summary.kind == "reduction":
            return ReductionProof(step.stage, mutant.summary, assumptions, step.produced).run()
        proof = PureProof(step.stage, mutant.summary, assumptions, step.produced)
        if mutant.whole:
            return proof.run()
        # The obligations of the region don't look at the expression: they are those of the proof,
        # and what they find out, that some points of the region aren't written, is so here too.
        proof.has_gaps = self._has_gaps(number)
        return proof.frame() and proof.values()

    def _has_gaps(self, number: int) -> bool:
        if number not in self.gaps:
            step, own = self.subject.steps[number], self.subject.proved_assumptions
            fixed = Fixed(own.kernel, own.prover, list(own.preconditions))
            proved = PureProof(step.stage, step.summary, fixed, step.produced)
            self.gaps[number] = not proved.region() or proved.has_gaps
        return self.gaps[number]

    def _inferring(self, number: int, mutant: Mutant, prover: Prover) -> Assumptions | None:
        """The assumptions when lifting begins; after the region where that is unchanged."""
        graph = self.subject.result.graph
        assert graph is not None
        if mutant.whole:
            return stated(self.subject.kernel, prover, _sizes(graph, prover.parameters))
        known = self.fresh.get(number)
        if known is None:
            step = self.subject.steps[number]
            known = stated(self.subject.kernel, prover, _sizes(graph, prover.parameters))
            if (
                step.summary.kind == "pure"
                and not PureProof(step.stage, step.summary, known, step.produced).region()
            ):
                return None
            self.fresh[number] = known
        return Assumptions(known.kernel, prover, list(known.preconditions))


def _usefulness(run: Run) -> int:
    """Tells most apart for its time: many elements first, but the very many last."""
    written = sum(len(m.written) for m in run.outcome.arrays.values())
    return written if written <= MANY else -written


def _hold(conditions: Sequence[Expr], scalars: dict[str, int | float]) -> bool:
    return all(bool(evaluate(c, dict(scalars))) for c in conditions)


def _unequal(x: Any, y: Any) -> Any:
    if x.dtype.kind != "f":
        return x != y
    bits = f"u{x.dtype.itemsize}"
    differ = np.ascontiguousarray(x).view(bits) != np.ascontiguousarray(y).view(bits)
    return differ & ~(np.isnan(x) & np.isnan(y))


class _Values:
    """Reads of arrays on many lanes: the same element of the same array is the same value.

    The first two bytes at fixed places run through all their pairs of values, given enough lanes.
    """

    def __init__(self, lanes: int) -> None:
        self.lane = np.arange(lanes, dtype=np.uint64)
        self.counted: dict[tuple[str, tuple[int, ...]], int] = {}

    def __call__(self, node: Expr, args: tuple[Any, ...]) -> Any:
        assert isinstance(node, Call)
        fixed = all(np.ndim(a) == 0 or np.all(a == np.ravel(a)[0]) for a in args)
        if fixed and self.lane.size == ALL_PAIRS and node.type.bits == 8:
            key = (node.name, tuple(int(np.ravel(a)[0]) for a in args))
            rank = self.counted.setdefault(key, len(self.counted))
            if rank < 2:
                shift = np.uint64(8 * rank)
                return ((self.lane >> shift) & np.uint64(255)).astype(dtype_of(node.type))
        return self._mixed(node.name, node.type, args)

    def _mixed(self, name: str, type: Type, args: tuple[Any, ...]) -> Any:
        mixed = (self.lane + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= np.uint64(zlib.crc32(name.encode()))
        for arg in args:
            mixed = mixed + np.broadcast_to(arg, mixed.shape).astype(np.int64).astype(np.uint64)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
        few, pick = mixed % np.uint64(3) == 0, (mixed >> np.uint64(8)) % np.uint64(64)
        spread: np.ndarray[Any, Any]
        if type.is_float:
            extremes = np.array([0.0, -0.0, 1.0, 0.5, -1.0, 2.0, 255.0, 1e30, np.inf, np.nan])
            spread = (mixed >> np.uint64(20)).astype(np.float64) / 2.0**43 - 0.5
        else:
            low, high = max(type.min, -(1 << 16)), min(type.max, 1 << 16)
            extremes = np.array([low, high, high // 2, high // 2 + 1, 1, high - 1])
            spread = low + ((mixed >> np.uint64(16)) % np.uint64(high - low + 1)).astype(np.int64)
        chosen = np.where(few, extremes[pick % np.uint64(len(extremes))], spread)
        return chosen.astype(dtype_of(type))
