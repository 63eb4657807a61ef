"""Original against summaries on concrete inputs: a counterexample, or none found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from compiler.ir import Expr, Type, Variable, evaluate, postorder

from ..model.diagnostic import Diagnostic
from ..model.kernel import Kernel
from ..model.parameters import parameters, size_of
from ..model.proof import Counterexample
from ..model.summary import Summary
from .cases import Case, cases, large_cases, run_case, with_words
from .interpret import RunOutcome
from .memory import POISON, Index, Memory, typed
from .realize import Inline, TooManyTerms, beyond_limits, realize
from .shrink import is_image, shrunk

SEED = 2019
STEPS_OF_A_CASE = 100_000
MOST_ENDLESS = 2
"""Where numbers in memory say how often a loop runs, most inputs have loops that are of no use."""
_WARNED = {
    "out-of-bounds-read": ("out-of-bounds", "reads outside of the array"),
    "out-of-bounds-write": ("out-of-bounds", "writes outside of the array"),
    "uninitialised": ("uninitialised", "uses a value that was never set"),
}


@dataclass
class Screening:
    """What concrete runs showed."""

    tried: int = 0
    counterexample: Counterexample | None = None
    warnings: dict[tuple[str, object], Diagnostic] = field(default_factory=dict)


def screen(
    kernel: Kernel,
    summaries: Sequence[Summary],
    assumptions: Sequence[Expr],
    inline: Inline,
    count: int = 24,
    outputs: Sequence[str] | None = None,
    returned: Expr | None = None,
    words: bool = False,
    sizes: Sequence[int] = (),
    within: float = 0,
) -> Screening:
    """Runs the kernel and its summaries on `count` small inputs that satisfy the preconditions.

    Elements that the original leaves undefined aren't compared; where and why they are becomes a
    warning. `outputs` limits the comparison to these arrays (all that the summaries write
    otherwise). `returned` is what the summaries say that the kernel returns. With `words`, wide
    integers in arrays have numbers of all sizes; where there are no such arrays, nothing is tried.
    Images of `sizes` columns, and of as many rows, are tried after the small ones. Elements may be
    `within` so much of one another.
    """
    result = Screening()
    # How an object's numbers and the sizes of its containers belong together is its class's affair.
    owned = {p.name for p in kernel.params if p.kind == "vector" and "." in p.name}
    compared = tuple(outputs or dict.fromkeys(s.output for s in summaries))
    comparison = ClaimedKernel(kernel, summaries, inline, compared, returned, within)
    odd: tuple[Case, Counterexample] | None = None
    endless = 0
    small = cases(kernel, SEED, count, tuple(assumptions))
    large = large_cases(kernel, SEED, sizes, axes(summaries), tuple(assumptions))
    for drawn in chain(small, large):
        case = with_words(drawn) if words else drawn
        if case is None:
            break
        if endless > MOST_ENDLESS:
            break
        result.tried += 1
        try:
            case = comparison.fitted(case)
            outcome = run_case(kernel, case, STEPS_OF_A_CASE)
            found = comparison.difference(case, outcome)
        except TooManyTerms:
            endless += 1
            continue
        endless += outcome.stopped == "step limit"
        for event in outcome.undefined:
            if event.kind in _WARNED and event.array not in owned:
                code, text = _WARNED[event.kind]
                key = (code, event.span)
                result.warnings.setdefault(
                    key, Diagnostic(code, "warning", f"{text}: {event.detail}", event.span)
                )
        if found is None:
            continue
        if is_image(case, kernel, comparison):
            odd = case, found
            break
        odd = odd or (case, found)
    # An input whose rows overlap is one only where no other is known.
    if odd is not None:
        result.counterexample = shrunk(*odd, kernel, assumptions, comparison)
    return result


def axes(summaries: Sequence[Summary]) -> dict[str, int]:
    """The parameters that bound regions, with the first dimension that each of them bounds."""
    found: dict[str, int] = {}
    for summary in summaries:
        for dimension in (summary.roi, summary.domain):
            for number, bounds in enumerate(dimension):
                for node in postorder(bounds.lower, bounds.upper):
                    if isinstance(node, Variable):
                        found.setdefault(node.name, number)
    return found


@dataclass(frozen=True)
class ClaimedKernel:
    """A kernel and what is claimed of it; see `screen`."""

    kernel: Kernel
    summaries: Sequence[Summary]
    inline: Inline
    compared: tuple[str, ...]
    returned: Expr | None = None
    within: float = 0

    def fitted(self, case: Case) -> Case:
        """A case whose numbers in memory are as small as the summaries take them to be, if a few
        changes make it one."""
        if not any(s.limits for s in self.summaries):
            return case
        beyond = list(beyond_limits(self.summaries, case.scalars, case.memories(), self.inline))
        cells = {name: dict(changed) for name, changed in case.cells.items()}
        for name, index, value in beyond:
            if case.types[name].contains(value):
                cells.setdefault(name, {})[index] = value
        return replace(case, cells=cells)

    def inputs(self, case: Case) -> tuple[dict[str, int | float], dict[str, Memory]]:
        """All that summaries are over, as it is before the call."""
        memories = case.memories()
        for name, array in self.kernel.arrays.items():
            if name not in memories:
                values = None if array.values is None else dict(enumerate(array.values))
                memories[name] = _local(array.type, values)
        scalars = dict(case.scalars)
        known = parameters(self.kernel)
        sizes = {size_of(n).name: size for n, size in case.sizes.items()}
        scalars.update({n: size for n, size in sizes.items() if n in known.sizes})
        scalars.update(dict.fromkeys(known.row_strides, 0))
        return scalars, memories

    def is_beyond_limits(
        self, scalars: dict[str, int | float], memories: dict[str, Memory]
    ) -> bool:
        """Whether inputs have numbers in memory that the summaries don't take into account."""
        return any(beyond_limits(self.summaries, scalars, memories, self.inline))

    def difference(self, case: Case, outcome: RunOutcome) -> Counterexample | None:
        """Where the summaries differ from `outcome`, which the kernel gave for `case`. Raises
        `TooManyTerms`."""
        if outcome.stopped is not None or is_wild(outcome):
            return None
        scalars, memories = self.inputs(case)
        if self.is_beyond_limits(scalars, memories):
            return None
        realize(self.summaries, scalars, memories, self.inline)
        return difference_in_memory(
            self.kernel, case, outcome, memories, self.compared, self.within
        ) or _other_result(case, outcome, self.returned)


