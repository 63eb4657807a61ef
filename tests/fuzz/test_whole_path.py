"""Random legacy kernels the whole way to machine code equal g++'s code of the original.

Called through the guarded entry, on inputs that C++ defines: odd sizes, strides of both signs,
extreme pixels, pointers that overlap. And the twins: bugs that are planted are found.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from unittest.mock import patch

import pytest

from compiler.ir import Add, Expr
from compiler.lower import pipeline
from compiler.lower.narrow_arithmetic import Narrowing
from lifter.emit import header
from tests.fuzz import whole_path
from tests.fuzz.calls import compared
from tests.fuzz.legacy_kernels import LegacyKernel, legacy_kernel
from tests.fuzz.whole_path import WholePath

CALLS = 60


def wrong_calls(
    kernels: Sequence[LegacyKernel], calls: int = CALLS
) -> Iterator[tuple[int, str | None]]:
    """For each kernel that is proved: how many calls its lifted code took, and what differed."""
    path = WholePath()
    try:
        for kernel in kernels:
            path.lift(kernel)
        libraries = path.link()
        for built in path.built:
            found = compared(built.kernel, libraries, 0, calls)
            yield found.calls, found.wrong and f"{built.kernel.source}\n{found.wrong}"
    finally:
        shutil.rmtree(path.folder)


def check(seeds: range) -> None:
    found = list(wrong_calls([legacy_kernel(seed) for seed in seeds]))
    wrong = [w for _, w in found if w is not None]
    assert not wrong, "\n".join(wrong)
    # Neither is refusing everything a success, nor leaving every call to the original.
    assert len(found) > len(seeds) // 2, f"of {seeds} only {len(found)} are proved"
    assert sum(taken for taken, _ in found) > 10 * len(found)


def test_random_kernels_leave_what_the_original_leaves() -> None:
    check(range(2))


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(100, 400, 50))
def test_more_random_kernels_leave_what_the_original_leaves(begin: int) -> None:
    check(range(begin, begin + 50))


def written(name: str, body: str) -> LegacyKernel:
    """A kernel over bytes `dst` and `src` with a body of its own."""
    scalars = tuple((n, "int") for n in ("width", "height", "dstStride", "srcStride", "k"))
    params = ", ".join(f"{type} {n}" for n, type in scalars)
    source = f"void {name}(uint8_t *dst, const uint8_t *src, {params})\n{{\n{body}\n}}\n"
    return LegacyKernel(name, source, (("dst", "uint8_t"), ("src", "uint8_t")), scalars, -1)


ONCE_WRONG = [
    # The copy of an output that is read elsewhere had other strides than the program requires.
    written("channel_of_itself", """
    for (int x = 0; x < width; x++) dst[4 * x + 2] = dst[4 * x + 1];"""),
    # A local table that nothing had given a value was read on the way that returns early.
    written("table_after_early_out", """
    if (k == 0) return;
    uint8_t table[256];
    for (int i = 0; i < 256; i++) table[i] = (uint8_t)(i * k >> 3);
    for (int x = 0; x < width; x++) dst[x] = table[src[x]];"""),
    # A parameter that one branch changes counted as undefined in the other.
    written("clamped_parameter", """
    if (k > 255) k = 255;
    for (int x = 0; x < width; x++) dst[x] = (uint8_t)(src[x] * k);"""),
    # Nothing of src is left in the summary, and the guard did not know where it was read.
    written("cancelled", """
    for (int x = 0; x < width; x++) {
        int t = src[srcStride * x + 1];
        dst[2 * x] = (uint8_t)k;
        dst[2 * x + 1] = (uint8_t)(src[srcStride * x + 1] - t);
    }"""),
]  # fmt: skip


@pytest.mark.slow
def test_kernels_that_once_were_wrong_are_right() -> None:
    found = list(wrong_calls(ONCE_WRONG))
    assert len(found) == len(ONCE_WRONG)
    assert all(taken > 10 and wrong is None for taken, wrong in found), found


SUM = written(
    "blend_sum",
    """
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[y * dstStride + x] = (src[y * srcStride + x] + dst[y * dstStride + x] + 1) >> 1;""",
)


GREATER = written(
    "greater_of_both",
    "    for (int x = 0; x < width; x++) if (src[x] > dst[x]) dst[x] = src[x];",
)


def finds_a_difference(kernel: LegacyKernel = SUM) -> bool:
    return any(wrong is not None for _, wrong in wrong_calls([kernel], 400))


def finds_a_touch(kernel: LegacyKernel) -> bool:
    """Whether some lifted call ends at memory that the original leaves alone."""
    (found,) = wrong_calls([kernel], 400)
    return found[1] is not None and "touches what the original doesn't" in found[1]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [SUM, GREATER], ids=lambda kernel: kernel.name)
def test_a_correct_kernel_shows_no_difference(kernel: LegacyKernel) -> None:
    assert not finds_a_difference(kernel)


@pytest.mark.slow
@pytest.mark.parametrize(
    "planted",
    [
        "(void)*(volatile uint8_t *)(src + width);",
        "(void)*(volatile uint8_t *)(src - 1);",
        "*(volatile uint8_t *)src = *src;",
        "(void)*(volatile uint8_t *)(dst + width);",
    ],
    ids=["behind", "before", "a store to what is only read", "behind what is written"],
)
def test_an_element_that_only_lifted_code_touches_is_found(planted: str) -> None:
    entry = whole_path._entry

    def with_planted(kernel: LegacyKernel, *, guarded: bool) -> str:
        given = "char *dst = arena + (long)v[0], *src = arena + (long)v[1]; int width = (int)v[2];"
        text = entry(kernel, guarded=guarded)
        return text.replace("{ int yes", f"{{ {given} if (width > 0) {{ {planted} }} int yes")

    with patch.object(whole_path, "_entry", with_planted):
        assert finds_a_touch(GREATER)


@pytest.mark.slow
def test_a_store_of_what_was_there_is_found() -> None:
    with patch.object(pipeline, "with_kept_elements", lambda plans, _: list(plans)):
        assert finds_a_touch(GREATER)


@pytest.mark.slow
def test_sums_that_are_narrowed_too_far_are_found() -> None:
    exact = Narrowing.range

    def wrong(narrowing: Narrowing, e: Expr) -> tuple[int, int]:
        low, high = exact(narrowing, e)
        return (low, min(high, 255)) if isinstance(e, Add) else (low, high)

    with patch.object(Narrowing, "range", wrong):
        assert finds_a_difference()


@pytest.mark.slow
def test_a_guard_that_admits_overlapping_arrays_is_found() -> None:
    with patch.object(header._Admits, "_disjoint", lambda *_: None):
        assert finds_a_difference()
