"""Random programs of vectors: what we parse is what g++ compiles.

Each function loads, computes and stores vectors of one or two widths, in loops and branches, in
place or not. Replay with the seed in the test's name.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import LENIENT, compile_original, may_be_called

FUNCTIONS, CASES = 8, 4
FLAGS = ("-mavx2",)
TWO = (
    "adds_epu8", "adds_epi8", "adds_epu16", "adds_epi16", "subs_epu8", "subs_epi16", "avg_epu8",
    "avg_epu16", "max_epu8", "min_epu8", "max_epi16", "min_epi16", "add_epi8", "add_epi16",
    "add_epi32", "add_epi64", "sub_epi8", "sub_epi16", "sub_epi32", "mullo_epi16", "mulhi_epi16",
    "mulhi_epu16", "mul_epu32", "madd_epi16", "sad_epu8", "cmpeq_epi8", "cmpeq_epi16",
    "cmpeq_epi32", "cmpgt_epi8", "cmpgt_epi16", "cmpgt_epi32", "unpacklo_epi8", "unpacklo_epi16",
    "unpacklo_epi32", "unpacklo_epi64", "unpackhi_epi8", "unpackhi_epi16", "unpackhi_epi32",
    "unpackhi_epi64", "packs_epi16", "packus_epi16", "packs_epi32", "maddubs_epi16",
    "mulhrs_epi16", "hadd_epi16", "hadd_epi32", "sign_epi8", "sign_epi16", "max_epi8",
    "min_epu16", "max_epu16", "mullo_epi32", "mul_epi32", "packus_epi32",
)  # fmt: skip
SHIFTS = (
    "slli_epi16", "slli_epi32", "slli_epi64", "srli_epi16", "srli_epi32", "srli_epi64",
    "srai_epi16", "srai_epi32",
)  # fmt: skip
ONE = ("abs_epi8", "abs_epi16", "abs_epi32")


class Writer:
    """Writes one random function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        wide = self.random.random() < 0.4
        self.type, self.op, self.bits = (
            ("__m256i", "_mm256_", 256) if wide else ("__m128i", "_mm_", 128)
        )

    def value(self, names: list[str]) -> str:
        pick = self.random
        a, b, c = (pick.choice(names) for _ in range(3))
        kind = pick.randrange(10)
        if kind == 0:
            return f"{self.op}{pick.choice(ONE)}({a})"
        if kind == 1:
            return f"{self.op}{pick.choice(SHIFTS)}({a}, {pick.choice((1, 4, 7, 8, 15, 16, 33))})"
        if kind == 2:
            return f"{self.op}alignr_epi8({a}, {b}, {pick.choice((1, 3, 8, 15, 16, 20, 40))})"
        if kind == 3:
            whole = {128: "si128", 256: "si256"}[self.bits]
            return f"{self.op}{pick.choice(('and', 'or', 'xor', 'andnot'))}_{whole}({a}, {b})"
        if kind == 4:
            return f"{self.op}blendv_epi8({a}, {b}, {c})"
        if kind == 5:
            name = pick.choice(("shuffle_epi32", "shufflelo_epi16", "shufflehi_epi16"))
            return f"{self.op}{name}({a}, {pick.randrange(256)})"
        if kind == 6:
            return f"{self.op}set1_epi{pick.choice(('8((char)k', '16((short)k', '32(k'))})"
        return f"{self.op}{pick.choice(TWO)}({a}, {b})"

    def statements(self, place: str) -> str:
        pick = self.random
        whole = {128: "si128", 256: "si256"}[self.bits]
        lines, names = [], []
        for i in range(pick.randint(1, 3)):
            source = pick.choice(("s", "t", "d"))
            at = f"{source} + {place} + {pick.choice((0, 0, 0, 1, 3, 16))}"
            lines.append(f"{self.type} v{i} = {self.op}loadu_{whole}((const {self.type} *)({at}));")
            names.append(f"v{i}")
        for i in range(pick.randint(1, 6)):
            if pick.random() < 0.3:
                lines.append(f"{pick.choice(names)} = {self.value(names)};")
            else:
                lines.append(f"{self.type} w{i} = {self.value(names)};")
                names.append(f"w{i}")
            if pick.random() < 0.15:
                name = pick.choice(names)
                lines.append(f"if (k & {1 << pick.randrange(3)}) {name} = {self.value(names)};")
        for _ in range(pick.randint(1, 2)):
            at = f"d + {place} + {pick.choice((0, 0, 1, 16))}"
            value = pick.choice(names[-3:])
            lines.append(f"{self.op}storeu_{whole}(({self.type} *)({at}), {value});")
        return "\n    ".join(lines)

    def function(self, name: str) -> str:
        head = f"void {name}(uint8_t *d, const uint8_t *s, const uint8_t *t, int k, int n) {{\n"
        step = self.bits // 8
        if self.random.random() < 0.5:
            body = f"  for (int i = 0; i + {step} <= n; i += {step}) {{\n    "
            return f"{head}{body}{self.statements('i')}\n  }}\n}}\n"
        kept = f"  {self.type} v = {self.op}set1_epi8(3);\n"
        after = self.value(["v", "v0"])
        whole = {128: "si128", 256: "si256"}[self.bits]
        store = f"{self.op}storeu_{whole}(({self.type} *)d, v);"
        body = f"  for (int i = 0; i < (n & 31); i += 8) {{\n    {self.statements('i')}\n"
        return f"{head}{kept}{body}    v = {after};\n  }}\n  {store}\n}}\n"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("seed", range(8))
def test_random_vectors_are_what_gcc_makes_of_them(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 225))
def test_more_random_vectors_are_what_gcc_makes_of_them(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)


def check(seed: int, folder: Path) -> None:
    path = folder / "random.cpp"
    writers = [Writer(100 * seed + i) for i in range(FUNCTIONS)]
    functions = "".join(w.function(f"f{i}") for i, w in enumerate(writers))
    path.write_text("#include <immintrin.h>\n#include <cstdint>\n" + functions)
    found = parse_file(path)
    assert not found.failed and len(found.kernels) == FUNCTIONS, found.failed
    original = compile_original(path, found.kernels, options=(*LENIENT, *FLAGS))
    called = 0
    for kernel in found.kernels:
        for case in cases(kernel, seed, CASES):
            outcome = run_case(kernel, case)
            if may_be_called(outcome):
                differences = original.differences(kernel, case, outcome)
                assert not differences, f"{kernel.source}\n{case}\n{differences[0]}"
                called += 1
    assert called >= FUNCTIONS * CASES // 2
