"""What stands in the way of loops in other people's code, one by one: what lifts, and its twins.

Above each function of the sources a comment says what it shows, and what becomes of it:
`locks: proved`, `locks: not proved, why` of a twin in which the same must not be proved, and
`bounds from arrays: no-roi, g` of what is refused with this code, where `g` does the same and
lifts.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from lifter.batch.store import records_of
from lifter.model.record import Record

SOURCES = sorted((Path(__file__).parent / "obstacles").iterdir())
_SHOWN = re.compile(
    r"^(?:/\*|//) (?P<what>[^\n]*?): (?P<outcome>[^\n:]*?)(?: \*/)?\n"
    r"(?P<code>(?:.|\n)*?\n\}[^\n]*\n)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Shown:
    """A function, what it shows, and what is to become of it."""

    what: str
    outcome: str
    line: int
    lines: int

    @property
    def is_twin(self) -> bool:
        return self.outcome.startswith("not proved")


def shown(source: Path) -> list[Shown]:
    text = source.read_text()
    return [
        Shown(
            m["what"], m["outcome"], text[: m.start("code")].count("\n") + 1, m["code"].count("\n")
        )
        for m in _SHOWN.finditer(text)
    ]


def test_each_obstacle_lifts_or_has_a_way_around_and_a_twin() -> None:
    every = [s for source in SOURCES for s in shown(source)]
    kinds = {s.what for s in every if not s.is_twin}
    assert kinds == {s.what for s in every if s.is_twin}
    assert len(kinds) > 60


def _code(record: Record) -> str:
    return "proved" if record.status == "proved" else getattr(record.diagnostic, "code", "")


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
def test_what_is_said_of_each_function_is_so(source: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lifter", str(source), "-o", str(tmp_path), "-j1"]
    subprocess.run(command, capture_output=True, check=False)
    records = [r for r in records_of(tmp_path) if r.status != "skipped"]
    wrong = []
    for one in shown(source):
        own = [r for r in records if one.line <= r.line < one.line + one.lines]
        outcomes = {r.name: _code(r) for r in own}
        wholes = {o for name, o in outcomes.items() if "#" not in name}
        if one.is_twin:
            # Nothing that changes memory is proved of it.
            is_so = bool(outcomes) and "proved" not in outcomes.values()
        elif one.outcome == "proved":
            is_so = wholes == {"proved"}
        else:
            code, around = one.outcome.split(", ")
            others = {r.name: r.status for r in records}
            is_so = code in outcomes.values() and others[around] == "proved"
        if not is_so:
            wrong.append(f"{one.what}: {one.outcome}: {outcomes}")
    assert not wrong, "\n".join(wrong)
