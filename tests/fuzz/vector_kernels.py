"""Random kernels of vectors as people write them: main loops over whole vectors, and what is left.

A value is written twice, over vectors and over numbers, so that tails can be loops over elements.
What only vectors do, as shuffles, stands in kernels without such tails.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from tests.fuzz.legacy_kernels import LegacyKernel

HEAD = """#pragma GCC target("avx2")
#include <immintrin.h>
#define SATURATED(low, high, x) ((x) < (low) ? (low) : (x) > (high) ? (high) : (x))
"""
SCALARS = tuple((n, "int") for n in ("width", "height", "dstStride", "srcStride", "k"))
ROUNDED = "({a} + {b} + 1) >> 1"
_U8 = {
    "avg_epu8": ROUNDED, "adds_epu8": "SATURATED(0, 255, {a} + {b})",
    "subs_epu8": "SATURATED(0, 255, {a} - {b})", "max_epu8": "{a} > {b} ? {a} : {b}",
    "min_epu8": "{a} < {b} ? {a} : {b}", "add_epi8": "{a} + {b}", "sub_epi8": "{a} - {b}",
    "cmpeq_epi8": "{a} == {b} ? 255 : 0", "cmpgt_epi8": "(int8_t){a} > (int8_t){b} ? 255 : 0",
    "adds_epi8": "SATURATED(-128, 127, (int8_t){a} + (int8_t){b})",
    "subs_epi8": "SATURATED(-128, 127, (int8_t){a} - (int8_t){b})",
}  # fmt: skip
_I16 = {
    "add_epi16": "{a} + {b}", "sub_epi16": "{a} - {b}", "mullo_epi16": "{a} * {b}",
    "mulhi_epi16": "{a} * {b} >> 16", "max_epi16": "{a} > {b} ? {a} : {b}",
    "mulhi_epu16": "(uint32_t)(uint16_t){a} * (uint16_t){b} >> 16",
    "adds_epi16": "SATURATED(-32768, 32767, {a} + {b})", "min_epi16": "{a} < {b} ? {a} : {b}",
    "subs_epi16": "SATURATED(-32768, 32767, {a} - {b})", "cmpgt_epi16": "{a} > {b} ? -1 : 0",
    "avg_epu16": "((uint16_t){a} + (uint16_t){b} + 1) >> 1",
    "mulhrs_epi16": "(({a} * {b} >> 14) + 1) >> 1",
    "subs_epu16": "SATURATED(0, 65535, (uint16_t){a} - (uint16_t){b})",
}  # fmt: skip
_U32 = {
    "add_epi32": "{a} + {b}", "sub_epi32": "{a} - {b}", "mullo_epi32": "{a} * {b}",
    "cmpgt_epi32": "(int32_t){a} > (int32_t){b} ? ~0u : 0u", "max_epu32": "{a} > {b} ? {a} : {b}",
    "min_epi32": "(int32_t){a} < (int32_t){b} ? {a} : {b}",
}  # fmt: skip
_BITS = {"and": "{a} & {b}", "or": "{a} | {b}", "xor": "{a} ^ {b}", "andnot": "~{a} & {b}"}
_SHIFTS = {
    "int16_t": {
        "slli_epi16": "{a} * (1 << {n})", "srai_epi16": "{a} >> {n}",
        "srli_epi16": "(uint16_t){a} >> {n}",
    },
    "uint32_t": {
        "slli_epi32": "{a} << {n}", "srli_epi32": "{a} >> {n}",
        "srai_epi32": "(int32_t){a} >> {n}",
    },
}  # fmt: skip
_TWO = {"uint8_t": _U8, "int16_t": _I16, "uint32_t": _U32}
_SIZE = {"uint8_t": 1, "int16_t": 2, "uint32_t": 4}
_ACROSS = {
    "uint8_t": (
        "unpacklo_epi8({a}, {b})", "unpackhi_epi8({a}, {b})", "alignr_epi8({a}, {b}, {n})",
        "packus_epi16({a}, {b})", "maddubs_epi16({a}, {b})", "shuffle_epi8({a}, {t})",
        "packs_epi16({a}, {b})", "sad_epu8({a}, {b})", "blendv_epi8({a}, {b}, {c})",
        "bslli_{whole}({a}, {n})", "bsrli_{whole}({a}, {n})", "sign_epi8({a}, {b})",
    ),
    "int16_t": (
        "unpacklo_epi16({a}, {b})", "unpackhi_epi16({a}, {b})", "hadd_epi16({a}, {b})",
        "packs_epi32({a}, {b})", "madd_epi16({a}, {b})", "hsub_epi16({a}, {b})",
        "shufflelo_epi16({a}, {m})", "shufflehi_epi16({a}, {m})", "abs_epi16({a})",
        "sll_epi16({a}, count)", "sra_epi16({a}, count)", "blendv_epi8({a}, {b}, {c})",
    ),
    "uint32_t": (
        "unpacklo_epi32({a}, {b})", "unpackhi_epi64({a}, {b})", "hadd_epi32({a}, {b})",
        "shuffle_epi32({a}, {m})", "mul_epu32({a}, {b})", "srl_epi32({a}, count)",
        "srl_epi64({a}, count)", "slli_epi64({a}, {n})", "alignr_epi8({a}, {b}, {n})",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class _Value:
    """A value over vectors, and the same over numbers; None where only vectors have it."""

    vector: str
    number: str | None


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"vectors {seed}")
        pick = self.random.choice
        self.name = f"vectors{seed}"
        self.type = pick(tuple(_SIZE))
        self.bits = pick((128, 128, 256))
        self.op, self.vector = ("_mm_", "__m128i") if self.bits == 128 else ("_mm256_", "__m256i")
        self.whole = f"si{self.bits}"
        self.step = self.bits // 8 // _SIZE[self.type]
        self.has_tail = pick((True, True, False))
        self.is_image = pick((True, False))

    def value(self, depth: int, leaves: list[_Value]) -> _Value:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.15:
            return pick(leaves)
        kind = self.random.randrange(10)
        a = self.value(depth - 1, leaves)
        if kind < 2 and self.type in _SHIFTS:
            name, twin = pick(tuple(_SHIFTS[self.type].items()))
            by = pick((1, 2, 5, 8, 15))
            return self.made(f"{name}({a.vector}, {by})", twin, a, a, n=by)
        b = self.value(depth - 1, leaves)
        if kind < 4:
            name, twin = pick(tuple(_BITS.items()))
            return self.made(f"{name}_{self.whole}({a.vector}, {b.vector})", twin, a, b)
        if kind < 6 and not self.has_tail:
            return self.across(a, b, pick(leaves))
        name, twin = pick(tuple(_TWO[self.type].items()))
        return self.made(f"{name}({a.vector}, {b.vector})", twin, a, b)

    def made(self, call: str, twin: str, a: _Value, b: _Value, **more: int) -> _Value:
        known = a.number is not None and b.number is not None
        number = f"({self.type})({twin.format(a=a.number, b=b.number, **more)})" if known else None
        return _Value(self.op + call, number)

    def across(self, a: _Value, b: _Value, c: _Value) -> _Value:
        pick = self.random
        places = [pick.choice((pick.randrange(16), pick.randrange(16), -1, 131)) for _ in range(16)]
        table = f"_mm_setr_epi8({', '.join(f'(char){p}' for p in places)})"
        if self.bits == 256:
            table = f"_mm256_broadcastsi128_si256({table})"
        shape = pick.choice(_ACROSS[self.type])
        if self.bits == 256 and "bs" in shape:
            shape = shape.replace("_{whole}", "_epi128")
        return _Value(
            self.op
            + shape.format(
                a=a.vector, b=b.vector, c=c.vector, whole=self.whole, m=pick.randrange(256),
                n=pick.choice((1, 3, 4, 8, 13, 15)), t=table,
            ),
            None,
        )  # fmt: skip

    def load(self, array: str, at: int) -> _Value:
        place = f"{array} + i" + (f" + {at}" if at > 0 else f" - {-at}" if at else "")
        index = place.removeprefix(f"{array} + ")
        if at == 0 and not self.has_tail and self.bits == 128 and self.random.random() < 0.15:
            return _Value(f"_mm_loadl_epi64((const __m128i *)({place}))", None)
        return _Value(
            f"{self.op}loadu_{self.whole}((const {self.vector} *)({place}))", f"{array}[{index}]"
        )

    def leaves(self) -> list[_Value]:
        pick = self.random.choice
        size = {1: 8, 2: 16, 4: 32}[_SIZE[self.type]]
        cast = {1: "(char)", 2: "(short)", 4: ""}[_SIZE[self.type]]
        found = [self.load("s", 0), self.load("t", 0)]
        found += [self.load("s", pick((-1, 1, 2, 16)))] if pick((0, 1)) else []
        found += [self.load("d", 0)] if pick((0, 1)) else []
        number = pick(("k", str(pick((1, 3, 127, 128, 255, 1000)))))
        found.append(_Value(f"{self.op}set1_epi{size}({cast}{number})", f"({self.type}){number}"))
        return found

    def store(self, value: str) -> str:
        place = "d + i"
        kind = self.random.randrange(8)
        if not self.has_tail and self.bits == 128 and kind == 0:
            return f"_mm_storel_epi64((__m128i *)({place}), {value});"
        if not self.has_tail and kind == 1:
            at = self.random.choice((1, self.step // 2, self.step))
            place = f"{place} + {at}"
        return f"{self.op}storeu_{self.whole}(({self.vector} *)({place}), {value});"

    def widened(self) -> tuple[str, _Value]:
        """Bytes as words, a helper of words, and bytes again."""
        self.type, self.step = "int16_t", self.bits // 16
        body = self.value(
            3, [_Value("x", "x"), _Value("y", "y"), _Value(f"{self.op}set1_epi16(77)", "77")]
        )
        self.type, self.step = "uint8_t", self.bits // 8
        v, zero = self.vector, f"{self.op}setzero_{self.whole}()"
        helper = f"static inline {v} {self.name}_words({v} x, {v} y) {{ return {body.vector}; }}\n"
        a, b = self.load("s", 0), self.load("t", 0)
        parts = [
            f"{self.name}_words(" + ", ".join(
                f"{self.op}unpack{half}_epi8({one.vector}, {zero})" for one in (a, b)
            ) + ")"
            for half in ("lo", "hi")
        ]  # fmt: skip
        packed = self.random.choice(("packus", "packs"))
        low, high = (0, 255) if packed == "packus" else (-128, 127)
        number = None
        if body.number is not None:
            helper += (
                f"static inline int16_t {self.name}_word(int16_t x, int16_t y) "
                f"{{ return {body.number}; }}\n"
            )
            word = f"{self.name}_word({a.number}, {b.number})"
            number = f"(uint8_t)SATURATED({low}, {high}, {word})"
        return helper, _Value(f"{self.op}{packed}_epi16({', '.join(parts)})", number)

    def kernel(self) -> LegacyKernel:
        pick = self.random.choice
        helper = ""
        if self.type == "uint8_t" and pick((0, 0, 1)):
            helper, value = self.widened()
        else:
            value = self.value(self.random.randint(1, 3), self.leaves())
        n = self.step
        store = self.store(value.vector)
        tail = ""
        if self.has_tail:
            assert value.number is not None
            tail = f"for (; i < width; i++) d[i] = {value.number};"
        loop = pick((
            f"int i = 0; for (; i + {n} <= width; i += {n}) {{ {store} }} {tail}",
            f"int i = 0; for (; i < (width & ~{n - 1}); i += {n}) {{ {store} }} {tail}",
            f"int i = 0; for (int v = width / {n}; v > 0; v--, i += {n}) {{ {store} }} {tail}",
            f"int i = 0; while (width - i >= {n}) {{ {store} i += {n}; }} {tail}",
            f"int i = 0; if (width >= {n}) do {{ {store} i += {n}; }} while (i <= width - {n});"
            f" {tail}",
        ))  # fmt: skip
        count = "const __m128i count = _mm_cvtsi32_si128(k);" if "count)" in store else ""
        body = f"    {count} {loop}"
        if self.is_image:
            move = "d += dstStride, s += srcStride, t += srcStride"
            body = f"    {count} for (int y = 0; y < height; y++, {move}) {{ {loop} }}"
        pointers = (("d", self.type), ("s", self.type), ("t", self.type))
        params = [f"{'' if p == 'd' else 'const '}{type} *{p}" for p, type in pointers]
        params += [f"{type} {p}" for p, type in SCALARS]
        source = f"{HEAD}{helper}void {self.name}({', '.join(params)})\n{{\n{body}\n}}\n"
        return LegacyKernel(self.name, source, pointers, SCALARS, -1)


def vector_kernel(seed: int) -> LegacyKernel:
    """The kernel of this seed, the same in every run."""
    return _Writer(seed).kernel()
