"""One pair, from two functions in files to a verdict.

A few inputs at random and small sizes come first: what differs mostly differs there, and the
smallest such input says more than a failed proof. Then the proof; and where there is none, a longer
search. *Equal* is said of what is proved alone, *not equal* where both functions, run on one input
on which both are defined, leave something else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from compiler.ir import Call, Expr, substitute

from ..batch.meaning import digest, meaning, tool_digest
from ..emit import tabulate
from ..lift.lift_function import LiftOptions
from ..model.diagnostic import LiftError
from ..model.kernel import Kernel
from ..model.lifted import FunctionResult
from ..model.parameters import names_any, parameters
from ..model.proof import Counterexample, Precondition
from ..verify import Prover, telling_sizes, typed_formula
from .difference import FEW_RUNS, MANY_RUNS, Search, Twins
from .finding import Finding, Function
from .matched import NotTwins, matched
from .pair import NotThere, Pair, kernel_of
from .proof import Proved, Proving
from .results import RESULT, with_result_stored
from .saved import load, save
from .test_program import NoProgram, test_program

QUICK_SHARE, DEEP_SHARE = 0.1, 0.25
"""Of the time for a pair, for looking at small sizes before a proof is tried, and after."""
QUICK_SECONDS = 15.0
"""At most so much of it before."""


@dataclass(frozen=True, slots=True)
class TwinOptions:
    """`timeout` is in seconds for the pair; `within` is how far numbers may be apart; `saved` the
    folder of what earlier runs found, if any."""

    timeout: float
    within: float = 0
    saved: str | None = None


def check_pair(pair: Pair, options: TwinOptions, *, lift: bool = True) -> Finding:
    """The verdict on a pair; without `lift` no proof is tried, only differences are looked for."""
    places = [Function(s.function, s.file) for s in (pair.first, pair.second)]
    kernels: list[Kernel] = []
    for number, side in enumerate((pair.first, pair.second)):
        try:
            kernel = kernel_of(side, pair)
        except NotThere as reason:
            if reason.is_absent:
                return Finding(places[0], places[1], "unreadable", str(reason))
            return Finding(places[0], places[1], "undecided", f"{side.function}: {reason}")
        except LiftError as error:
            return Finding(places[0], places[1], "unreadable", error.diagnostic.message)
        places[number] = Function(side.function, side.file, kernel.span.line, kernel.span.end_line)
        kernels.append(kernel)
    try:
        first, second = matched(*kernels)
    except NotTwins as reason:
        return Finding(places[0], places[1], "unreadable", f"they take other parameters: {reason}")
    key = digest([meaning(first), meaning(second), tool_digest(), float(options.within)])
    known = load(options.saved, key, options.timeout) if lift else None
    if known is not None:
        # What is the same function may stand elsewhere by now.
        known = replace(known, first=places[0], second=places[1], cached=True)
        return _with_program(known, pair, kernels)
    check = _Check(first, second, options)
    found = check.finding(*places) if lift else check.searched(*places)
    if lift or found.verdict == "not-equal":
        save(options.saved, key, found, options.timeout)
    return _with_program(found, pair, kernels)


def _with_program(finding: Finding, pair: Pair, kernels: Sequence[Kernel]) -> Finding:
    if finding.counterexample is None:
        return finding
    try:
        text = test_program(finding, pair, *kernels)
    except NoProgram as reason:
        return replace(finding, notes=(*finding.notes, f"no test in C shows it: {reason}"))
    return replace(finding, program=text)


class _Check:
    """Two kernels whose parameters have the same names."""

    def __init__(self, first: Kernel, second: Kernel, options: TwinOptions) -> None:
        self.options = options
        self.first, self.second = (with_result_stored(k) for k in (first, second))
        self.inlined = (_inlined(self.first), _inlined(self.second))

    def finding(self, first: Function, second: Function) -> Finding:
        proving = Proving(
            self.first, self.second, LiftOptions(timeout=self.options.timeout), self.options.within
        )
        one = proving.lift_first()
        conditions = self._conditions(one)
        search = Search(self._twins(one), conditions, self.inlined)
        seconds = self.options.timeout
        quick = min(QUICK_SHARE * seconds, QUICK_SECONDS)
        different = search.at_small_sizes(quick) or search.at_random(FEW_RUNS)
        proved = None
        if different is None:
            proved = proving.proved(one)
        if different is None and proved is None:
            sizes = self._telling(proving)
            different = search.at_random(MANY_RUNS, sizes)
            different = different or search.at_small_sizes(DEEP_SHARE * seconds)
        if different is not None:
            return self._differ(Finding(first, second, "not-equal"), different, one)
        outside = self._outside(one, conditions)
        if proved is None and outside is not None:
            finding = self._differ(Finding(first, second, "not-equal"), outside)
            return replace(finding, notes=(f"{first.name} is lifted for other inputs alone",))
        if proved is not None:
            return Finding(
                first, second, "equal",
                preconditions=_texts(proved.preconditions),
                notes=(*self._of_one_alone(proved, first, second), *_elsewhere(outside)),
                obligations=len(proved.obligations),
                within=self.options.within,
            )  # fmt: skip
        return self._undecided(Finding(first, second, "undecided"), proving.reasons, search)

    def _outside(self, one: FunctionResult, conditions: Sequence[Expr]) -> Counterexample | None:
        """A difference where what a summary takes for granted may not hold."""
        if not conditions:
            return None
        search = Search(self._twins(one), (), self.inlined)
        seconds = min(QUICK_SHARE * self.options.timeout, QUICK_SECONDS)
        return search.at_small_sizes(seconds) or search.at_random(FEW_RUNS)

    def searched(self, first: Function, second: Function) -> Finding:
        """What is known where lifting takes too long."""
        search = Search(Twins(self.first, self.second, self.options.within), (), self.inlined)
        found = search.at_small_sizes(DEEP_SHARE * self.options.timeout)
        found = found or search.at_random(FEW_RUNS)
        if found is not None:
            return self._differ(Finding(first, second, "not-equal"), found)
        return self._undecided(Finding(first, second, "undecided"), (), search)

    def _twins(self, one: FunctionResult) -> Twins:
        summaries = one.summaries if one.status == "proved" else ()
        return Twins(self.first, self.second, self.options.within, summaries)

    def _conditions(self, one: FunctionResult) -> list[Expr]:
        """What the first's summary takes for granted, beside what is stated."""
        known = parameters(self.first)
        proof = one.proof
        return [
            typed_formula(p.formula, known)
            for p in (() if proof is None else proof.preconditions)
            if p.formula is not None and p.origin == "inferred"
            if not names_any(p.formula, known.row_strides)
        ]

    @staticmethod
    def _telling(proving: Proving) -> tuple[int, ...]:
        exprs: list[Expr] = []
        for result in proving.lifted:
            for stage in result.graph.order if result.graph is not None else ():
                exprs += [e for w in stage.writes for e in (w.value, w.condition, *w.indices)]
        return telling_sizes(exprs, proving.failed)

    def _differ(
        self, finding: Finding, found: Counterexample, one: FunctionResult | None = None
    ) -> Finding:
        summaries = one.summaries if one is not None and one.status == "proved" else ()
        proof = None if one is None else one.proof
        shown = _texts(proof.preconditions if proof is not None else ())
        table = tabulate(found, self.first, summaries)
        what = (
            "what they return" if found.output == RESULT else f"what they leave in {found.output}"
        )
        more = f" by more than {self.options.within:g}" if self.options.within else ""
        return replace(
            finding, message=f"{what} differs{more}", counterexample=table.to_json(),
            input=_input(found), preconditions=shown, within=self.options.within,
        )  # fmt: skip

    def _of_one_alone(self, proved: Proved, first: Function, second: Function) -> tuple[str, ...]:
        """What one of the two asks for and the other doesn't."""
        notes = []
        for function, own in ((first, proved.of_first), (second, proved.of_second)):
            texts = _texts(own)
            if texts:
                notes.append(f"{function.name} alone needs {' and '.join(f'`{t}`' for t in texts)}")
        return tuple(notes)

    def _undecided(self, finding: Finding, reasons: Sequence[str], search: Search) -> Finding:
        notes = list(dict.fromkeys(reasons))
        if search.unfollowed:
            notes.append(f"at small sizes: {search.unfollowed}")
        elif search.followed:
            notes.append(f"no difference is known at {search.followed} small sizes")
        message = "no input is known on which they differ, but there is no proof either"
        return replace(finding, message=message, notes=tuple(notes), within=self.options.within)


