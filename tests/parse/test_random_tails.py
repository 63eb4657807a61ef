"""Random loops over vectors with what is left behind them: what we parse is what g++ compiles.

Half a step more, local arrays that are copied to and from, pieces of a row, lanes under conditions,
each with its neighbours: counts that are no multiples, steps that differ, loops that end early.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import LENIENT, compile_original, may_be_called

FUNCTIONS, CASES = 10, 24
ALPHA = "_mm_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15)"
FIRST = "_mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12)"
TURNED = "_mm_setr_epi8(2, 1, 0, 5, 4, 3, 8, 7, 6, 11, 10, 9, 14, 13, 12, 15)"
VALUES = (
    "_mm_avg_epu8({0}, _mm_set1_epi8({1}))",
    "_mm_max_epu8({0}, _mm_set1_epi8({1}))",
    f"_mm_adds_epu8({{0}}, _mm_shuffle_epi8({{0}}, {ALPHA}))",
    f"_mm_subs_epu8({{0}}, _mm_shuffle_epi8({{0}}, {FIRST}))",
    f"_mm_shuffle_epi8({{0}}, {TURNED})",
    "_mm_add_epi8({0}, _mm_srli_si128({0}, 1))",
    "_mm_srli_epi16(_mm_mullo_epi16(_mm_unpacklo_epi8({0}, {0}), _mm_set1_epi16({1})), 4)",
)


class Writer:
    """Writes one function."""

    def __init__(self, seed: int) -> None:
        pick = self.pick = random.Random(seed)
        self.by_index = pick.random() < 0.5
        self.value, self.number = pick.choice(VALUES), pick.randrange(1, 120)
        source = pick.choice("sd")
        self.to, self.source = ("d + i", f"{source} + i") if self.by_index else ("d", source)
        self.left = "(n - i)" if self.by_index else "n"
        self.array = pick.choice(("t", "last", "i0"))

    def function(self, name: str) -> str:
        start = "int i = 0;" if self.by_index else ""
        tails = [self.copied, self.lanes, self.elements]
        if self.by_index:
            tails.append(self.pieces)
        body = f"{start} {self.loop()} {self.half()} {self.pick.choice(tails)()}"
        return f"void {name}(uint8_t *d, const uint8_t *s, int n) {{ {body} }}\n"

    def stored(self, to: str, source: str) -> str:
        loaded = f"_mm_loadu_si128((const __m128i *)({source}))"
        value = self.value.format(loaded, self.number)
        return f"_mm_storeu_si128((__m128i *)({to}), {value});"

    def step(self, count: int) -> str:
        return f"i += {count};" if self.by_index else f"n -= {count}; d += {count}; s += {count};"

    def condition(self, count: int) -> str:
        if not self.by_index:
            return f"n >= {count}"
        return self.pick.choice((f"i + {count} <= n", f"n - i >= {count}", f"i <= n - {count}"))

    def loop(self) -> str:
        if self.pick.random() < 0.2:
            return ""
        step = self.pick.choice((16, 16, 16, 32))
        body = self.stored(self.to, self.source) + self.step(self.pick.choice((step, 16)))
        return f"while ({self.condition(step)}) {{ {body} }}"

    def half(self) -> str:
        if self.pick.random() < 0.4:
            return ""
        count = self.pick.choice((8, 8, 8, 4, 16))
        loaded = f"_mm_loadl_epi64((const __m128i *)({self.source}))"
        value = self.value.format(loaded, self.number)
        step = self.step(self.pick.choice((count, count, count, 4, 8)))
        body = f"_mm_storel_epi64((__m128i *)({self.to}), {value}); {step}"
        return f"if ({self.condition(count)}) {{ {body} }}"

    def copied(self) -> str:
        left, pick = self.left, self.pick
        count, most = pick.choice(
            ((left, 16), (f"4 * {left}", 4), (f"4 * (size_t){left}", 4), (f"{left} / 2", 32),
             (f"{left} * 3", 5), (f"({left} < 16 ? {left} : 16)", 99), (f"({left} & 15)", 99))
        )  # fmt: skip
        back = pick.choice((count, count, count, f"({left} & 7)"))
        begin = pick.choice((" = {0}", " = {7}"))
        return (
            f"if ({left} > 0 && {left} <= {most}) {{ uint8_t {self.array}[16]{begin};"
            f"__builtin_memcpy({self.array}, {self.source}, {count});"
            f"{self.stored(self.array, self.array)}"
            f"__builtin_memcpy({self.to}, {self.array}, {back}); }}"
        )

    def pieces(self) -> str:
        pick = self.pick
        most = pick.choice((8, 16, 16, 12))
        length = pick.choice(
            (f"n - i < {most} ? n - i : {most}", f"{most} < n - i ? {most} : n - i",
             f"n - i <= {most} ? n - i : {most}")
        )  # fmt: skip
        more = pick.choice(("", "", "if (s[i] == 7) break;", "m = m > 1 ? m - 1 : m;"))
        return (
            f"while (i < n) {{ int m = {length}; {more} uint8_t {self.array}[16] = {{0}};"
            f"__builtin_memcpy({self.array}, {self.source}, m);"
            f"{self.stored(self.array, self.array)}"
            f"__builtin_memcpy({self.to}, {self.array}, m); i += m; }}"
        )

    def lanes(self) -> str:
        around = self.pick.choice(("", f"if ({self.left} > 0)", f"if ({self.left} > 2)"))
        return (
            f"{around} for (int k = 0; k < {self.pick.choice((8, 16))}; k++) if (k < {self.left})"
            f" ({self.to})[k] = ({self.source})[k] ^ {self.number};"
        )

    def elements(self) -> str:
        return f"for (int k = 0; k < {self.left}; k++) ({self.to})[k] = ({self.source})[k] + 1;"


@pytest.mark.parametrize("seed", range(3))
def test_random_tails_are_what_gcc_makes_of_them(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 300))
def test_more_random_tails_are_what_gcc_makes_of_them(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)


def check(seed: int, folder: Path) -> None:
    path = folder / "tails.cpp"
    writers = [Writer(100 * seed + i) for i in range(FUNCTIONS)]
    functions = "".join(w.function(f"f{i}") for i, w in enumerate(writers))
    path.write_text("#include <immintrin.h>\n#include <cstdint>\n#include <cstddef>\n" + functions)
    found = parse_file(path, clang_args=["-mssse3"])
    kernels = [kernel for kernel in found.kernels if kernel.region is None]
    assert len(kernels) > FUNCTIONS // 2, found.failed
    original = compile_original(path, kernels, options=(*LENIENT, "-mssse3"))
    called = 0
    for kernel in kernels:
        for case in cases(kernel, seed, CASES):
            outcome = run_case(kernel, case)
            if may_be_called(outcome):
                differences = original.differences(kernel, case, outcome)
                assert not differences, f"{kernel.name}\n{case}\n{differences[0]}"
                called += 1
    assert called >= len(kernels) * CASES // 3
