"""Headers of intrinsics leave ordinary words to those who include them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from lifter.parse.older_headers import HEADERS
from lifter.parse.translation_unit import SourceFile, read_source

INCLUDE = HEADERS.parent / "include"
X86 = (
    "mmintrin.h", "xmmintrin.h", "emmintrin.h", "pmmintrin.h", "tmmintrin.h", "smmintrin.h",
    "popcntintrin.h", "nmmintrin.h", "immintrin.h", "x86intrin.h",
)  # fmt: skip
FOR_MODELS = {"LIFT_FUNCTION", "LIFT_REFUSED"}
"""What files for `--model` may ask for."""
TYPES_OF_LANES = {f"{kind}{bits}" for kind in "iusp" for bits in (8, 16, 32, 64)} | {"f32", "f64"}


@cache
def defined_somewhere() -> frozenset[str]:
    """Names of macros that any of our headers defines, and that aren't reserved for headers."""
    # In C++ the words of iso646.h are operators, not macros.
    files = [p for p in INCLUDE.rglob("*") if p.is_file() and p.name != "iso646.h"]
    texts = [path.read_text() for path in files]
    names = {name for text in texts for name in re.findall(r"# *define +(\w+)", text)}
    return frozenset(name for name in names if not name.startswith("_"))


@cache
def words() -> frozenset[str]:
    """The words of lists of intrinsics."""
    lists = [*map(INCLUDE.joinpath, (*X86, "arm_neon.h")), *(INCLUDE / "lift").glob("*.h")]
    of_lists = [path for path in lists if not path.name.startswith(("c_", "host", "builtins"))]
    names = {n for path in of_lists for n in re.findall(r"#define (\w+)", path.read_text())}
    return frozenset(n for n in names if not n.startswith(("_", "LIFT_"))) | TYPES_OF_LANES


def read(folder: Path, text: str, suffix: str = ".cpp") -> SourceFile:
    path = folder / f"user{suffix}"
    path.write_text(text)
    found = read_source(path)
    errors = [str(d) for d in found.parsed.unit.diagnostics if d.severity >= 3]
    assert not errors, errors[:3]
    return found


def functions(source: SourceFile) -> set[str]:
    declarations = source.parsed.declarations
    return {str(c.spelling) for c in declarations if c.kind.name == "FUNCTION_DECL"}


def including(headers: Sequence[str]) -> str:
    return "".join(f"#include <{header}>\n" for header in headers)


def left_defined(folder: Path, headers: Sequence[str]) -> set[str]:
    """The macros that are defined behind the headers, of all that any of ours defines."""
    asked = "".join(f"#ifdef {n}\nint left_{n};\n#endif\n" for n in sorted(defined_somewhere()))
    source = read(folder, including(headers) + asked)
    names = (str(c.spelling) for c in source.parsed.declarations)
    return {name.removeprefix("left_") for name in names if name.startswith("left_")}


@pytest.mark.parametrize("header", X86)
def test_no_word_of_the_lists_stays_defined(header: str, tmp_path: Path) -> None:
    assert left_defined(tmp_path, [header]) - left_defined(tmp_path, []) <= FOR_MODELS


def test_neon_leaves_what_its_vendor_says_alone(tmp_path: Path) -> None:
    left = left_defined(tmp_path, ["arm_neon.h"]) - left_defined(tmp_path, ["stdint.h"])
    assert left <= FOR_MODELS


@pytest.mark.parametrize(
    "headers", [X86, X86[::-1], ("immintrin.h", "mmintrin.h"), ("arm_neon.h",)]
)
def test_words_mean_to_users_what_they_had_meant(headers: Sequence[str], tmp_path: Path) -> None:
    """In any order of headers; and what the headers define stays the same."""
    assert len(words()) > 200
    mine = "".join(f"#define {word} {i}\n" for i, word in enumerate(sorted(words())))
    still = "".join(
        f'static_assert({word} == {i}, "{word}");\n' for i, word in enumerate(sorted(words()))
    )
    given = functions(read(tmp_path, mine + including(headers) + still))
    assert given == functions(read(tmp_path, including(headers)))


def test_c_has_the_words_as_well(tmp_path: Path) -> None:
    used = (
        "enum { COUNT = 3, SAT, HALF }; typedef unsigned char u8; int V(u8 MASK) { return MASK; }\n"
    )
    assert "V" in functions(read(tmp_path, including(X86) + used, ".c"))
