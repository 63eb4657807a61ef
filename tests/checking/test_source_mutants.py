"""Sources of the corpus that somebody changed, beside the folders that were committed of them.

Two answers are found independently: g++'s code of the old and of the changed source is called on
images of all kinds; and `lift verify` judges the committed folder of the old one.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lifter.checking.prove_again import prove_again
from tests.checking.test_mutants import folder_of
from tests.end_to_end.corpus_list import CORPUS, listed
from tests.end_to_end.lifted_corpus import lifted, original
from tests.verify.source_mutants import generations
from tests.verify.source_trials import UNDEFINED, _compiled, _difference, _is_changed

SECONDS = 20.0
FEW, MANY = 12, 150


@dataclass(frozen=True)
class Judged:
    kernel: str
    verdict: str
    message: str
    difference: str | None


def judged(file: str, count: int) -> Iterator[Judged]:
    """`count` changed kernels of a file."""
    text = (CORPUS / file).read_text("utf-8")
    names = {n for f, n in listed() if f == file and n not in UNDEFINED}
    done = 0
    for made in generations(text, file):
        with tempfile.TemporaryDirectory(prefix="lift_verify_") as folder:
            compiled = _compiled(file, text, made, Path(folder) / Path(file).name)
            if compiled is None:
                continue
            _, kernels, library = compiled
            for kernel in kernels:
                if kernel.name not in names or not _is_changed(file, kernel):
                    continue
                subject = lifted(file, kernel.name)
                committed = folder_of(subject, subject.result.summaries)
                assert committed is not None
                found = prove_again(kernel, committed, SECONDS)
                old, new = (
                    c._library[f"lift_test_{kernel.name}"] for c in (original(file), library)
                )
                wrong = _difference(subject.kernel, subject.formulas(), old, new)
                yield Judged(kernel.name, found.verdict, found.message, wrong)
                done += 1
                if done == count:
                    return


def check(all_judged: list[Judged]) -> None:
    wrong = [j for j in all_judged if j.verdict == "equal" and j.difference]
    assert not wrong, wrong
    differing = Counter(j.verdict for j in all_judged if j.difference)
    assert differing["not-equal"] > 0.8 * differing.total(), differing


@pytest.mark.slow
def test_a_changed_source_is_not_called_equal_where_its_code_differs():
    check(list(judged("filter/basic.cpp", FEW)))


@pytest.mark.slow
def test_many_changed_sources_are_not_called_equal_where_their_code_differs(capsys):
    files = ("filter/basic.cpp", "blend/basic.cpp", "blend/photoshop_modes.cpp")
    all_judged = [j for file in files for j in judged(file, MANY // len(files))]
    with capsys.disabled():
        for name in ("equal", "not-equal", "undecided", "unreadable"):
            some = [j for j in all_judged if j.verdict == name]
            print(
                f"\n{len(some)} {name}, of which {sum(bool(j.difference) for j in some)} differ",
                end="",
            )
    check(all_judged)
