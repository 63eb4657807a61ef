"""What vectors do otherwise than one takes them to: small kernels, alone and in pairs.

Each `Trap` is a kernel whose obvious reading is wrong; `other` is what in its text makes it the
kernel that somebody might have taken it for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.fuzz.legacy_kernels import LegacyKernel

HEAD = '#pragma GCC target("avx2")\n#include <immintrin.h>\n'
_SCALARS = tuple((n, "int") for n in ("width", "height", "dstStride", "srcStride", "k"))
U8, I8, U16, I16, U32, I32 = "uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t"
_SIZES = {U8: 1, I8: 1, U16: 2, I16: 2, U32: 4, I32: 4, "float": 4}


@dataclass(frozen=True)
class Trap:
    kernel: LegacyKernel
    other: tuple[str, str] | None
    """A part of the body, and what stands in its place in the other kernel."""

    @property
    def name(self) -> str:
        return self.kernel.name

    def turned(self) -> LegacyKernel:
        """The other kernel of the pair, by the same name."""
        assert self.other is not None
        head, brace, body = self.kernel.source.partition("\n{\n")
        assert body.count(self.other[0]) == 1, (self.name, self.other)
        return replace(self.kernel, source=head + brace + body.replace(*self.other))


def _written(name: str, body: str, other: tuple[str, str] | None, *arrays: str) -> Trap:
    """A kernel over arrays `d`, `s` and `t` of these element types."""
    pointers = tuple(zip(("d", "s", "t"), arrays, strict=False))
    params = [f"{'' if n == 'd' else 'const '}{type} *{n}" for n, type in pointers]
    params += [f"{type} {n}" for n, type in _SCALARS]
    source = f"{HEAD}void {name}({', '.join(params)})\n{{\n{body}\n}}\n"
    return Trap(LegacyKernel(name, source, pointers, _SCALARS, -1), other)


def _whole(
    name: str,
    value: str,
    other: tuple[str, str] | None = None,
    *,
    d: str = U8,
    s: str = U8,
    bits: int = 128,
    before: str = "",
) -> Trap:
    """`value` of vectors `a` (of s), `b` (of t, the same type) and `c` (of d) goes to d.

    As many elements of each are read as of d are written.
    """
    op, vector = ("_mm_", "__m128i") if bits == 128 else ("_mm256_", "__m256i")
    step = bits // 8 // max(_SIZES[d], _SIZES[s])
    load = f"{op}loadu_si{bits}((const {vector} *)({{}} + i))"
    body = f"""{before}
    for (int i = 0; i + {step} <= width; i += {step}) {{
        const {vector} a = {load.format("s")}, b = {load.format("t")}, c = {load.format("d")};
        {op}storeu_si{bits}(({vector} *)(d + i), {value});
    }}"""
    return _written(name, body, other, d, s, s)


def _floats(name: str, value: str, other: tuple[str, str] | None = None) -> Trap:
    """The same of floats. `n` is a / b: it is NaN where both are zero."""
    body = f"""
    for (int i = 0; i + 4 <= width; i += 4) {{
        const __m128 a = _mm_loadu_ps(s + i), b = _mm_loadu_ps(t + i), n = _mm_div_ps(a, b);
        _mm_storeu_ps(d + i, {value});
    }}"""
    return _written(name, body, other, "float", "float", "float")


def _narrowed(name: str, value: str, other: tuple[str, str], d: str, s: str, bits: int) -> Trap:
    """`value` of two vectors of s, one behind the other, fills one of d."""
    op, vector = ("_mm_", "__m128i") if bits == 128 else ("_mm256_", "__m256i")
    step = bits // 8 // _SIZES[d]
    load = f"{op}loadu_si{bits}((const {vector} *)(s + i{{}}))"
    body = f"""
    for (int i = 0; i + {step} <= width; i += {step}) {{
        const {vector} a = {load.format("")}, b = {load.format(f" + {step // 2}")};
        {op}storeu_si{bits}(({vector} *)(d + i), {value});
    }}"""
    return _written(name, body, other, d, s)


_COUNT = "const __m128i count = _mm_cvtsi32_si128(k);"
_TABLE = "_mm_setr_epi8(3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3)"
_UNROLLED = """
    int i = 0;
    for (; i + 16 <= width; i += 16)
        _mm_storeu_si128((__m128i *)(d + i), _mm_avg_epu8(
            _mm_loadu_si128((const __m128i *)(s + i)), _mm_loadu_si128((const __m128i *)(d + i))));
