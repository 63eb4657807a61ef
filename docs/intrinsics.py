"""The intrinsics that `lift` knows, by header: `python docs/intrinsics.py`."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lifter.parse.older_headers import HEADERS
from lifter.parse.translation_unit import read_source

_WIDTHS = (("_mm512_", "512"), ("_mm256_", "256"), ("_mm_", "128"))


def names_of(header: str) -> dict[str, list[str]]:
    """The functions that a header defines, with what it includes, without what stands for their
    widths; for each the widths of vectors."""
    found: dict[str, list[str]] = {}
    for cursor in read_source(HEADERS / header).parsed.declarations:
        name = str(cursor.spelling)
        for prefix, bits in _WIDTHS:
            if cursor.kind.name == "FUNCTION_DECL" and name.startswith(prefix):
                found.setdefault(name.removeprefix(prefix), []).append(bits)
                break
    return {name: sorted(widths) for name, widths in found.items()}


def main() -> None:
    known = names_of("immintrin.h")
    print(f"{sum(map(len, known.values()))} functions of immintrin.h")
    for widths in (["128"], ["128", "256"], ["256"]):
        names = sorted(name for name, own in known.items() if own == widths)
        print(f"\n{' and '.join(widths)} bits:")
        print(textwrap.fill(" ".join(names), 118, break_long_words=False))


if __name__ == "__main__":
    main()
