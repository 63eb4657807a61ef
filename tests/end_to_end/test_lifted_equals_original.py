"""Every lifted kernel, built and called through its C ABI, leaves the bits of the original, which
g++ compiles without and with its optimizations."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from lifter.verify.cases import cases, run_case
from tests.end_to_end.built_corpus import built, lifted_as_original, lifted_function
from tests.end_to_end.corpus_list import EVERY, listed, sampled
from tests.end_to_end.exact_memory import check_exact_memory, recorded
from tests.end_to_end.images import PATTERNS, Arguments, arguments, differences, possible_arguments
from tests.end_to_end.lifted_corpus import lifted, original
from tests.end_to_end.original import may_be_called
from tests.end_to_end.recorder import RECORDED
from tests.fenced import Say, told_by_child

SIZES = (
    (0, 0), (1, 1), (0, 5), (5, 0), (1, 9), (7, 1), (16, 3), (31, 2), (33, 4), (67, 9), (129, 7),
)  # fmt: skip
"""(width, height): empty, one pixel, one column, one row, around vectors, odd."""
LARGE = ((517, 131), (64, 300))
"""Work for several threads."""
SEED, COUNT = 51, 24

ROWS = ("ScreenBlendRows", "FlipHorizontal", "PsColorDodge", "cross_fade4")
PLAIN, OPTIMIZED = ("-O0",), ("-O3",)

UNDEFINED = ("blur",)
"""Reads outside of its temporary: compared only where the interpreter says it is defined."""
DEFINED = [(f, n) for f, n in listed() if n not in UNDEFINED]


def compare(file: str, name: str, sizes: tuple[tuple[int, int], ...]) -> tuple[int, bool]:
    """(calls compared, whether any changed anything)."""
    subject = lifted(file, name)
    plain, optimized = (
        original(file, options)._library[f"lift_test_{name}"] for options in (PLAIN, OPTIMIZED)
    )
    calls, changed, exact = 0, False, []
    record = [original(file, how)._library for how in RECORDED]
    every = [(width, height, pattern) for width, height in sizes for pattern in PATTERNS]
    for made in possible_arguments(subject.kernel, every, subject.formulas()):
        expected = made.call(plain)
        wrong = list(differences(expected, made.call(optimized)))
        assert not wrong, "\n".join([f"-O0 and -O3 differ: {made.text}", *wrong])
        wrong = list(differences(expected, made.call(lifted_function(file, name))))
        assert not wrong, "\n".join([made.text, *wrong])
        exact.append(recorded(made, record, f"lift_test_{name}"))
        calls += 1
        changed = changed or any(differences(made.contents, expected))
    check_exact_memory(exact, lifted_function(file, name))
    return calls, changed


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("file, name", sampled(DEFINED, files=4))
def test_small_and_odd_images(file: str, name: str) -> None:
    calls, changed = compare(file, name, SIZES)
    assert calls >= len(SIZES) and changed


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("file, name", sampled(DEFINED, 2 * EVERY, files=4))
def test_images_for_several_threads(file: str, name: str) -> None:
    calls, changed = compare(file, name, LARGE)
    assert calls >= len(PATTERNS) and changed


@pytest.mark.parametrize(
    "file, name",
    sampled([(f, n) for f, n in listed() if n not in ROWS], 2 * EVERY, files=4),
)
def test_cells_that_the_interpreter_defines(file: str, name: str) -> None:
    """Also checks that nothing else is touched than what the original touches, `blur` included.

    Kernels on row pointers are left out: these cases have rows that aren't evenly spaced.
    """
    subject = lifted(file, name)
    made = [
        (case, outcome)
        for case in cases(subject.kernel, SEED, COUNT, tuple(subject.formulas()))
        if may_be_called(outcome := run_case(subject.kernel, case))
    ]
    assert len(made) >= COUNT // 2
    assert any(m.written for _, outcome in made for m in outcome.arrays.values())
    ours = lifted_as_original(file)

    def work(say: Say) -> None:
        for case, outcome in made:
            for at_end in (False, True):
                say(f"\n{case}")
                wrong = ours.differences(subject.kernel, case, outcome, fenced=at_end)
                if wrong:
                    say("".join(f"\nwrong: {w}" for w in wrong[:5]))
                    return

    child = told_by_child(work)
    assert not child.signal and "\nwrong: " not in child.said, child


def test_the_files_of_a_built_kernel_are_beside_its_program() -> None:
    made = built("blend/basic.cpp", "NormalBlend8")
    names = {path.name for path in made.folder.iterdir()}
    assert {
        "pipeline.py", "generator.cpp", "summary.json", "NormalBlend8.o", "NormalBlend8.h",
        "libNormalBlend8.a", "libNormalBlend8.so",
    } <= names  # fmt: skip


# Negative twins: the comparison finds what it is for.


def wrong_function(change: Any) -> Any:
    """MultiplyBlend8, then `change` of the destination (its first argument) and the sizes."""
    function = lifted_function("blend/basic.cpp", "MultiplyBlend8")

    def call(dst: Any, src: Any, rows: Any, cols: Any, row_bytes: Any) -> None:
        function(dst, src, rows, cols, row_bytes)
        bytes_ = ctypes.cast(dst, ctypes.POINTER(ctypes.c_uint8))
        change(bytes_, rows.value, cols.value, row_bytes.value)

    return call


def behind_the_last_row(bytes_: Any, rows: int, cols: int, row_bytes: int) -> None:
    bytes_[(rows - 1) * row_bytes + cols] ^= 1


def the_last_pixel(bytes_: Any, rows: int, cols: int, row_bytes: int) -> None:
    bytes_[(rows - 1) * row_bytes + cols - 1] ^= 1


def before_the_first(bytes_: Any, rows: int, cols: int, row_bytes: int) -> None:
    bytes_[-1] ^= 1


def nothing(bytes_: Any, rows: int, cols: int, row_bytes: int) -> None:
    pass


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("change", "is_found"),
    [
        (nothing, False),
        (behind_the_last_row, True),
        (the_last_pixel, True),
        (before_the_first, True),
    ],
)
def test_one_wrong_bit_is_found(change: Any, is_found: bool) -> None:
    kernel = lifted("blend/basic.cpp", "MultiplyBlend8").kernel
    made: Arguments = arguments(kernel, 67, 9, "random")
    expected = made.call(original("blend/basic.cpp")._library["lift_test_MultiplyBlend8"])
    assert bool(list(differences(expected, made.call(wrong_function(change))))) == is_found


def test_a_different_sign_of_zero_is_found_and_a_different_nan_is_not() -> None:
    zero = {"a": np.array([0.0, 1.0], np.float32)}
    minus = {"a": np.array([-0.0, 1.0], np.float32)}
    assert list(differences(zero, minus))
    first = np.array([0x7FC00000, 0xFFC00001], np.uint32).view(np.float32)
    second = first[::-1].copy()
    assert not list(differences({"a": first}, {"a": second}))
