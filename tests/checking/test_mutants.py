"""A wrong summary in the place of the committed one, told consistently by all of its files.

Whoever wants a wrong summary to pass writes all of the folder: what `lift` would write if it had
proved the mutant, under a seal. Such a folder must prove, and what differs doesn't.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lifter.checking.committed import Committed
from lifter.checking.prove_again import ProvedAgain, prove_again
from lifter.emit import emitted_texts
from lifter.model.diagnostic import LiftError
from lifter.model.summary import Summary
from lifter.settings.flags import Flags
from tests.end_to_end.corpus_list import listed
from tests.end_to_end.lifted_corpus import Lifted, lifted
from tests.verify.mutant_trials import Trials
from tests.verify.mutants import chosen

SECONDS = 20.0
FEW = [
    ("blend/basic.cpp", "MultiplyBlend8"),
    ("blend/basic.cpp", "NormalBlend8"),
    ("filter/basic.cpp", "Histogram8"),
    ("filter/basic.cpp", "box_sum"),
]


@dataclass(frozen=True)
class Tried:
    text: str
    verdict: str
    difference: str | None


def folder_of(subject: Lifted, summaries: tuple[Summary, ...]) -> Committed | None:
    """All that `lift` would have written of these summaries; None where it has no text for them."""
    try:
        texts = emitted_texts(replace(subject.result, summaries=summaries))
    except (LiftError, AssertionError, ValueError):
        return None
    data = json.loads(texts.pop("summary.json")) | {"flags": Flags().to_json()}
    return Committed(Path(subject.kernel.name), data, texts, Flags())


def again(subject: Lifted, summaries: tuple[Summary, ...]) -> ProvedAgain | None:
    committed = folder_of(subject, summaries)
    return None if committed is None else prove_again(subject.kernel, committed, SECONDS)


def tried(file: str, name: str, count: int) -> Iterator[Tried]:
    subject = lifted(file, name)
    summaries = subject.result.summaries
    if tuple(s.summary for s in subject.steps) != summaries:
        return  # of stages that nobody reads, nothing is committed
    trials = Trials(subject, 0.5)
    for number, summary in enumerate(summaries):
        for mutant in chosen(summary, count, name):
            whole = (*summaries[:number], mutant.summary, *summaries[number + 1 :])
            found = again(subject, whole)
            if found is not None:
                text = f"{name}: {mutant.kind}, {mutant.text}"
                yield Tried(text, found.verdict, trials.differs(number, mutant))


def check(all_tried: list[Tried]) -> None:
    wrong = [t for t in all_tried if t.verdict == "equal" and t.difference]
    assert not wrong, wrong
    assert Counter(t.verdict for t in all_tried if t.difference)["not-equal"] > len(all_tried) // 3


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("file", "name"), FEW, ids=[name for _, name in FEW])
def test_what_was_proved_is_accepted(file, name):
    subject = lifted(file, name)
    found = again(subject, subject.result.summaries)
    assert found is not None
    assert (found.verdict, found.message) == ("equal", "")


def _edited(old: str, new: str) -> ProvedAgain:
    """What is said of the sum over a box where its `pipeline.py` was edited."""
    subject = lifted("filter/basic.cpp", "box_sum")
    committed = folder_of(subject, subject.result.summaries)
    assert committed is not None and old in committed.texts["pipeline.py"]
    text = committed.texts["pipeline.py"].replace(old, new, 1)
    edited = replace(committed, texts={**committed.texts, "pipeline.py": text})
    return prove_again(subject.kernel, edited, SECONDS)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x + r.x", "x + r.x + 1"),
        ("radius * 2 + 1", "radius * 2"),
        ("(-radius, ", "(0, "),
        ("hl.sum(", "hl.maximum("),
        ("hl.i32(src", "2 * hl.i32(src"),
    ],
)
def test_a_wrong_sum_in_a_pipeline_is_refuted(old, new):
    found = _edited(old, new)
    assert found.verdict == "not-equal", found
    assert found.counterexample is not None


@pytest.mark.slow
def test_a_sum_that_reads_in_another_order_isnt_called_wrong():
    """It is equal, but the guards that are committed are for the reads as they were."""
    found = _edited("src[x + r.x, y + r.y]", "src[r.x + x, r.y + y]")
    assert (found.verdict, found.counterexample) == ("undecided", None)
    assert "it is equal" in found.message


@pytest.mark.slow
def test_mutants_that_differ_are_rejected():
    check([t for file, name in FEW[1:3] for t in tried(file, name, 4)])


@pytest.mark.slow
def test_mutants_of_many_kernels_that_differ_are_rejected(capsys):
    kernels = listed()[::5]
    all_tried = [t for file, name in kernels for t in tried(file, name, 8)]
    with capsys.disabled():
        print(f"\n{len(all_tried)} folders: {Counter(t.verdict for t in all_tried)}")
    check(all_tried)
