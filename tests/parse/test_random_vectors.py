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
BY_REGISTER = (
    "sll_epi16", "sll_epi32", "sll_epi64", "srl_epi16", "srl_epi32", "srl_epi64", "sra_epi16",
    "sra_epi32",
)  # fmt: skip
ONE = ("abs_epi8", "abs_epi16", "abs_epi32")
HALVES = (
    "_mm_castps_si128(_mm_{op}_ps(_mm_cvtepi32_ps({a}), _mm_cvtepi32_ps({b})))",
    "_mm_cvttps_epi32(_mm_mul_ps(_mm_cvtepi32_ps(_mm_srai_epi32({a}, 8)), _mm_set1_ps(0.75f)))",
    "_mm_cvtepu8_epi16({a})", "_mm_cvtepi16_epi32({b})", "_mm_cvtepi8_epi32({a})",
    "_mm_insert_epi16({a}, k, {n})", "_mm_insert_epi8({a}, (int)s[1], {n})",
    "_mm_set1_epi16((short)_mm_movemask_epi8({a}))", "_mm_cvtsi32_si128(k)",
    "_mm_set1_epi8((char)_mm_extract_epi16({b}, {n}))", "_mm_bslli_si128({a}, {n})",
    "_mm_set1_epi32(_mm_cvtsi128_si32({b}))", "_mm_bsrli_si128({a}, {n})",
    "_mm_blend_epi16({a}, {b}, {m})",
    "_mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)t), {a})",
)  # fmt: skip
"""What there is for 128 bits alone, or what has another name for 256."""
WHOLES = (
    "_mm256_permute4x64_epi64({a}, {m})",
    "_mm256_castsi128_si256(_mm256_extracti128_si256({a}, 1))",
    "_mm256_cvtepu8_epi16(_mm256_castsi256_si128({a}))", "_mm256_bslli_epi128({a}, {n})",
    "_mm256_cvtepi16_epi32(_mm256_extracti128_si256({b}, 1))", "_mm256_bsrli_epi128({a}, {n})",
    "_mm256_castps_si256(_mm256_{op}_ps(_mm256_cvtepi32_ps({a}), _mm256_cvtepi32_ps({b})))",
    "_mm256_set1_epi16((short)_mm_extract_epi16(_mm256_castsi256_si128({a}), {n}))",
)  # fmt: skip
"""The same of 256; the upper half of what is cast isn't defined."""
UNDEFINED = "a vector is stored of which not all lanes have values"


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
        kind = pick.randrange(14)
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
        if kind == 7:
            shape = pick.choice(HALVES if self.bits == 128 else WHOLES)
            op = pick.choice(("min", "max", "add", "sub", "cmplt"))
            op = op if self.bits == 128 or op != "cmplt" else "min"
            n, m = pick.randrange(1, 8), pick.randrange(256)
            return shape.format(a=a, b=b, n=n, m=m, op=op)
        if kind == 8:
            count = pick.choice(("_mm_cvtsi32_si128(k)", "_mm_cvtsi32_si128(k & 31)"))
            return f"{self.op}{pick.choice(BY_REGISTER)}({a}, {count})"
        if kind == 9:
            places = (pick.choice((pick.randrange(16), -1, 200)) for _ in range(self.bits // 8))
            table = ", ".join(f"(char){p}" for p in places)
            return f"{self.op}shuffle_epi8({a}, {self.op}setr_epi8({table}))"
        return f"{self.op}{pick.choice(TWO)}({a}, {b})"

    def load(self, at: str) -> str:
        """Of a whole vector, or a part of one where it has 128 bits."""
        kind = self.random.randrange(8) if self.bits == 128 else 2
        if kind == 0:
            return f"_mm_loadl_epi64((const __m128i *)({at}))"
        if kind == 1:
            return f"_mm_cvtsi32_si128(*(const int *)({at}))"
        return f"{self.op}loadu_si{self.bits}((const {self.type} *)({at}))"

    def store(self, at: str, value: str) -> str:
        kind = self.random.randrange(10)
        half = value if self.bits == 128 else f"_mm256_castsi256_si128({value})"
        if kind == 0:
            return f"_mm_storel_epi64((__m128i *)({at}), {half});"
        if kind == 1:
            return f"*(int *)({at}) = _mm_cvtsi128_si32({half});"
        if kind == 2:
            return f"({at})[0] = (uint8_t)_mm_extract_epi8({half}, {self.random.randrange(16)});"
        whole = f"{self.op}storeu_si{self.bits}(({self.type} *)({at}), {value});"
        if kind == 4:
            own, n = whole.replace(at, "own"), self.random.randrange(self.bits // 8)
            return f"{{ uint8_t own[32]; {own} ({at})[0] = own[{n}]; ({at})[1] = own[k & 15]; }}"
        return f"if (k & 2) {whole}" if kind == 3 else whole

    def statements(self, place: str) -> str:
        pick = self.random
        lines, names = [], []
        for i in range(pick.randint(1, 3)):
            source = pick.choice(("s", "t", "d"))
            at = f"{source} + {place} + {pick.choice((0, 0, 0, 1, 3, 16))}"
            lines.append(f"{self.type} v{i} = {self.load(at)};")
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
        if pick.random() < 0.2:
            # The second may be a part of what the others store.
            bases = (f"d + {place}", "d + (k & 63)", f"d + {place} + {self.bits // 8}")
            lines += [self.store(at, pick.choice(names)) for at in bases]
        for _ in range(pick.randint(1, 2)):
            base = pick.choice((place, place, place, "(k & 63)"))
            at = f"d + {base} + {pick.choice((0, 0, 1, 5, 16))}"
            lines.append(self.store(at, pick.choice(names[-3:])))
        return "\n    ".join(lines)

    def function(self, name: str) -> str:
        head = f"void {name}(uint8_t *d, const uint8_t *s, const uint8_t *t, int k, int n) {{\n"
        step = self.bits // 8
        if self.random.random() < 0.5:
            tail = self.random.choice(("", "for (; i < n; i++) d[i] = (uint8_t)(s[i] - t[i]);"))
            body = f"  int i = 0;\n  for (; i + {step} <= n; i += {step}) {{\n    "
            return f"{head}{body}{self.statements('i')}\n  }}\n  {tail}\n}}\n"
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
    assert {failed.diagnostic.message for failed in found.failed} <= {UNDEFINED}, found.diagnostics
    assert len(found.kernels) > FUNCTIONS // 2
    original = compile_original(path, found.kernels, options=(*LENIENT, *FLAGS))
    called = 0
    for kernel in found.kernels:
        for case in cases(kernel, seed, CASES):
            outcome = run_case(kernel, case)
            if may_be_called(outcome):
                differences = original.differences(kernel, case, outcome)
                assert not differences, f"{kernel.source}\n{case}\n{differences[0]}"
                called += 1
    assert called >= len(found.kernels) * CASES // 2
