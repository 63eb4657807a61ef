"""A small input on which two kernels differ: both are run on it, so that it is certain.

Inputs are drawn at random, as for any counterexample, and found by following both kernels at small
sizes (`bounded`), smallest first, where a solver looks for contents on which an element parts.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from compiler.ir import (
    I64,
    TRUE,
    Const,
    Expr,
    Load,
    Variable,
    const,
    postorder,
    substitute,
)

from ..checking.contents_proof import near
from ..model.kernel import Assume, Kernel, Store, statements
from ..model.parameters import address_of, given_of, parameters, size_of
from ..model.proof import Counterexample
from ..model.summary import Summary
from ..verify.cases import Case, cases, large_cases, run_case, with_words
from ..verify.differing import differing_values
from ..verify.interpret import RunOutcome, run
from ..verify.memory import POISON, Index
from ..verify.screen import difference_in_memory, is_wild, near_values, read_before
from ..verify.shrink import is_image, shrunk
from .bounded import Left, Needed, NotBounded, Place, run_bounded

SEED = 18
STEPS = 100_000
FEW_RUNS, MANY_RUNS = 32, 160
LENGTHS = (*range(35), 47, 48, 49, 63, 64, 65, 66, -1, -2)
"""Of what says how often loops run."""
PLACES = (0, 15, 1, 8, 31)
"""Where memory begins, in elements from a large power of two on."""
APART = 67
"""The distance of rows: more than the longest of them."""
MOST_ROUNDS = 4
PART_SECONDS = 3.0
"""For one element, that a solver looks for contents."""


@dataclass(frozen=True)
class Twins:
    """Two kernels with parameters of the same names; `within` is how far numbers may be apart."""

    first: Kernel
    second: Kernel
    within: int | float = 0
    summaries: tuple[Summary, ...] = ()
    """Of the first, as far as they are known: how images lie in memory."""

    def difference(self, case: Case, outcome: RunOutcome) -> Counterexample | None:
        """Where the second differs from `outcome`, which the first gave for `case`, and both are
        defined."""
        if not _is_defined(outcome):
            return None
        other = run_case(self.second, case, STEPS)
        if not _is_defined(other):
            return None
        found = difference_in_memory(
            self.first, case, outcome, other.arrays, self.outputs, self.within
        )
        return found or self._other_result(case, outcome, other)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The caller's arrays that either of them writes."""
        bodies = (self.first.body, self.second.body)
        written = {s.array for b in bodies for s in statements(b) if isinstance(s, Store)}
        arrays = self.first.arrays.items()
        return tuple(n for n, a in arrays if n in written and a.origin == "param")

    def _other_result(
        self, case: Case, outcome: RunOutcome, other: RunOutcome
    ) -> Counterexample | None:
        a, b = outcome.result, other.result
        if a is None or b is None or POISON in (a, b) or near_values(a, b, self.within):
            return None
        read = read_before(case, outcome, other.arrays)
        return Counterexample(dict(case.scalars), read, "the result", {(): a}, {(): b})


def _is_defined(outcome: RunOutcome) -> bool:
    return outcome.stopped is None and not is_wild(outcome) and not outcome.undefined


