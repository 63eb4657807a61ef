"""NEON's functions that `lift` knows, by what they are of: `python docs/neon_intrinsics.py`."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lifter.parse.older_headers import HEADERS
from lifter.parse.translation_unit import read_source

_TYPES = [f"{letter}{bits}" for letter in "sup" for bits in (8, 16, 32, 64)] + ["f16", "f32", "f64"]
_OF_TYPES = rf"_(?P<types>(?:(?:{'|'.join(_TYPES)})(?:_|$))+)"
_NAME = re.compile(
    rf"v(?P<op>ceq(?=q?_)|\w+?)(?P<q>q?)(?P<more>(?:_high|_n|_lane|_laneq|_dup|_low)*){_OF_TYPES}(?P<xn>x\d)?$"
)


def known() -> dict[str, set[tuple[str, str]]]:
    """For each operation the types of elements that it has, each with "q" where its vectors have
    128 bits."""
    found: dict[str, set[tuple[str, str]]] = {}
    for cursor in read_source(HEADERS / "arm_neon.h").parsed.declarations:
        name = _NAME.match(str(cursor.spelling))
        if cursor.kind.name == "FUNCTION_DECL" and name is not None:
            op = f"v{name['op']}{name['more']}{'_' + name['xn'] if name['xn'] else ''}"
            found.setdefault(op, set()).add((name["types"].rstrip("_"), name["q"]))
    return found


def _said(variants: set[tuple[str, str]]) -> str:
    """The types of an operation in words: `q` beside those that have 128 bits alone."""
    by_type: dict[str, set[str]] = {}
    for type, q in variants:
        by_type.setdefault(type, set()).add(q)
    order = sorted(by_type, key=lambda t: [_TYPES.index(part) for part in t.split("_")])
    if all(widths == {"", "q"} for widths in by_type.values()):
        return " ".join(order) + ", also with q"
    return " ".join(
        t + ("(q)" if w == {"", "q"} else "q" if w == {"q"} else "")
        for t in order
        for w in [by_type[t]]
    )


def main() -> None:
    operations = known()
    print(f"{sum(map(len, operations.values()))} functions of arm_neon.h")
    groups: dict[str, list[str]] = {}
    between = operations.pop("vreinterpret")
    for op, variants in operations.items():
        groups.setdefault(_said(variants), []).append(op)
    for said, names in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        print()
        print(textwrap.fill(f"{said}: {' '.join(sorted(names))}", 118, break_long_words=False))
    print(f"\nvreinterpret, from each type to each other: {len(between)}")


if __name__ == "__main__":
    main()
