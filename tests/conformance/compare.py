"""A batch of kernels: parsed once, interpreted beside g++'s code, lifted, built, and run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lifter.lift.lift_function import Lifting, LiftOptions
from lifter.model.kernel import Kernel
from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from lifter.verify.screen import ClaimedKernel
from tests.end_to_end.original import Original, compile_original, may_be_called

from .built import Built, build, differences
from .c_language import c_prelude
from .case import NUMBERS, Case
from .prelude import prelude

COUNT = 6
"""Inputs of each kernel."""
_NEVER = ("out-of-bounds-read", "out-of-bounds-write", "uninitialised")
"""What no kernel of the matrix does, on whatever input."""
PLAIN, OPTIMIZED = ("-O0", "-fwrapv"), ("-O2", "-fwrapv")


@dataclass
class Verdict:
    """What became of one case."""

    case: Case
    code: str = ""
    """Why it was refused or isn't proved; empty for one that is proved."""
    parsed: bool = False
    message: str = ""
    wrong: str = ""
    calls: int = 0

    def __str__(self) -> str:
        reason = self.wrong or f"{self.code}: {self.message}"
        return f"{self.case.name}\n{self.case.text}{reason}"


def by_language(cases: Sequence[Case], size: int = 10_000) -> Iterator[list[Case]]:
    """The cases in batches of one language each."""
    for language in ("cpp", "c"):
        own = [case for case in cases if case.language == language]
        for begin in range(0, len(own), size):
            yield own[begin : begin + size]


def head(language: str) -> str:
    """What stands before the kernels of one language."""
    return prelude(NUMBERS) if language == "cpp" else c_prelude()


def verdicts(batch: Sequence[Case], folder: Path, lift: bool = True) -> list[Verdict]:
    """Compares all kernels of one language; `lift` says whether they go the whole way."""
    language = batch[0].language
    path = folder / f"batch.{language}"
    path.write_text(head(language) + "".join(c.function(f"k{n}") for n, c in enumerate(batch)))
    parsed = parse_file(path)
    names = {f"k{n}" for n in range(len(batch))}
    kernels = {k.name: k for k in parsed.kernels}
    reasons = {s.name: s.diagnostic for s in (*parsed.skipped, *parsed.failed)}
    own = [k for k in parsed.kernels if k.name in names]
    originals = [compile_original(path, own, (), o) for o in (PLAIN, OPTIMIZED)]
    found: list[Verdict] = []
    made: dict[str, tuple[Verdict, Built]] = {}
    for number, case in enumerate(batch):
        verdict = Verdict(case)
        found.append(verdict)
        kernel = kernels.get(f"k{number}")
        if kernel is None:
            reason = reasons[f"k{number}"]
            verdict.code, verdict.message = reason.code, str(reason.message)
            continue
        verdict.parsed = True
        _interpret(kernel, originals, verdict)
        if lift and not verdict.wrong:
            one = _lifted(kernel, verdict, folder)
            if one is not None:
                made[kernel.name] = verdict, one
    for name, wrong in differences(path, [one for _, one in made.values()]).items():
        made[name][0].wrong = wrong
    return found


def _interpret(kernel: Kernel, originals: Sequence[Original], verdict: Verdict) -> None:
    for case in cases(kernel, 7, COUNT):
        outcome = run_case(kernel, case)
        if not may_be_called(outcome):
            continue
        verdict.calls += 1
        outside = next((e for e in outcome.undefined if e.kind in _NEVER), None)
        if outside is not None:
            verdict.wrong = f"{case}: {outside.kind}, {outside.detail}"
            return
        for original, options in zip(originals, (PLAIN, OPTIMIZED), strict=True):
            wrong = original.differences(kernel, case, outcome)
            if wrong:
                verdict.wrong = f"{options[0]}, {case}: {wrong[0]}"
                return


def _lifted(kernel: Kernel, verdict: Verdict, folder: Path) -> Built | None:
    """Lifts a kernel the whole way and builds it; None where it isn't proved.

    What it was lifted to is evaluated beside the original at once.
    """
    lifting = Lifting(kernel, LiftOptions(timeout=10.0, search_budget=2000))
    try:
        result = lifting.result()
    except Exception as error:
        verdict.code, verdict.message = "internal", f"{type(error).__name__}: {error}"
        return None
    if result.status != "proved":
        assert result.diagnostic is not None
        verdict.code, verdict.message = result.diagnostic.code, result.diagnostic.message
        return None
    assert result.proof is not None and lifting.assumptions is not None
    known = lifting._formulas(result.proof.preconditions)
    inline = lifting.assumptions.prover.inlined
    written = tuple(dict.fromkeys(s.output for s in result.summaries))
    lifted = ClaimedKernel(kernel, result.summaries, inline, written)
    inputs = list(cases(kernel, 11, COUNT, tuple(known)))
    for case in inputs:
        found = lifted.difference(case, run_case(kernel, case))
        if found is not None:
            verdict.wrong = f"as lifted, {case}: {found}"
            return None
    try:
        return build(kernel, result, folder, inputs)
    except Exception as error:
        verdict.wrong = f"proved and can't be built: {type(error).__name__}: {error}"
        return None
