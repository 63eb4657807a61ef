"""Runs the kernels of the matrix whose names match a pattern; exits 1 where one is wrong.

`python -m tests.planted.find PATTERN`
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.conformance.case import Case
from tests.conformance.compare import Verdict, verdicts
from tests.conformance.matrix import place_cases, statement_cases, type_cases, value_cases

MOST = 60
"""Cases that one bug gets."""


def matching(pattern: str) -> list[Case]:
    """Up to `MOST` C++ cases whose name matches, always the same ones."""

    def every() -> Iterator[Case]:
        yield from statement_cases()
        yield from value_cases()
        yield from place_cases()
        yield from type_cases()

    found = [case for case in every() if re.search(pattern, case.name)]
    return sorted(found, key=lambda case: zlib.crc32(case.name.encode()))[:MOST]


def wrong(pattern: str) -> list[Verdict]:
    """Those of the matching cases that aren't what g++ makes of them."""
    with TemporaryDirectory() as folder:
        return [v for v in verdicts(matching(pattern), Path(folder), lift=False) if v.wrong]


if __name__ == "__main__":
    found = wrong(sys.argv[1])
    print("\n\n".join(map(str, found)))
    sys.exit(1 if found else 0)
