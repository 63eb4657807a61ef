"""Refactorings of years of maintenance, and twins of them that change what is computed.

`refactorings/*.cpp` has kernels, each `before`, then changed: `equal` ones must be proved equal to
what was lifted before, `open` ones are equal and not proved yet; a `twin` must be refuted by an
image. Without that image no proof may be found of it either: the proofs don't lean on the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from lifter.checking.committed import Committed, read_committed
from lifter.checking.prove_again import ProvedAgain, prove_again
from lifter.command_line import run
from lifter.settings.flags import Flags, parse_source
from lifter.verify.screen import Screening

FOLDER = Path(__file__).parent / "refactorings"
HEADERS = "".join(
    f"#include <{h}>\n" for h in ("algorithm", "cassert", "cmath", "cstdint", "cstring", "vector")
)
QUICK = ("Brighten", "Tally", "Histogram", "Lighten", "Padded", "Blur3")
SECONDS = 60.0


@dataclass(frozen=True)
class Change:
    kind: str
    kernel: str
    how: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.kernel}: {self.how}"


def _changes() -> Iterator[Change]:
    before = kernel = ""
    for path in sorted(FOLDER.glob("*.cpp")):
        for part in re.split(r"^//== ", path.read_text(), flags=re.MULTILINE)[1:]:
            head, text = part.split("\n", 1)
            kind, what = head.split(" ", 1)
            if kind == "before":
                before, kernel = text, what
            else:
                yield Change(kind, kernel, what, before, text)


CHANGES = list(_changes())


def _of(*kinds: str) -> list[object]:
    return [
        pytest.param(c, id=str(c), marks=() if c.kernel in QUICK else pytest.mark.slow)
        for c in CHANGES
        if c.kind in kinds
    ]


@pytest.fixture(scope="module")
def committed(tmp_path_factory):
    """What was lifted of a kernel, by its text."""
    folder = tmp_path_factory.mktemp("refactorings")

    @cache
    def lifted(kernel: str, text: str) -> Committed:
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(folder)
            Path(f"{kernel}.cpp").write_text(HEADERS + text)
            command = [f"{kernel}.cpp", "-o", "lifted", "-j", "1", "--no-cache"]
            assert run([*command, "--function", kernel]) == 0
        return read_committed(folder / "lifted" / kernel / kernel)

    return lifted


def _verdict(change: Change, committed, tmp_path: Path) -> ProvedAgain:
    source = tmp_path / "after.cpp"
    source.write_text(HEADERS + change.after)
    parsed = parse_source(str(source), Flags())
    kernel = next(k for k in parsed.kernels if k.name == change.kernel)
    return prove_again(kernel, committed(change.kernel, change.before), SECONDS)


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("change", _of("equal"))
def test_a_refactoring_is_proved_equal(change, committed, tmp_path):
    found = _verdict(change, committed, tmp_path)
    assert found.verdict == "equal", (found.message, found.notes)
    assert found.obligations


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("change", _of("twin"))
def test_a_twin_is_refuted_by_an_image_with_both_results(change, committed, tmp_path):
    found = _verdict(change, committed, tmp_path)
    assert found.verdict == "not-equal", (found.message, found.notes)
    assert found.counterexample is not None
    assert found.counterexample["original"] != found.counterexample["candidate"]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("change", _of("twin"))
def test_no_proof_is_found_of_a_twin(change, committed, tmp_path, monkeypatch):
    committed(change.kernel, change.before)
    nothing = lambda *_, **__: Screening()  # noqa: E731
    monkeypatch.setattr("lifter.checking.prove_again.screen", nothing)
    monkeypatch.setattr("lifter.lift.lift_function.screen", nothing)
    found = _verdict(change, committed, tmp_path)
    assert found.verdict == "undecided", (found.message, found.notes)


@pytest.mark.slow
@pytest.mark.parametrize("change", _of("open"))
def test_what_is_not_proved_yet_is_undecided(change, committed, tmp_path):
    assert _verdict(change, committed, tmp_path).verdict == "undecided"


def test_there_are_forty_refactorings_and_thirty_twins():
    kinds = [c.kind for c in CHANGES]
    assert kinds.count("equal") >= 40
    assert kinds.count("twin") >= 30
