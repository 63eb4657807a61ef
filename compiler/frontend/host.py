"""Which of the real package's features and processors a machine is, by what it says of itself.

The rules are the real package's own, oddities included: AVX-VNNI counts beside AVX-512 alone, and
AMD's processors from Zen 4 on have what their family has, whatever they answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .target_features import TUNES, TargetProcessorTune

Cpuid = Callable[[int, int], tuple[int, int, int, int]]
"""From a leaf and a subleaf to EAX, EBX, ECX, EDX."""

AMD = "AuthenticAMD"
_ZEN4 = frozenset({
    "sse41", "avx", "f16c", "fma", "avx2", "avx512", "avx512_skylake", "avx512_cannonlake",
    "avx512_zen4",
})  # fmt: skip
_ZEN5 = _ZEN4 | {"avxvnni", "avx512_zen5"}
_FIRST = {"sse41": 19, "avx": 28, "f16c": 29, "fma": 12}
"""Bits of leaf 1, ECX."""
_RANDOM = 30
_AVX512: Mapping[str, tuple[int, ...]] = {
    "avx512": (16, 28),
    "avx512_knl": (16, 28, 26, 27),
    "avx512_skylake": (16, 28, 31, 30, 17),
    "avx512_cannonlake": (16, 28, 31, 30, 17, 21),
}
"""Bits of leaf 7, EBX: F and CD; PF and ER; VL, BW, DQ; IFMA."""
_AVX2 = 5
_VNNI, _BFLOAT = 4, 5
"""Bits of leaf 7.1, EAX."""
_DOT_PRODUCTS, _HALF_FLOATS = 20, 10
"""Bits of AT_HWCAP on AArch64."""

_BULLDOZERS = (
    (0x02, 0x02, "bdver2"), (0x00, 0x0F, "bdver1"), (0x10, 0x1F, "bdver2"),
    (0x30, 0x3F, "bdver3"), (0x60, 0x7F, "bdver4"),
)  # fmt: skip
_ZENS_1_AND_2 = ((0x00, 0x0F, "znver1"), (0x30, 0x3F, "znver2"), (0x71, 0x71, "znver2"))
_ZENS_3_AND_4 = (
    (0x00, 0x0F, "znver3"), (0x10, 0x1F, "znver4"), (0x20, 0x5F, "znver3"),
    (0x60, 0x7F, "znver4"), (0xA0, 0xAF, "znver4"),
)  # fmt: skip
_FAMILIES: Mapping[int, tuple[tuple[int, int, str], ...]] = {
    0x10: ((0x00, 0xFF, "amdfam10"),),
    0x14: ((0x00, 0xFF, "btver1"),),
    0x15: _BULLDOZERS,
    0x16: ((0x00, 0xFF, "btver2"),),
    0x17: _ZENS_1_AND_2,
    0x19: _ZENS_3_AND_4,
    0x1A: ((0x00, 0xFF, "znver5"),),
}
"""By AMD's family: (first model, last model, processor), the first that holds the model counts."""


@dataclass(frozen=True)
class Host:
    """A machine in the real package's words."""

    features: frozenset[str]
    tune: TargetProcessorTune


def x86_host(cpuid: Cpuid) -> Host:
    """The x86 that answers so."""
    highest, *signature = cpuid(0, 0)
    version, _, c1, _ = cpuid(1, 0)
    tune = "generic"
    if _vendor(*signature) == AMD:
        tune = _amd_processor(version, bool(c1 & 1))
        if tune in ("znver4", "znver5"):
            return Host(_ZEN4 if tune == "znver4" else _ZEN5, TUNES[f"tune_{tune}"])
    found = {name for name, bit in _FIRST.items() if _has(c1, bit)}
    if {"avx", "f16c"} <= found and _has(c1, _RANDOM) and highest >= 7:
        found |= _wide_features(cpuid)
    return Host(frozenset(found), TUNES[f"tune_{tune}"])


def arm_host(capabilities: int) -> Host:
    """The AArch64 machine whose AT_HWCAP is `capabilities`."""
    bits = {"arm_dot_prod": _DOT_PRODUCTS, "arm_fp16": _HALF_FLOATS}
    found = frozenset(name for name, bit in bits.items() if _has(capabilities, bit))
    return Host(found, TUNES["tune_generic"])


def _vendor(b: int, c: int, d: int) -> str:
    return b"".join(word.to_bytes(4, "little") for word in (b, d, c)).decode("ascii", "replace")


def _wide_features(cpuid: Cpuid) -> set[str]:
    b7 = cpuid(7, 0)[1]
    found = {"avx2"} if _has(b7, _AVX2) else set()
    found |= {name for name, bits in _AVX512.items() if _has(b7, *bits)}
    if "avx512_cannonlake" in found:
        a = cpuid(7, 1)[0]
        found |= {"avxvnni"} if _has(a, _VNNI) else set()
        found |= {"avx512_sapphirerapids"} if _has(a, _VNNI, _BFLOAT) else set()
    return found


def _amd_processor(version: int, has_sse3: bool) -> str:
    family, model = version >> 8 & 0xF, version >> 4 & 0xF
    if family == 0xF:
        family += version >> 20 & 0xFF
    if family == 0x6 or family >= 0xF:
        model += (version >> 16 & 0xF) << 4
    if family == 0xF:
        return "k8_sse3" if has_sse3 else "k8"
    for first, last, name in _FAMILIES.get(family, ()):
        if first <= model <= last:
            return name
    return "generic"


def _has(word: int, *bits: int) -> bool:
    return all(word >> bit & 1 for bit in bits)


__all__ = ["AMD", "Cpuid", "Host", "arm_host", "x86_host"]
