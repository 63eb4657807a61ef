"""The committed table of what the front end refuses, by code."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .compare import Verdict

TABLE = Path(__file__).with_name("refused.txt")


def refused(found: Iterable[Verdict]) -> str:
    """One paragraph a code: the code, how many, and the names of the cases."""
    by_code: dict[str, list[str]] = {}
    for verdict in found:
        by_code.setdefault(verdict.code, []).append(verdict.case.name)
    return "\n".join(
        f"{code}: {len(names)}\n" + "".join(f"    {name}\n" for name in sorted(names))
        for code, names in sorted(by_code.items())
    )
