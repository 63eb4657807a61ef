"""Writes the table of what the front end refuses anew, and says how much of the matrix is proved.

`python -m tests.conformance [--lift]`: without `--lift` nothing goes the whole way.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from .compare import Verdict, by_language, verdicts
from .kinds import with_each_kind
from .matrix import WHOLE
from .table import TABLE, refused


def main() -> None:
    found: list[Verdict] = []
    for batch in by_language(with_each_kind(WHOLE), 300):
        with TemporaryDirectory() as folder:
            found += verdicts(batch, Path(folder), lift="--lift" in sys.argv)
        wrong = [v for v in found if v.wrong]
        codes = Counter(v.code or "understood" for v in found)
        print(len(found), f"wrong: {len(wrong)}", dict(codes.most_common()), flush=True)
    for verdict in found:
        if verdict.wrong or verdict.code == "internal":
            print(verdict)
    TABLE.write_text(refused(v for v in found if not v.parsed))


main()