def _inlined(kernel: Kernel) -> Callable[[Expr], Expr]:
    def body(call: Call) -> Expr:
        function = kernel.functions[call.name]
        return substitute(function.body, dict(zip(function.params, call.args, strict=True)))

    return Prover(parameters(kernel), body).inlined


def _elsewhere(found: Counterexample | None) -> tuple[str, ...]:
    """What is said of an input outside of the preconditions on which equal functions differ."""
    if found is None:
        return ()
    scalars = ", ".join(f"{n} = {_plain(v)}" for n, v in found.scalars.items())
    what = "return" if found.output == RESULT else f"leave in {found.output}"
    return (f"elsewhere they differ in what they {what}: with {scalars}",)


def _input(found: Counterexample) -> dict[str, Any]:
    """The whole input, in strict JSON."""
    arrays: dict[str, list[list[Any]]] = {}
    used: dict[str, list[int]] = {}
    for name, cells in found.arrays.items():
        plain = {place[-1]: _plain(value) for place, value in cells.items()}
        arrays[name] = [[p, v] for p, v in sorted(plain.items()) if v != 0 or str(v) == "-0.0"]
        used[name] = [min(plain), max(plain)] if plain else []
    written = [place[-1] for place in found.after if place]
    if written:
        ends = [*used.get(found.output, []), *written]
        used[found.output] = [min(ends), max(ends)]
    return {
        "scalars": {n: _plain(v) for n, v in found.scalars.items()}, "arrays": arrays, "used": used,
    }  # fmt: skip


def _plain(value: Any) -> int | float | str:
    number: int | float = value.item() if hasattr(value, "item") else value
    if isinstance(number, float) and not math.isfinite(number):
        return repr(number)
    return int(number) if isinstance(number, bool) else number


def _texts(preconditions: Sequence[Precondition]) -> tuple[str, ...]:
    """As they are shown; that the result lies apart from all else goes without saying."""
    return tuple(dict.fromkeys(p.text for p in preconditions if RESULT not in p.arrays))
