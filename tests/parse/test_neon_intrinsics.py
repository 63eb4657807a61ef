"""NEON's intrinsics mean what an AArch64 processor does, as qemu has it: all extreme values, all
constants, and random ones."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from compiler.ir import F32, F64, U8
from lifter.parse.older_headers import HEADERS

from .intrinsics import WIDEST, Case, Pool, cases_of, differences, intrinsics, on_processor

HEADER = "arm_neon.h"
COMMAND = ("aarch64-linux-gnu-g++", "-std=c++17", "-O1", "-static")
COMMAND += ("-ffp-contract=off", "-march=armv8.2-a+dotprod")
RUNNER = ("qemu-aarch64",)
TYPES = [f"{letter}{bits}" for letter in "su" for bits in (8, 16, 32, 64)]
TYPES += ["p8", "p16", "p64", "f32", "f64"]
FEW = (0, 1, 2, 7, 8, 15, 16, 31, 32, 63, 64)
IN_ONE_PROGRAM = 600

pytestmark = pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in (COMMAND[0], *RUNNER)),
    reason="needs aarch64-linux-gnu-g++ and qemu-aarch64",
)


def of_type(element: str) -> list[Case]:
    every = intrinsics(HEADER, "v").values()
    ours = [one for one in every if one.name.split("_")[-1] == element]
    return [case for one in ours for case in cases_of(one)]


def floats() -> Pool:
    """Every sign and exponent with every 8 bits behind the point, and something behind these."""
    pick = np.random.default_rng(7)
    words = np.arange(1 << 17, dtype=np.uint32) << 15
    words = np.concatenate([words, words | pick.integers(0, 1 << 15, words.size, dtype=np.uint32)])
    made = np.zeros((4, words.size, WIDEST), np.uint8)
    made[0] = np.repeat(words.astype("<u4")[:, None], WIDEST // 4, axis=1).view(np.uint8)
    return Pool(words.size, made)


def wrong(cases: Sequence[Case], count: int, folder: Path) -> dict[str, int]:
    """The cases in which the header says something else than the processor, and how often."""
    found: dict[str, int] = {}
    for element in (U8, F32, F64):
        own = [c for c in cases if c[0].element is element]
        for first in range(0, len(own), IN_ONE_PROGRAM):
            some = own[first : first + IN_ONE_PROGRAM]
            pool = Pool.drawn(count, 1, element)
            given = on_processor(some, pool, HEADER, COMMAND, folder, RUNNER)
            for (one, constants), bytes_ in zip(some, given, strict=True):
                different = differences(one, pool, bytes_, constants)
                if different:
                    found[f"{one.name} {constants}"] = different
    return found


@pytest.mark.parametrize("element", TYPES)
def test_functions_mean_what_the_processor_does(element: str, tmp_path: Path) -> None:
    some = [case for case in of_type(element) if all(n in FEW[:4] for n in case[1])]
    assert not wrong(some[::11], 300, tmp_path)


@pytest.mark.parametrize("name", ["vrecpe_f32", "vrsqrte_f32", "vrecpe_u32", "vrsqrte_u32"])
def test_estimates_are_the_processor_s_to_the_last_bit(name: str, tmp_path: Path) -> None:
    one, pool = intrinsics(HEADER, "v")[name], floats()
    (given,) = on_processor([(one, ())], pool, HEADER, COMMAND, tmp_path, RUNNER)
    assert not differences(one, pool, given, ())


@pytest.mark.slow
@pytest.mark.parametrize("element", TYPES)
def test_functions_mean_it_for_every_constant(element: str, tmp_path: Path) -> None:
    cases = of_type(element)
    assert not wrong(cases, 300, tmp_path)
    assert not wrong([c for c in cases if all(n in FEW for n in c[1])], 10_000, tmp_path)


MEMORY = """
#include <arm_neon.h>
#include <cstdio>
#include <cstring>
static unsigned char bytes[1024];
template <class T> static void put(T v) { fwrite(&v, sizeof v, 1, stdout); }
template <class T, class F> static void stored(F f)
{
    T to[80];
    memset(to, 0x5a, sizeof to);
    f(to);
    fwrite(to, sizeof to, 1, stdout);
}
int main()
{
    unsigned n = 1;
    for (auto &b : bytes) n = n * 1664525u + 1013904223u, b = n >> 23;
    const auto *tables = (const uint8_t *)bytes + 512;
"""


def put(call: str) -> str:
    return f"put({call});"


def stored(element: str, call: str) -> str:
    return f"stored<{NAMES[element]}>([&]({NAMES[element]} *to) {{ {call}; }});"


def in_memory(element: str) -> Iterator[str]:
    """Calls of all functions of a type that touch memory, or of structures of vectors."""
    yield f"{{ const auto *in = (const {NAMES[element]} *)(bytes + 8);"
    bits = int(element[1:])
    for q, count in (("", 64 // bits), ("q", 128 // bits)):
        one = f"vld1{q}_{element}(in)"
        yield put(one)
        yield put(f"vld1{q}_dup_{element}(in + 3)")
        yield stored(element, f"vst1{q}_{element}(to + 1, {one})")
        for lane in range(count):
            yield put(f"vld1{q}_lane_{element}(in + 40, {one}, {lane})")
            yield stored(element, f"vst1{q}_lane_{element}(to + 2, {one}, {lane})")
        for n in (2, 3, 4):
            several = f"vld1{q}_{element}_x{n}(in + 1)"
            yield put(several)
            yield put(f"vld{n}{q}_{element}(in)")
            yield put(f"vld{n}{q}_dup_{element}(in + 1)")
            yield stored(element, f"vst1{q}_{element}_x{n}(to + 1, {several})")
            yield stored(element, f"vst{n}{q}_{element}(to + 1, {several})")
            for lane in range(count):
                yield put(f"vld{n}{q}_lane_{element}(in + 50, {several}, {lane})")
                yield stored(element, f"vst{n}{q}_lane_{element}(to + 3, {several}, {lane})")
        for op in ("zip", "uzp", "trn") if bits < 64 else ():
            yield put(f"v{op}{q}_{element}({one}, vld1{q}_{element}(in + 20))")
        if bits == 8:
            yield from look_ups(element, q, one)
    yield "}"


def look_ups(element: str, q: str, one: str) -> Iterator[str]:
    own = "s8" if element == "s8" else "u8"
    for n in (2, 3, 4):
        numbers, several = f"vld1{q}_u8(tables + {n} * 16)", f"vld1q_{element}_x{n}(in)"
        yield put(f"vqtbl{n}{q}_{element}({several}, {numbers})")
        yield put(f"vqtbx{n}{q}_{element}({one}, {several}, {numbers})")
        if not q:
            numbers = f"vld1_{own}((const {NAMES[own]} *)tables)"
            yield put(f"vtbl{n}_{element}(vld1_{element}_x{n}(in), {numbers})")
            yield put(f"vtbx{n}_{element}({one}, vld1_{element}_x{n}(in), {numbers})")


NAMES = {f"s{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)}
NAMES |= {f"u{bits}": f"uint{bits}_t" for bits in (8, 16, 32, 64)}
NAMES |= {f"p{bits}": f"poly{bits}_t" for bits in (8, 16, 64)}
NAMES |= {"f32": "float32_t", "f64": "float64_t"}


@pytest.mark.parametrize("types", [TYPES[::4], pytest.param(TYPES, marks=pytest.mark.slow)])
def test_what_touches_memory_means_it_as_c(types: list[str], tmp_path: Path) -> None:
    """Our header, compiled for this machine as the C that it is, beside the vendor's under qemu."""
    if shutil.which("g++") is None:
        pytest.skip("needs g++")
    calls = chain.from_iterable(map(in_memory, types))
    text = MEMORY + "\n    ".join(calls) + "\n}\n"
    (tmp_path / "memory.cpp").write_text(text)
    (tmp_path / "ours").mkdir()
    for name in (HEADER, "lift"):
        (tmp_path / "ours" / name).symlink_to(HEADERS / name)
    ours = ["g++", "-std=c++17", "-O1", "-w", "-D__aarch64__", "-isystem", str(tmp_path / "ours")]
    said: list[bytes] = []
    for command, runner in ((ours, ()), ((*COMMAND, "-w"), RUNNER)):
        program = str(tmp_path / f"program{len(said)}")
        made = [*command, str(tmp_path / "memory.cpp"), "-o", program]
        subprocess.run(made, check=True)
        said.append(subprocess.run([*runner, program], check=True, capture_output=True).stdout)
    assert len(said[0]) > 8_000 * len(types) and said[0] == said[1]
