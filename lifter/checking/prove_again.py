"""Proves what is committed of one function of the source as it is now, or finds why it isn't so.

The steps, for the claim "where the committed preconditions hold, the source and the summary leave
the same": small concrete inputs, which refute quickly what is wrong; the proof of the committed
summaries of the source's stages; where the loops are too different for that, a proof from scratch.
Then the committed files must be what emission makes of that proof (`agreement`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from compiler.lang.errors import HalideError

from ..emit import LiftedData, Program, Unreadable, lifted_from_json, pipeline_text, tabulate
from ..lift.lift_function import Lifting, LiftOptions
from ..model.diagnostic import LiftError
from ..model.kernel import Kernel, PureFunction, Store, statements
from ..model.lifted import FunctionResult
from ..model.parameters import parameters
from ..model.proof import Obligation, Precondition
from ..model.summary import Summary
from ..verify import screen, telling_sizes
from .agreement import (
    OtherVersion,
    difference_in_generator,
    difference_in_pipeline,
    difference_in_stages,
    difference_in_summary,
    says,
    told,
)
from .buffers import with_buffers_of
from .committed import Committed
from .composed import Composed
from .finding import VerdictName
from .from_pipeline import NotSummaries, edited_summaries
from .given_preconditions import GivenPreconditions
from .renaming import in_names_of
from .reproving import Reproving, given_summaries
from .sizes import sizes_of
from .well_formed import IllFormed

FEW_RUNS, MANY_RUNS = 24, 120
"""Concrete inputs on which a source is compared with its summary: before a proof is tried, which
refutes quickly most of what is wrong, and where there is none."""


_UNDEFINED = ("out-of-bounds", "uninitialised")
"""The codes of warnings that a concrete input showed the source to be undefined."""


@dataclass(frozen=True)
class ProvedAgain:
    """What became of a committed summary; `obligations` are those of its proof, if there is one."""

    verdict: VerdictName
    message: str = ""
    notes: tuple[str, ...] = ()
    counterexample: dict[str, Any] | None = None
    obligations: tuple[Obligation, ...] = ()
    claims_more: bool = False
    """Whether what is committed says more of this source than can be proved of it: under fewer
    preconditions, or with names that it hasn't. Of a source that hasn't changed, that is wrong."""


class _Rejected(Exception):
    """The committed files aren't what is proved."""

    def __init__(self, message: str, verdict: VerdictName = "not-equal") -> None:
        super().__init__(message)
        self.message = message
        self.verdict: VerdictName = verdict


class _OfAnother(IllFormed):
    """The summaries are over arrays or scalars that the source hasn't, or not so."""


class _OtherPipeline(_Rejected):
    """All but `pipeline.py` is what is proved, and that can be read."""


def prove_again(kernel: Kernel, committed: Committed, timeout: float) -> ProvedAgain:
    """The verdict on `committed` for this kernel, which has its name and its qualified name."""
    if "lifted" not in committed.data:
        return ProvedAgain("undecided", "it was written by an older lift: lift it again")
    here = in_names_of(kernel, committed.data.get("entry"))
    found = _verdict(here, committed, timeout)
    if here is not kernel:
        found = replace(found, notes=("its parameters have other names by now", *found.notes))
    was, now = committed.data["signature"], kernel.signature
    if was != now and found.verdict != "equal" and found.counterexample is None:
        notes = (found.message, *found.notes)
        return replace(found, message=f"its parameters were `{was}` and are `{now}`", notes=notes)
    return found


def _verdict(kernel: Kernel, committed: Committed, timeout: float) -> ProvedAgain:
    try:
        data = lifted_from_json(committed.data["lifted"])
        return _Claim(kernel, committed, data, timeout).verdict()
    except _OfAnother as error:
        message = f"its summary isn't about this function as it is now: {error}"
        return ProvedAgain("undecided", message, claims_more=True)
    except IllFormed as error:
        return ProvedAgain("not-equal", f"its summary isn't about this function: {error}")
    except ValueError as error:
        return ProvedAgain("unreadable", f"summary.json: {error}")
    except _Rejected as rejected:
        return ProvedAgain(rejected.verdict, rejected.message)


