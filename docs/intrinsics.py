"""The intrinsics that `lift` knows, by header: `python docs/intrinsics.py`."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lifter.parse.older_headers import HEADERS
from lifter.parse.translation_unit import read_source

_MASKED = ("mask_", "maskz_", "mask3_")
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
        else:
            if cursor.kind.name == "FUNCTION_DECL" and re.match("_[a-z]", name):
                found.setdefault(name, []).append("numbers")
    return {name: sorted(widths) for name, widths in found.items()}


def main() -> None:
    known = names_of("immintrin.h")
    print(
        f"{sum(map(len, known.values()))} functions of immintrin.h; those with * have masked forms"
    )
    plain = {name: own for name, own in known.items() if not name.startswith(_MASKED)}
    for widths in sorted(set(map(tuple, plain.values())), key=lambda w: (len(w), w)):
        names = (
            f"{name}*" if any(f"{form}{name}" in known for form in _MASKED) else name
            for name, own in sorted(plain.items())
            if tuple(own) == widths
        )
        print("\nNumbers:" if "numbers" in widths else f"\n{' and '.join(widths)} bits:")
        print(textwrap.fill(" ".join(names), 118, break_long_words=False))


if __name__ == "__main__":
    main()