def _local(type: Type, values: dict[int, int | float] | None) -> Memory:
    memory = Memory(type)
    for index, value in (values or {}).items():
        memory.cells[(index,)] = value
    return memory


def is_wild(outcome: RunOutcome) -> bool:
    """The run wrote where no array is: nothing that it left behind means anything."""
    return any(e.kind in ("out-of-bounds-write", "allocation-size") for e in outcome.undefined)


def difference_in_memory(
    kernel: Kernel,
    case: Case,
    outcome: RunOutcome,
    memories: dict[str, Memory],
    compared: Sequence[str],
    within: float = 0,
) -> Counterexample | None:
    """The first of the arrays `compared` in which `memories` have something else than `outcome`
    left there, or something farther than `within` from it; what either leaves undefined isn't
    compared."""
    for name in compared:
        if kernel.arrays[name].origin == "local":
            continue
        theirs, ours = outcome.arrays[name], memories[name]
        wrong = [
            index
            for index in sorted(theirs.written | ours.written)
            if theirs.peek(index) not in (None, POISON)
            and ours.peek(index) is not POISON
            and not near_values(theirs.peek(index), ours.peek(index), within)
        ]
        if wrong:
            either = sorted(theirs.written | ours.written)
            return Counterexample(
                dict(case.scalars),
                read_before(case, outcome, memories),
                name,
                _contents(theirs, wrong),
                _contents(ours, wrong),
                _contents(theirs, either),
                _contents(ours, either),
            )
    return None


def read_before(
    case: Case, outcome: RunOutcome, memories: dict[str, Memory]
) -> dict[str, dict[Index, int | float]]:
    """What the original or the summaries, which ran on `memories`, read of the caller's arrays, as
    it was before the call."""
    before = case.memories()
    found = {}
    for name, memory in before.items():
        # A memory has the cells that somebody looked at, and those that were written.
        looked_at = memories[name].cells.keys() - memories[name].written
        found[name] = _contents(memory, sorted(outcome.arrays[name].read_set | looked_at))
    return found


def _other_result(case: Case, outcome: RunOutcome, returned: Expr | None) -> Counterexample | None:
    if returned is None or outcome.result in (None, POISON):
        return None
    values = {
        v.name: typed(v.type, case.scalars[v.name])
        for v in postorder(returned)
        if isinstance(v, Variable)
    }
    ours = evaluate(returned, values).item()
    if same_values(outcome.result, ours):
        return None
    return Counterexample(
        dict(case.scalars),
        read_before(case, outcome, case.memories()),
        "the result",
        {(): outcome.result},
        {(): ours},
    )


def _contents(memory: Memory, indices: Iterable[Index]) -> dict[Index, int | float]:
    """The elements at `indices` that have a value."""
    found = {i: memory.peek(i) for i in indices}
    return {i: v for i, v in found.items() if v is not None and v is not POISON}


def near_values(a: Any, b: Any, within: float) -> bool:
    """Whether two values are the same, or numbers at most so far apart."""
    if same_values(a, b):
        return True
    return bool(within and a is not None and b is not None and abs(a - b) <= within)


def same_values(a: object, b: object) -> bool:
    """Whether two values are the same to the bit, all NaN being one."""
    if isinstance(a, float) and isinstance(b, float):
        return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (a != a and b != b)
    if hasattr(a, "item") or hasattr(b, "item"):
        return same_values(getattr(a, "item", lambda: a)(), getattr(b, "item", lambda: b)())
    return a == b
