"""Programs that misuse the language end as under the real package: never with the process."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from . import misuse
from .misuse import FILE, Ending, Misuse, Worker, programs

_GENERIC = ("incompatible", "Unable to cast", "abstract class", "not an instance")
"""What the real package's bindings say of any wrong argument: nothing to compare."""
_OURS = {"HalideError", "TypeError", "ValueError", "IndexError", "KeyError", "RuntimeError",
         "MemoryError", "BufferError", "AttributeError"}  # fmt: skip


class Both:
    """A process for each package."""

    def __init__(self) -> None:
        self.theirs, self.ours = Worker("halide"), Worker("compiler")

    def run(self, misuse: Misuse) -> tuple[Ending, Ending]:
        for worker in (self.theirs, self.ours):
            worker.start(misuse.text)
        return self.theirs.ending(), self.ours.ending()


@pytest.fixture(scope="module")
def both() -> Iterator[Both]:
    made = Both()
    yield made
    made.theirs.stop()
    made.ours.stop()


def _words(message: str) -> set[str]:
    return {w.lower() for w in re.findall(r"[A-Za-z]{4,}", message.replace(FILE, ""))} - {"error"}


def _is_of_the_same_sense(theirs: str, ours: str) -> bool:
    generic = any(g in theirs for g in _GENERIC) or "not supported" in ours
    return generic or not _words(theirs) or bool(_words(theirs) & _words(ours))


def _cases() -> list[Any]:
    """One for each program; large ones take seconds each."""
    return [
        pytest.param(
            m, id=f"{m.table}: {m.title}", marks=pytest.mark.slow if m.table == "sizes" else ()
        )
        for m in programs()
    ]


@pytest.mark.sampled(every=48)
@pytest.mark.parametrize("misuse", _cases())
def test_misuse_ends_as_under_the_real_package(both: Both, misuse: Misuse) -> None:
    theirs, ours = both.run(misuse)
    assert not ours.is_fatal, ours
    assert ours.error is None or ours.error in _OURS, ours
    if ours.error == "HalideError":
        assert f"{FILE}:" in ours.message, "it names the user's line"
    if misuse.verdict is not None:
        _differs_as_meant(misuse.verdict, theirs, ours)
    elif not theirs.is_fatal:
        assert (ours.error, ours.value) == (theirs.error, theirs.value), (theirs, ours)
        assert _is_of_the_same_sense(theirs.message, ours.message), (theirs, ours)


def _differs_as_meant(verdict: str, theirs: Ending, ours: Ending) -> None:
    if verdict == "refuses":
        assert ours.error is not None and theirs.error is None, (theirs, ours)
    elif verdict == "takes":
        assert ours.error is None and theirs.error is not None, (theirs, ours)
    elif verdict == "words":
        assert ours.error is not None and ours.error == theirs.error, (theirs, ours)
    else:
        assert verdict == "differs"
        assert (ours.error, ours.value) != (theirs.error, theirs.value), (theirs, ours)


@pytest.mark.slow
def test_the_tables_hold_what_was_promised() -> None:
    found = programs()
    assert len(found) > 300
    assert len({m.title for m in found}) == len(found)


@pytest.mark.slow
def test_a_crash_and_an_endless_loop_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(misuse, "TIMEOUT", 3.0)
    worker = Worker("compiler")
    try:
        assert worker.run("out = 1") == Ending("1")
        assert worker.run("import os; os.abort()").error == "crash"
        assert worker.run("while True: pass").error == "timeout"
        assert worker.run("raise KeyError('mine')") == Ending(error="KeyError", message="'mine'")
    finally:
        worker.stop()