class _Claim:
    """What is committed of one kernel, and what a proof of it has come to."""

    def __init__(
        self, kernel: Kernel, committed: Committed, data: LiftedData, timeout: float
    ) -> None:
        self.committed = committed
        self.data = data
        self.timeout = timeout
        sizes = sizes_of(data.summaries, committed.data.get("entry"), parameters(kernel))
        self.given = GivenPreconditions(data.preconditions, kernel, timeout, sizes)
        # What the source states counts where the committed claim says it too.
        stated = replace(kernel, preconditions=self.given.stated())
        self.kernel = with_buffers_of(data.summaries, stated, committed.data.get("entry"))
        own = (data.summaries, data.functions, self.kernel)
        try:
            self.named, self.inlined = (given_summaries(*own, inline=i) for i in (False, True))
        except IllFormed as error:
            raise _OfAnother(str(error)) from error
        self.needed: list[Precondition] = []
        """What a proof needed beyond the committed preconditions."""
        self.anew: FunctionResult | None = None
        """Other summaries, which are proved of the source as it is now."""
        self.refusal: FunctionResult | None = None
        """The last attempt that failed."""
        self.rejected: tuple[_Rejected, FunctionResult] | None = None
        """What the files say that isn't proved, and what is."""

    def verdict(self) -> ProvedAgain:
        found = self._refuted(self.inlined, FEW_RUNS)
        if found is not None:
            return found
        result = self._proved((self.named, self.inlined)) or self._lifted_anew()
        result = result or self._composed()
        if result is None and self.rejected is None:
            return self._refuted_by_many(self.inlined) or self._unproved()
        if result is None:
            return self._of_edited_pipeline() or self._rejection()
        assert result.proof is not None
        return self._newly_undefined(result) or ProvedAgain(
            "equal", obligations=result.proof.obligations
        )

    def _newly_undefined(self, result: FunctionResult) -> ProvedAgain | None:
        """The source is proved equal wherever it is defined; but a loop that writes behind a buffer
        by now is no refactoring."""
        told = self.committed.data.get("undefined")
        known = [t for t in told if isinstance(t, str)] if isinstance(told, list) else []
        for warning in result.warnings:
            what, _, _ = warning.message.partition(":")
            if warning.code in _UNDEFINED and not any(what in text for text in known):
                place = "" if warning.span is None else f" (line {warning.span.line})"
                return ProvedAgain(
                    "undecided",
                    f"as it is now it {warning.message}{place}",
                    ("it is proved equal on all inputs on which it is defined",),
                )
        return None

    def _refuted_by_many(self, summaries: Sequence[Summary]) -> ProvedAgain | None:
        return (
            self._refuted(summaries, MANY_RUNS)
            or self._refuted(summaries, MANY_RUNS, True)
            or self._refuted(summaries, 0, sizes=self._telling_sizes(summaries))
        )

    def _telling_sizes(self, summaries: Sequence[Summary]) -> tuple[int, ...]:
        """Of images beyond the small ones, those that the failed proof or the text points at."""
        result = self.refusal
        exprs = [e for s in summaries for e in (s.expression, *s.update_point)]
        if result is not None and result.graph is not None:
            writes = [w for stage in result.graph.order for w in stage.writes]
            exprs += [e for w in writes for e in (w.value, w.condition, *w.indices)]
        known = () if result is None or result.proof is None else result.proof.obligations
        return telling_sizes(exprs, known)

    def _refuted(
        self,
        summaries: Sequence[Summary],
        runs: int,
        words: bool = False,
        sizes: Sequence[int] = (),
    ) -> ProvedAgain | None:
        """A small input that satisfies the committed preconditions and on which the two differ."""
        kernel = self.kernel
        written = {s.array for s in statements(kernel.body) if isinstance(s, Store)}
        written |= {s.output for s in summaries}
        outputs = [n for n in kernel.arrays if n in written and kernel.arrays[n].origin != "local"]
        found = screen(
            kernel, summaries, self.given.tests(), lambda e: e, runs, outputs,
            returned=self.data.returned, words=words, sizes=sizes,
        ).counterexample  # fmt: skip
        if found is None:
            return None
        table = tabulate(found, kernel, summaries)
        return ProvedAgain(
            "not-equal",
            f"{found.output} isn't what the source leaves there",
            counterexample=table.to_json(),
        )

    # Proofs.

    def _proved(self, candidates: Sequence[tuple[Summary, ...]]) -> FunctionResult | None:
        """The proof of given summaries under the committed preconditions, when the files say what
        is proved."""
        for summaries in dict.fromkeys(map(_Same, candidates)):
            for assumed in dict.fromkeys(((), self.given.inferred)):
                options = LiftOptions(timeout=self.timeout, given=assumed)
                for lifting, result in self._proofs(options, summaries.summaries):
                    if self._counts(lifting, result) and self._agrees(result):
                        return result
        return None

    def _proofs(
        self, options: LiftOptions, summaries: Sequence[Summary]
    ) -> Iterator[tuple[Lifting, FunctionResult]]:
        """The attempts to prove given summaries: with the loops read in all the ways that lifting
        tries."""
        lifting = Reproving(self.kernel, options, summaries)
        yield lifting, lifting.result()
        for reading in lifting.other_readings():
            lifting = Reproving(self.kernel, options, summaries, reading=reading)
            yield lifting, lifting.result()

    def _lifted_anew(self) -> FunctionResult | None:
        """A proof from scratch, for loops that are too different."""
        if self.rejected is not None:
            return None
        options = LiftOptions(timeout=self.timeout, given=self.given.inferred)
        lifting = Lifting(self.kernel, options)
        result = lifting.result()
        for reading in lifting.other_readings() if result.status != "proved" else ():
            lifting = Lifting(self.kernel, options, reading=reading)
            result = lifting.result()
            if result.status == "proved":
                break
        if not self._counts(lifting, result):
            return None
        if not self._agrees(result):
            self.rejected = None
            self.anew = result
            return None
        return result

    def _composed(self) -> FunctionResult | None:
        """A proof that the committed summaries are as good as those that the source has now."""
        if self.anew is None:
            return None
        for summaries in dict.fromkeys(map(_Same, (self.named, self.inlined))):
            options = LiftOptions(timeout=self.timeout, given=self.given.inferred)
            options = replace(options, given=(*options.given, *self.given.limits))
            lifting = Composed(self.kernel, options, summaries.summaries, self.anew)
            result = lifting.result()
            if self._counts(lifting, result) and self._agrees(result):
                return result
        return None

    def _counts(self, lifting: Lifting, result: FunctionResult) -> bool:
        """Whether a result is a proof of what is claimed and needs no more than is claimed."""
        if result.status != "proved" or lifting.assumptions is None:
            self.refusal = result
            return False
        missing = self.given.missing(lifting.assumptions)
        if missing:
            self.needed = missing
            return False
        return True

    def _unproved(self) -> ProvedAgain:
        if self.needed:
            shown = " and ".join(f"`{p.text}`" for p in self.needed)
            return ProvedAgain(
                "undecided",
                f"its preconditions have changed: the source as it is now needs also {shown}",
                ("the guarded entry that is committed doesn't test this; lift it again",),
                claims_more=True,
            )
        why = self.refusal.diagnostic if self.refusal is not None else None
        return ProvedAgain(
            "undecided",
            "no input is known on which they differ, but there is no proof either",
            (
                *(() if why is None else (f"{why.message} [{why.code}]",)),
                "lift it again: its loops may have another summary now, which is proved",
            ),
        )

    # The files.

    def _agrees(self, result: FunctionResult) -> bool:
        """Whether the committed files say what was proved; else `rejected` says what they don't."""
        try:
            self._compare(result)
        except _Rejected as rejected:
            self.rejected = self.rejected or (rejected, result)
            return False
        return True

    def _rejection(self) -> ProvedAgain:
        assert self.rejected is not None
        rejected, _ = self.rejected
        return ProvedAgain(rejected.verdict, rejected.message)

    def _compare(self, result: FunctionResult) -> None:
        program, mine = self._told(result)
        self._compare_summary(result, mine)
        shown, texts = self._shown(result)
        found = difference_in_stages(self.committed.data, texts)
        if found is None and not says(program, pipeline_text(shown, [shown.name])):
            found = "its `lifted` isn't what is proved"
        if found is not None:
            raise _Rejected(f"summary.json: {found}")
        self._compare_pipeline(program, shown)
        self._compare_generator(shown)

    def _compare_summary(self, result: FunctionResult, mine: dict[str, Any]) -> None:
        try:
            found = difference_in_summary(self.committed.data, mine)
        except OtherVersion as error:
            raise _Rejected(f"summary.json: {error}; lift it again", "undecided") from error
        if found is not None:
            raise _Rejected(f"summary.json: {found}")
        if result.graph is None or result.graph.returned is not self.data.returned:
            raise _Rejected("summary.json: it returns something else")

    def _compare_generator(self, shown: Program) -> None:
        generator = self.committed.texts.get("generator.cpp")
        if generator is not None and difference_in_generator(generator, shown):
            message = "generator.cpp isn't what lift writes for what is proved"
            raise _Rejected(message, "undecided")

    def _told(self, result: FunctionResult) -> tuple[Program, dict[str, Any]]:
        try:
            return told(result, self.given.preconditions)
        except (LiftError, ValueError) as error:
            raise _Rejected(f"what is proved can't be told: {error}") from error

    def _shown(self, result: FunctionResult) -> tuple[Program, dict[str, Any]]:
        """The committed summaries with their own functions as emission tells them."""
        assert result.kernel is not None
        own = {
            f.name: PureFunction(f.name, f.params, f.body, self.kernel.span)
            for f in self.data.functions
        }
        kernel = replace(result.kernel, functions={**result.kernel.functions, **own})
        return self._told(replace(result, kernel=kernel, summaries=self.data.summaries))

    def _compare_pipeline(self, program: Program, shown: Program) -> None:
        text = self.committed.texts.get("pipeline.py")
        if text is None:
            raise _Rejected("pipeline.py isn't there or can't be read")
        try:
            found = difference_in_pipeline(text, program, shown)
        except Unreadable as error:
            raise _Rejected(f"pipeline.py, {error}; it was not run") from error
        except HalideError as error:
            raise _Rejected(f"pipeline.py is no program of the language: {error}") from error
        if found is not None:
            raise _OtherPipeline(f"pipeline.py isn't what is proved: {found}")

    def _of_edited_pipeline(self) -> ProvedAgain | None:
        """The verdict on what an edited `pipeline.py` says, where that can be read as summaries and
        the rest of the folder is what is proved."""
        assert self.rejected is not None
        rejected, result = self.rejected
        if not isinstance(rejected, _OtherPipeline):
            return None
        try:
            program, _ = self._told(result)
            edited = edited_summaries(self.committed.texts["pipeline.py"], result, program)
            summaries = given_summaries(edited, (), replace(self.kernel, functions={}))
        except NotSummaries as error:
            message = "pipeline.py was edited, and nobody can tell whether it still is equal"
            return ProvedAgain("undecided", message, (str(error), rejected.message))
        except (IllFormed, LiftError):
            return None
        found = self._refuted_by_many(summaries)
        if found is not None:
            return replace(found, message=f"pipeline.py was edited: {found.message}")
        for assumed in dict.fromkeys(((), self.given.inferred)):
            options = LiftOptions(timeout=self.timeout, given=assumed)
            for lifting, second in self._proofs(options, summaries):
                if self._counts(lifting, second):
                    return self._of_edited(result, second)
        return replace(self._unproved(), verdict="undecided")

    def _of_edited(self, result: FunctionResult, second: FunctionResult) -> ProvedAgain:
        """Of two proved results: the first one's texts are those beside `pipeline.py`."""
        program, mine = self._told(second)
        try:
            self._compare_summary(second, mine)
        except _Rejected as other:
            message = "pipeline.py was edited: it is equal, but what calls it is of before"
            return ProvedAgain("undecided", message, (other.message, "lift it again"))
        self._compare_pipeline(program, program)
        self._compare_generator(self._shown(result)[0])
        assert second.proof is not None
        return ProvedAgain("equal", obligations=second.proof.obligations)


class _Same:
    """Summaries that can be told apart."""

    def __init__(self, summaries: tuple[Summary, ...]) -> None:
        self.summaries = summaries
        self._key = tuple((s.output, s.expression, s.update_point) for s in summaries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)
