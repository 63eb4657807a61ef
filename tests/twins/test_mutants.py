"""Twins with a bug planted in the vectors, judged by `lift twin` and by the processor.

What is called different is run, by the test in C that comes with it; and what is called equal is
run on inputs of many kinds, too.
"""

from __future__ import annotations

import platform
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from lifter.settings.flags import Flags
from lifter.twins.check import TwinOptions, check_pair
from lifter.twins.pair import Pair, Side, kernel_of, neighbours
from tests.twins.running import agrees

pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or platform.machine() != "x86_64",
    reason="there is no C compiler for these vectors",
)
CORPUS = Path(__file__).parents[2] / "corpus/twins"
MUTANTS = [
    ("add_row", "blend", "sse2", "_mm_adds_epu8", "_mm_add_epi8"),
    ("add_row", "blend", "sse2", "_mm_adds_epu8", "_mm_adds_epi8"),
    ("select_row", "blend", "sse2", "i += 16", "i += 8"),  # is equal: elements are done again
    ("select_row", "blend", "sse2", "_mm_andnot_si128", "_mm_and_si128"),
    ("bias_sub_row", "blend", "sse2", "_mm_unpackhi_epi8", "_mm_unpacklo_epi8"),
    ("bias_sub_row", "blend", "sse2", "_mm_packus_epi16", "_mm_packs_epi16"),
    ("halve_row", "filter", "sse2", ">> 1", "+ 1 >> 1"),  # mends it
    ("abs_row_s16", "filter", "ssse3", "_mm_abs_epi16", "_mm_sign_epi16"),
    ("f32_to_u16_row", "fconv", "sse41", "_mm_packus_epi32", "_mm_packs_epi32"),
    ("f32_to_u8_row", "fconv", "sse41", "0.5f", "0.49999997f"),
    ("shl_row_u16", "filter", "sse2", "_mm_cvtsi32_si128(count)", "_mm_cvtsi32_si128(count & 15)"),
    ("mul_row_q15", "filter", "ssse3", "_mm_mulhrs_epi16", "_mm_mulhi_epi16"),
]
RUNS = 4


def mutant(folder: Path, name: str, family: str, kind: str, old: str, new: str) -> Pair:
    """The portable function and its twin with `new` for `old`, which stands in the twin or, where
    it doesn't, in a helper."""
    for file in CORPUS.glob("*.[ch]"):
        if "neon" not in file.name:
            shutil.copy(file, folder)
    file = folder / f"{family}_{kind}.c"
    text = file.read_text()
    begin = text.index(f"{name}_{kind}(")
    place = text.find(old, begin, text.index("\n}", begin))
    if place < 0:
        place = text.index(old)
    file.write_text(text[:place] + new + text[place + len(old) :])
    bounds = {"bias_sub_row": ("bias >= 0 && bias <= 255",)}
    flags = Flags(assumptions=bounds.get(name, ()))
    sides = (
        Side(str(folder / f"{family}.c"), f"{name}_c", flags),
        Side(str(file), f"{name}_{kind}", flags),
    )
    library = tuple((path, flags) for path in neighbours([s.file for s in sides]))
    return Pair(*sides, library)


def some_input(pair: Pair, source: random.Random) -> dict[str, object]:
    """A row of up to 70 elements, mostly of extreme values."""
    kernel = kernel_of(pair.first, pair)
    scalars: dict[str, object] = {}
    arrays: dict[str, list[list[object]]] = {}
    for param in kernel.params:
        if param.kind == "scalar":
            scalars[param.name] = (
                source.randrange(71)
                if param.name == "n"
                else source.choice((0, 1, 127, 128, 255, source.randrange(256)))
            )
            continue
        few: tuple[float, ...] = (0.0, 0.5, 1.0, -1.0, 1 / 510, 40000.0, 1e9)
        if param.type.is_integer:
            few = (param.type.min, param.type.max, 0, 1, param.type.max // 2 + 1)
        arrays[param.name] = [[place, source.choice(few)] for place in range(70)]
    return {"scalars": scalars, "arrays": arrays, "used": {}}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("name", "family", "kind", "old", "new"), MUTANTS)
def test_the_processor_says_the_same(
    tmp_path: Path, name: str, family: str, kind: str, old: str, new: str
) -> None:
    pair = mutant(tmp_path, name, family, kind, old, new)
    found = check_pair(pair, TwinOptions(40.0))
    assert found.verdict != "unreadable"
    if found.verdict == "not-equal":
        assert not agrees(found, pair, tmp_path)
        return
    source = random.Random(name + new)
    for _ in range(RUNS):
        tried = replace(found, input=some_input(pair, source))
        if found.verdict == "equal":
            assert agrees(tried, pair, tmp_path), tried.input