@dataclass
class Search:
    """Looks for an input on which twins differ and that satisfies `conditions`."""

    twins: Twins
    conditions: Sequence[Expr]
    inlined: tuple[Callable[[Expr], Expr], Callable[[Expr], Expr]]
    unfollowed: str = ""
    """Why the kernels couldn't be followed at small sizes."""
    followed: int = 0
    """At how many sizes they were."""
    asked: set[tuple[Expr, ...]] = field(default_factory=set)
    """What a solver was asked already: an element of a longer row is mostly one of a shorter."""

    def at_random(self, runs: int, sizes: Sequence[int] = ()) -> Counterexample | None:
        """Some input, made smaller."""
        kernel, conditions = self.twins.first, tuple(self.conditions)
        odd: tuple[Case, Counterexample] | None = None
        drawn = itertools.chain(
            cases(kernel, SEED, runs, conditions),
            filter(None, map(with_words, cases(kernel, SEED, runs, conditions))),
            large_cases(kernel, SEED, sizes, {}, conditions),
        )
        for case in drawn:
            found = self._on(case)
            if found is None:
                continue
            if is_image(case, kernel, self.twins):
                return self._smallest(case, found)
            odd = odd or (case, found)
        return None if odd is None else self._smallest(*odd)

    def _smallest(self, case: Case, found: Counterexample) -> Counterexample:
        """A difference made small, again and again: what holds up one number may be another one
        that gets smaller after it."""
        for _ in range(MOST_ROUNDS):
            smaller = shrunk(case, found, self.twins.first, tuple(self.conditions), self.twins)
            if smaller == found:
                break
            found = smaller
            again = self._case_of(found)
            if self._on(again) is None:
                break
            case = again
        return found

    def _case_of(self, found: Counterexample) -> Case:
        """The input of a difference; all that wasn't read is zero."""
        values: dict[Expr, int | float] = {}
        for array, cells in found.arrays.items():
            type = self.twins.first.arrays[array].type
            for place, value in cells.items():
                values[Load(array, tuple(const(p, I64) for p in place), type)] = value
        return self._case(values, found.scalars)

    def _on(self, case: Case) -> Counterexample | None:
        return self.twins.difference(case, run_case(self.twins.first, case, STEPS))

    def at_small_sizes(self, seconds: float) -> Counterexample | None:
        """An input of the smallest size that has one, as far as the time goes."""
        until = time.process_time() + seconds
        try:
            for numbers in self._numbers():
                if time.process_time() > until:
                    break
                found = self._at(numbers, until)
                if found is not None:
                    return found
        except NotBounded as reason:
            self.unfollowed = str(reason)
        return None

    def _numbers(self) -> Iterator[dict[str, int]]:
        """Numbers for what has to be numbers, small ones first."""
        lengths, places = self._needed()
        known = parameters(self.twins.first)
        names = [*lengths, *places]
        choices = [LENGTHS] * len(lengths)
        choices += [PLACES if n in known.addresses else (APART,) for n in places]

        def effort(chosen: tuple[int, ...]) -> tuple[int, ...]:
            sizes = chosen[: len(lengths)]
            return sum(map(abs, sizes)), sum(s < 0 for s in sizes), *chosen

        for chosen in sorted(itertools.product(*choices), key=effort):
            numbers = dict(zip(names, chosen, strict=True))
            if all(_fits(known[n], v) for n, v in numbers.items()):
                yield numbers

    def _needed(self) -> tuple[list[str], list[str]]:
        """The parameters that have to be numbers for either of the kernels: for how often loops
        run, and for where in memory something is."""
        lengths: dict[str, None] = {}
        places: dict[str, None] = {}
        given = self._given()
        for kernel, inlined in zip(self._kernels, self.inlined, strict=True):
            for length in (LENGTHS[0], 17):
                self._note_needed(kernel, inlined, given, length, lengths, places)
        return list(lengths), [p for p in places if p not in lengths]

    def _note_needed(
        self,
        kernel: Kernel,
        inlined: Callable[[Expr], Expr],
        given: Mapping[str, int],
        length: int,
        lengths: dict[str, None],
        places: dict[str, None],
    ) -> None:
        known = parameters(self.twins.first)
        for _ in range(len(known) + 1):
            numbers = {**dict.fromkeys(lengths, length), **dict.fromkeys(places, APART), **given}
            try:
                run_bounded(kernel, numbers, inlined)
                return
            except Needed as needed:
                unknown = needed.names - known.keys()
                if unknown:
                    raise NotBounded(f"{sorted(unknown)[0]} has no value") from needed
                is_place = needed.is_place or needed.names <= known.addresses
                (places if is_place else lengths).update(dict.fromkeys(sorted(needed.names)))

    @property
    def _kernels(self) -> tuple[Kernel, Kernel]:
        return self.twins.first, self.twins.second

    def _given(self) -> dict[str, int]:
        return {given_of(p.name).name: 1 for p in self.twins.first.params if p.may_be_null}

    def _at(self, numbers: dict[str, int], until: float) -> Counterexample | None:
        numbers = {**numbers, **self._given()}
        one, two = (
            run_bounded(kernel, numbers, inlined)
            for kernel, inlined in zip(self._kernels, self.inlined, strict=True)
        )
        self.followed += 1
        known = parameters(self.twins.first)
        values: dict[Expr, Expr] = {
            Variable(n, known[n]): Const(known[n], v) for n, v in numbers.items() if n in known
        }
        stated = [c.condition for k in self._kernels for c in k.preconditions]
        given = [substitute(c, values) for c in (*self.conditions, *stated)]
        given = [c for c in (*given, *one.assumed, *two.assumed) if not _is_true(c)]
        if any(_reads_memory(c) for c in given):
            given = [c for c in given if not _reads_memory(c)]
        for a, b in self._elements(one, two):
            question = (*_renamed(a, b), *given)
            if a is b or question in self.asked or time.process_time() > until:
                continue
            self.asked.add(question)
            found = self._parted(a, b, given, numbers)
            if found is not None:
                return found
        return None

    def _elements(self, one: Left, two: Left) -> Iterator[tuple[Expr, Expr]]:
        """What both leave in each element that either of them writes."""
        for name in self.twins.outputs:
            type = self.twins.first.arrays[name].type
            cells = [side.arrays.get(name, {}) for side in (one, two)]
            for place in sorted(cells[0].keys() | cells[1].keys()):
                before = Load(name, tuple(const(p, I64) for p in place), type)
                yield cells[0].get(place, before), cells[1].get(place, before)
        if one.result is not None and two.result is not None:
            yield one.result, two.result

    def _parted(
        self, a: Expr, b: Expr, given: Sequence[Expr], numbers: Mapping[str, int]
    ) -> Counterexample | None:
        if self.twins.within:
            a, b = near(a, b, self.twins.within), TRUE
        found = differing_values(a, b, given, PART_SECONDS)
        if found is None:
            return None
        case = self._case(found, numbers)
        if not self._is_admitted(case):
            return None
        example = self._on(case)
        if example is None:
            return None
        return self._smallest(case, example)

    def _case(self, found: Mapping[Expr, int | float], numbers: Mapping[str, int | float]) -> Case:
        """The input of these values; all else is zero."""
        scalars: dict[str, int | float] = {}
        cells: dict[str, dict[Index, int | float]] = {}
        types, sizes = {}, {}
        for leaf, value in found.items():
            if isinstance(leaf, Variable):
                scalars[leaf.name] = value
            elif isinstance(leaf, Load):
                place: Place = tuple(int(i.value) for i in leaf.indices if isinstance(i, Const))
                cells.setdefault(leaf.array, {})[place] = value
        scalars |= numbers
        for param in self.twins.first.params:
            if param.kind == "scalar":
                zero: int | float = 0.0 if param.type.is_float else 0
                scalars.setdefault(param.name, zero)
                continue
            types[param.name] = param.type
            if param.kind == "reference":
                sizes[param.name] = 1
            elif param.kind == "vector":
                sizes[param.name] = int(scalars.setdefault(size_of(param.name).name, 0))
            if param.has_address:
                scalars.setdefault(address_of(param.name).name, 0)
            if param.may_be_null:
                scalars.setdefault(given_of(param.name).name, 1)
        return Case(SEED, 0, scalars, dict.fromkeys(types, "zero"), types, sizes, cells)

    def _is_admitted(self, case: Case) -> bool:
        span = self.twins.first.span
        conditions = [
            *(p for k in self._kernels for p in k.preconditions),
            *(Assume(span, c, "") for c in self.conditions),
        ]
        for kernel in self._kernels:
            tested = run(
                tuple(conditions), case.scalars, case.memories(), kernel.arrays, kernel.functions
            )
            if tested.stopped is not None:
                return False
        return True


def _fits(type: object, value: int) -> bool:
    return bool(type.contains(value))  # type: ignore[attr-defined]


def _is_true(condition: Expr) -> bool:
    return isinstance(condition, Const) and bool(condition.value)


def _reads_memory(condition: Expr) -> bool:
    return any(isinstance(n, Load) for n in postorder(condition))


def _renamed(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """Two expressions with the elements that they read numbered as they come: what is the same in
    two elements of an image is asked once."""
    names: dict[Expr, Expr] = {}
    for node in (*postorder(a), *postorder(b)):
        if isinstance(node, Load) and node not in names:
            names[node] = Variable(f"element.{len(names)}", node.type)
    return substitute(a, names), substitute(b, names)
