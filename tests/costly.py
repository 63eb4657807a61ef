"""The cases that cost a quick run most: `slow`, where others of the same test stay that go the same
way. Those that find a planted bug stay quick, whatever they cost."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

LIST = Path(__file__).with_name("costly.txt")


def costly() -> frozenset[str]:
    """The cases of the list, a line each, by their names for pytest."""
    return frozenset(LIST.read_text("utf-8").splitlines())


def strangers(listed: Iterable[str], collected: Iterable[str]) -> list[str]:
    """What is listed of tests that were collected, and is none of their cases."""
    known = frozenset(collected)
    tests = {name.partition("[")[0] for name in known}
    return sorted(c for c in listed if c.partition("[")[0] in tests and c not in known)


def left_alone(listed: Iterable[str], collected: Iterable[str]) -> list[str]:
    """The collected tests of which no case would be left."""
    rest = {name.partition("[")[0] for name in frozenset(collected) - frozenset(listed)}
    return sorted({c.partition("[")[0] for c in listed} - rest)