"""

TRAPS = (
    # What saturates, and from which sign.
    _narrowed("packs16", "_mm_packs_epi16(a, b)", ("packs", "packus"), I8, I16, 128),
    _narrowed("packus16", "_mm_packus_epi16(a, b)", ("packus", "packs"), U8, I16, 128),
    _narrowed("packus16_of_unsigned", "_mm_packus_epi16(a, b)", ("(a, b)", "(b, a)"), U8, U16, 128),
    _narrowed("packus32", "_mm_packus_epi32(a, b)", ("packus", "packs"), U16, I32, 128),
    _narrowed("packs32", "_mm_packs_epi32(a, b)", ("packs", "packus"), I16, U32, 128),
    _whole("adds_signed", "_mm_adds_epi8(a, b)", ("epi8", "epu8")),
    _whole("subs_unsigned", "_mm_subs_epu8(a, b)", ("subs_epu8", "subs_epi8")),
    _whole("adds_words", "_mm_adds_epi16(a, b)", ("adds_epi16", "adds_epu16"), d=I16, s=I16),
    _whole("maddubs", "_mm_maddubs_epi16(a, b)", ("(a, b)", "(b, a)"), d=I16, s=I16),
    _whole("madd_of_least", "_mm_madd_epi16(a, b)", ("madd_epi16", "mullo_epi32"), d=I32, s=I32),
    _whole("mulhi_signed", "_mm_mulhi_epi16(a, b)", ("epi16", "epu16"), d=I16, s=I16),
    _whole("mulhi_unsigned", "_mm_mulhi_epu16(a, b)", ("epu16", "epi16"), d=U16, s=U16),
    _whole("mulhrs", "_mm_mulhrs_epi16(a, b)", ("mulhrs", "mulhi"), d=I16, s=I16),
    _whole(
        "abs_of_least",
        "_mm_abs_epi16(a)",
        ("abs_epi16(a)", "max_epi16(a, _mm_sub_epi16(b, a))"),
        d=I16,
        s=I16,
    ),
    _whole("sign_of_least", "_mm_sign_epi8(a, b)", ("(a, b)", "(b, a)")),
    _whole("average_rounds", "_mm_avg_epu8(a, b)", ("avg_epu8(a, b)", "avg_epu8(a, c)")),
    # Comparisons, and what is made of their masks.
    _whole(
        "signed_compare_of_bytes", "_mm_and_si128(_mm_cmpgt_epi8(a, b), c)", ("(a, b)", "(b, a)")
    ),
    _whole(
        "unsigned_compare_of_bytes",
        "_mm_cmpeq_epi8(_mm_max_epu8(a, b), a)",
        ("max_epu8", "max_epi8"),
    ),
    _whole("blendv_by_one_bit", "_mm_blendv_epi8(a, b, c)", ("(a, b, c)", "(b, a, c)")),
    _whole("andnot_of_the_first", "_mm_andnot_si128(a, b)", ("(a, b)", "(b, a)")),
    # Shifts.
    _whole("srai", "_mm_srai_epi16(a, 3)", ("srai", "srli"), d=I16, s=I16),
    _whole("srli", "_mm_srli_epi16(a, 3)", ("srli", "srai"), d=U16, s=U16),
    _whole("srai_beyond", "_mm_srai_epi16(a, 77)", ("77", "14"), d=I16, s=I16),
    _whole(
        "slli_beyond",
        "_mm_add_epi16(b, _mm_slli_epi16(a, 16))",
        ("16(a, 16)", "16(a, 15)"),
        d=I16,
        s=I16,
    ),
    _whole(
        "sll_by_register", "_mm_sll_epi16(a, count)", ("sll", "srl"), d=U16, s=U16, before=_COUNT
    ),
    _whole(
        "srl_by_register", "_mm_srl_epi32(a, count)", ("srl", "sra"), d=U32, s=U32, before=_COUNT
    ),
    _whole(
        "sra_by_register", "_mm_sra_epi16(a, count)", ("sra", "srl"), d=I16, s=I16, before=_COUNT
    ),
    _whole("shift_of_pairs", "_mm_srli_epi64(a, 20)", ("epi64", "epi32"), d=U32, s=U32),
    _whole("shift_of_bytes", "_mm_srli_si128(a, 5)", ("srli", "slli")),
    # Orders.
    _whole(
        "set_is_backwards",
        "_mm_add_epi32(a, _mm_set_epi32(1, 2, 3, 4))",
        ("set_epi32", "setr_epi32"),
        d=U32,
        s=U32,
    ),
    _whole(
        "setr",
        "_mm_xor_si128(a, _mm_setr_epi16(1, 2, 3, 4, 5, 6, 7, 8))",
        ("setr", "set"),
        d=U16,
        s=U16,
    ),
    _whole("hadd", "_mm_hadd_epi16(a, b)", ("(a, b)", "(b, a)"), d=I16, s=I16),
    _whole("hadds", "_mm_hadds_epi16(a, b)", ("hadds", "hadd"), d=I16, s=I16),
    _whole("hsub", "_mm_hsub_epi32(a, b)", ("hsub", "hadd"), d=I32, s=I32),
    _whole("unpacklo", "_mm_unpacklo_epi8(a, b)", ("unpacklo", "unpackhi")),
    _whole("shuffle_of_words", "_mm_shuffle_epi32(a, 0x39)", ("0x39", "0x93"), d=U32, s=U32),
    _whole("shufflehi", "_mm_shufflehi_epi16(a, 0x1b)", ("shufflehi", "shufflelo"), d=U16, s=U16),
    _whole(
        "table_of_nibbles",
        f"_mm_shuffle_epi8({_TABLE}, _mm_and_si128(a, _mm_set1_epi8(15)))",
        ("15))", "7))"),
    ),
    _whole("table_and_bit_7", f"_mm_shuffle_epi8({_TABLE}, a)", ("(3", "(4")),
    _whole(
        "shuffle_clears",
        "_mm_shuffle_epi8(a, _mm_setr_epi8(1, 0, -1, 2, 5, 4, -128, 6, 9, 8, -1, 0, 3, 2, -1, 4))",
        ("-128", "112"),
    ),
    _whole("sums_of_differences", "_mm_sad_epu8(a, b)", ("a, b", "a, c"), d=U32, s=U32),
    _whole("alignr", "_mm_alignr_epi8(a, b, 5)", ("(a, b", "(b, a")),
    _whole("alignr_beyond", "_mm_alignr_epi8(a, b, 21)", ("21", "11")),
    # Halves of 256 bits.
    _narrowed(
        "packus_in_halves",
        "_mm256_packus_epi16(a, b)",
        ("_mm256_packus_epi16(a, b)", "_mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xd8)"),
        U8,
        I16,
        256,
    ),
    _narrowed(
        "packs_in_halves",
        "_mm256_permute4x64_epi64(_mm256_packs_epi32(a, b), 0xd8)",
        ("0xd8", "0x8d"),
        I16,
        I32,
        256,
    ),
    _whole("unpack_in_halves", "_mm256_unpackhi_epi8(a, b)", ("hi", "lo"), bits=256),
    _whole("alignr_in_halves", "_mm256_alignr_epi8(a, b, 3)", ("(a, b", "(b, a"), bits=256),
    _whole(
        "shuffle_in_halves", "_mm256_shuffle_epi8(a, _mm256_set1_epi8(9))", ("9", "8"), bits=256
    ),
    _whole(
        "hadd_in_halves", "_mm256_hadd_epi16(a, b)", ("(a, b)", "(b, a)"), d=I16, s=I16, bits=256
    ),
    _whole("shift_of_bytes_in_halves", "_mm256_slli_si256(a, 2)", ("slli", "srli"), bits=256),
    # Floats.
    _floats("min_of_nan", "_mm_min_ps(n, b)", ("(n, b)", "(b, n)")),
    _floats("max_of_nan", "_mm_max_ps(b, n)", ("(b, n)", "(n, b)")),
    _floats("min_of_zeros", "_mm_min_ps(a, b)", ("min_ps(a, b)", "min_ps(b, a)")),
    _floats(
        "clamped_nan",
        "_mm_min_ps(_mm_max_ps(n, _mm_setzero_ps()), _mm_set1_ps(1.0f))",
        ("_mm_max_ps(n, _mm_setzero_ps())", "_mm_max_ps(_mm_setzero_ps(), n)"),
    ),
    _floats("not_less", "_mm_and_ps(_mm_cmpnlt_ps(n, b), a)", ("cmpnlt", "cmpge")),
    _floats("ordered", "_mm_and_ps(_mm_cmpord_ps(n, b), a)", ("cmpord_ps(n", "cmpord_ps(a")),
    _floats(
        "rounded",
        "_mm_cvtepi32_ps(_mm_cvtps_epi32(_mm_mul_ps(a, _mm_set1_ps(7.5f))))",
        ("cvtps", "cvttps"),
    ),
    _floats("cut_off", "_mm_cvtepi32_ps(_mm_cvttps_epi32(n))", ("cvttps", "cvtps")),
    # Places.
    _written(
        "tail_rounds_otherwise",
        _UNROLLED + "    for (; i < width; i++) d[i] = (uint8_t)((s[i] + d[i]) >> 1);",
        (">> 1", "+ 1 >> 1"),
        U8,
        U8,
    ),
    _written(
        "tail_saturates",
        _UNROLLED.replace("avg_epu8", "adds_epu8")
        + "    for (; i < width; i++) d[i] = s[i] + d[i] > 255 ? 255 : s[i] + d[i];",
        ("> 255 ? 255 :", "> 253 ? 255 :"),
        U8,
        U8,
    ),
    _written(
        "tail_wraps",
        _UNROLLED.replace("avg_epu8", "adds_epu8")
        + "    for (; i < width; i++) d[i] = (uint8_t)(s[i] + d[i]);",
        ("adds_epu8", "add_epi8"),
        U8,
        U8,
    ),
    _written(
        "overlapped_last",
        _UNROLLED
        + """
    if (width >= 16 && i < width) {
        i = width - 16;
        _mm_storeu_si128((__m128i *)(d + i), _mm_avg_epu8(
            _mm_loadu_si128((const __m128i *)(s + i)), _mm_loadu_si128((const __m128i *)(d + i))));
    }""",
        ("width - 16", "width - 17"),
        U8,
        U8,
    ),
    _written(
        "neighbours_in_place",
        _UNROLLED.replace("(s + i)", "(d + i + 1)"),
        ("i + 1)", "i + 2)"),
        U8,
        U8,
    ),
    _written(
        "neighbours_before_in_place",
        _UNROLLED.replace("(s + i)", "(d + i - 1)"),
        ("i - 1)", "i - 2)"),
        U8,
        U8,
    ),
    _written(
        "across_rows",
        """
    for (int y = 0; y < height; y++)
        for (int i = 0; i < width; i += 8) {
            __m128i a = _mm_loadu_si128((const __m128i *)(s + y * srcStride + i));
            a = _mm_avg_epu8(a, _mm_srli_si128(a, 1));
            _mm_storel_epi64((__m128i *)(d + y * dstStride + i), a);
        }""",
        ("srli_si128(a, 1)", "srli_si128(a, 2)"),
        U8,
        U8,
    ),
    _written(
        "half_a_load",
        """
    for (int i = 0; i + 16 <= width; i += 16)
        _mm_storeu_si128((__m128i *)(d + i), _mm_loadl_epi64((const __m128i *)(s + i)));""",
        ("loadl_epi64", "loadu_si128"),
        U8,
        U8,
    ),
    _written(
        "head_to_alignment",
        """
    int i = 0;
    for (; i < width && ((uintptr_t)(d + i) & 15); i++) d[i] = (uint8_t)(s[i] + d[i] + 1 >> 1);
    for (; i + 16 <= width; i += 16)
        _mm_store_si128((__m128i *)(d + i), _mm_avg_epu8(_mm_loadu_si128((const __m128i *)(s + i)),
                                                         _mm_load_si128((const __m128i *)(d + i))));
    for (; i < width; i++) d[i] = (uint8_t)(s[i] + d[i] + 1 >> 1);""",
        (
            "& 15); i++) d[i] = (uint8_t)(s[i] + d[i] + 1 >> 1)",
            "& 15); i++) d[i] = (uint8_t)(s[i] + d[i] >> 1)",
        ),
        U8,
        U8,
    ),
    _written(
        "bits_of_signs",
        """
    for (int i = 0; i + 16 <= width; i += 16)
        d[i >> 4] = (uint16_t)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(s + i)));""",
        (
            "loadu_si128((const __m128i *)(s + i))",
            "slli_si128(_mm_loadu_si128((const __m128i *)(s + i)), 1)",
        ),
        U16,
        U8,
    ),
)
