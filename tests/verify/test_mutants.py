"""The verifier rejects every mutant of a proved summary that differs on some input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import pytest

from compiler.ir import (  # fmt: skip
    EQ,
    I32,
    U8,
    And,
    BitXor,
    Cast,
    Const,
    Expr,
    Select,
    const,
    postorder,
    substitute,
)
from lifter.dag import Reduce
from tests.end_to_end.corpus_list import BASIC, each, listed
from tests.end_to_end.lifted_corpus import lifted
from tests.verify.mutant_trials import Trials
from tests.verify.mutants import Mutant, chosen, mutants

QUICK, WANTED = 3, 24
"""In the default run: mutants a stage of the sample's kernels, and how many must differ."""
MANY = 5
"""Mutants of each stage of all kernels in a long run."""
KINDS = {
    "constant", "operator", "index offset", "bound", "comparison", "cast", "branch", "terminal",
    "layout",
}  # fmt: skip


@dataclass(frozen=True)
class Tried:
    """One mutant and what became of it."""

    kernel: str
    kind: str
    is_reduction: bool
    text: str
    difference: str | None
    accepted: str | None
    """How the verifier accepts it. Of some mutants of each stage, those without a difference are
    not asked about: nothing follows from the answer."""

    def __str__(self) -> str:
        return f"{self.kernel}, {self.kind}: {self.text}"


def tried(file: str, name: str, count: int | None, seconds: float) -> Iterable[Tried]:
    """All mutants of a kernel, or `count` of each stage."""
    subject = lifted(file, name)
    trials = Trials(subject, seconds)
    for number, step in enumerate(subject.steps):
        some = mutants(step.summary) if count is None else chosen(step.summary, count, name)
        for mutant in some:
            difference = trials.differs(number, mutant)
            asked = count is None or difference is not None
            accepted = trials.accepted(number, mutant) if asked else None
            if difference and accepted and trials.inferred:
                # It is right where less than the proof's preconditions allow is asked for.
                difference = trials.differs(number, mutant, trials.inferred)
            is_reduction = step.summary.kind == "reduction"
            yield Tried(name, mutant.kind, is_reduction, mutant.text, difference, accepted)


def of_corpus(
    kernels: Sequence[tuple[str, str]], count: int | None, seconds: float
) -> tuple[Tried, ...]:
    return tuple(t for file, name in kernels for t in tried(file, name, count, seconds))


def report(all_tried: tuple[Tried, ...]) -> str:
    """The numbers, and some of the mutants that a person should look at."""
    rejected = [t for t in all_tried if t.difference and not t.accepted]
    equivalent = [t for t in all_tried if t.accepted and not t.difference]
    unneeded = [t for t in all_tried if not t.accepted and not t.difference]
    kinds = Counter(t.kind for t in rejected)
    lines = [
        f"{len(all_tried)} mutants tried: {len(rejected)} differ and are rejected "
        f"({', '.join(f'{n} {kind}' for kind, n in kinds.most_common())}),",
        f"{len(equivalent)} are equivalent and accepted, for instance",
        *(f"    {t}"[:160] for t in equivalent[:: max(1, len(equivalent) // 5)]),
        f"{len(unneeded)} are rejected without a difference (equal, or differing rarely), as",
        *(f"    {t}"[:160] for t in unneeded[:: max(1, len(unneeded) // 3)]),
    ]
    return "\n".join(lines)


def check(all_tried: tuple[Tried, ...], wanted: int) -> None:
    wrong = [f"{t}\n  accepted {t.accepted}; {t.difference}" for t in all_tried]
    wrong = [w for w, t in zip(wrong, all_tried, strict=True) if t.accepted and t.difference]
    assert not wrong, "\n".join(wrong)
    differing = [t for t in all_tried if t.difference]
    assert len(differing) >= wanted
    assert {t.kind for t in differing} == KINDS
    assert {t.is_reduction for t in differing} == {False, True}


def some_kernels() -> list[tuple[str, str]]:
    """Some that together have all kinds of mutants, and a reduction."""
    return [*each(listed(), 24)[1::2], ("filter/basic.cpp", "accumulate_histogram16")]


def test_every_mutant_that_differs_is_rejected() -> None:
    """Of some mutants of some kernels; the slow tests below take more, and report on them."""
    kernels = some_kernels()
    all_tried = of_corpus(kernels, QUICK, 0.3)
    check(all_tried, WANTED)
    assert {t.kernel for t in all_tried if t.difference} == {name for _, name in kernels}


@pytest.mark.slow
def test_mutants_of_every_kernel_that_differ_are_rejected(
    capsys: pytest.CaptureFixture[str],
) -> None:
    all_tried = of_corpus(listed(), MANY, 1.0)
    with capsys.disabled():
        print("\n" + report(all_tried))
    check(all_tried, 1100)


@pytest.mark.slow
def test_every_one_of_all_mutants_of_the_first_files_is_rejected_that_differs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    all_tried = of_corpus([k for k in listed() if k[0] in BASIC], None, 1.0)
    with capsys.disabled():
        print("\n" + report(all_tried))
    check(all_tried, 2000)


# Negative twins: the two judges find what they are for.


@pytest.mark.slow
def test_the_proved_summary_itself_is_accepted_and_does_not_differ() -> None:
    for name in ("OverlayBlend8", "BlendPlane"):
        subject = lifted("blend/basic.cpp", name)
        trials = Trials(subject, 10.0)
        for number, step in enumerate(subject.steps):
            same = Mutant("none", "itself", step.summary)
            assert trials.differs(number, same) is None
            assert trials.accepted(number, same) == "with the preconditions of the proof"


def test_a_constant_summary_differs_and_is_rejected() -> None:
    subject = lifted("blend/basic.cpp", "MultiplyBlend8")
    wrong = replace(subject.steps[0].summary, expression=Const(U8, 7))
    trials = Trials(subject, 10.0)
    for whole in (False, True):
        assert trials.differs(0, Mutant("all", "always 7", wrong, whole))
        assert trials.accepted(0, Mutant("all", "always 7", wrong, whole)) is None


def test_no_inferred_precondition_saves_a_counter_that_was_cut_to_a_byte() -> None:
    """`radius * 2 <= 255` would make it right; so few radii aren't what the original is for."""
    subject = lifted("filter/basic.cpp", "box_sum")
    (step,) = subject.steps
    counters = {n for n in postorder(step.summary.expression) if isinstance(n, Reduce)}
    cut: dict[Expr, Expr] = {
        Cast(I32, c.counter): Cast(I32, Cast(U8, Cast(I32, c.counter))) for c in counters
    }  # fmt: skip
    changed = replace(step.summary, expression=substitute(step.summary.expression, cut))
    assert changed.expression is not step.summary.expression
    assert Trials(subject, 2.0).accepted(0, Mutant("cast", "cut", changed, False)) is None


def test_a_difference_in_one_pair_of_bytes_is_found() -> None:
    """No small image shows it: only the complete enumeration of two bytes does."""
    subject = lifted("blend/basic.cpp", "darken_plane")
    (step,) = subject.steps
    a, b = step.summary.terminals
    rare = And(EQ(a, const(201, U8)), EQ(b, const(77, U8)))
    value = step.summary.expression
    spoilt = Select(rare, BitXor(value, const(1, U8)), value)
    mutant = Mutant("value", "wrong for one pair", replace(step.summary, expression=spoilt), False)
    trials = Trials(subject, 10.0)
    assert trials.differs(0, mutant) and trials.accepted(0, mutant) is None
