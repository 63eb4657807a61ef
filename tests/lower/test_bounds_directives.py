"""What users promise of regions and of memory."""

from __future__ import annotations

from typing import Any

import halide
import pytest

import compiler

from .staged import check, message, statement

KEPT = [
    "g.compute_root().bound(x, -10, 70)",
    "g.compute_root().bound(x, 0, 4)",
    "g.compute_root().bound_extent(y, 70); f.compute_root().bound_storage(x, 80)",
    "g.compute_root().align_bounds(x, 8).align_bounds(y, 4, 1)",
    "g.compute_root().align_extent(x, 16)",
    "f.compute_root().align_storage(x, 16); g.compute_root().reorder_storage(y, x)",
    "g.compute_root().bound_storage(x, 8)",
    "g.compute_at(h, y).bound_storage(x, 64).reorder_storage(y, x)",
]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("schedule", KEPT)
def test_promises_are_kept_or_refused_as_by_halide(schedule: str) -> None:
    check(schedule)


@pytest.mark.parametrize(
    "schedule",
    [
        "g.compute_root().bound(x, 0, 4)",
        "g.compute_root().bound_extent(x, 4)",
        "g.compute_root().bound_storage(x, 4)",
    ],
)
def test_a_promise_that_does_not_hold_is_an_error_in_halides_words(schedule: str) -> None:
    assert message(compiler, schedule) == message(halide, schedule) != "no error"


def of_output(hl: Any, directive: str) -> str:
    f, x, y = hl.Func("f"), hl.Var("x"), hl.Var("y")
    f[x, y] = x + 100 * y
    exec(directive, {"f": f, "x": x, "y": y})
    try:
        f.realize(hl.Buffer(hl.Int(32), [10, 8]))
    except hl.HalideError as error:
        text = str(error).strip().splitlines()[0].replace("$", " ").split(" in ")[-1]
        return text.split("is accessed")[-1]
    return "none"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "directive",
    ["f.bound(x, 0, 4)", "f.bound(x, 0, 16)", "f.bound(x, 0, 10)", "f.bound_extent(x, 16)",
     "f.align_bounds(x, 8)", "f.align_bounds(x, 5)", "f.align_bounds(x, 5, 1)",
     "f.align_extent(x, 8)", "f.align_storage(x, 16)", "f.reorder_storage(y, x)"],
)  # fmt: skip
def test_an_output_is_computed_over_what_was_promised(directive: str) -> None:
    assert of_output(compiler, directive) == of_output(halide, directive)


def test_rows_are_as_far_apart_as_asked() -> None:
    text = statement("g.compute_at(h, y).align_storage(x, 64)", "storage_layout")
    line = next(x for x in text.splitlines() if "realize g" in x)
    assert "/ 64 * 64" in line


def test_a_size_with_a_small_limit_is_constant() -> None:
    schedule = "h.split(x, xo, xi, 8, T.GuardWithIf); g.compute_at(h, xo)"
    text = statement(schedule, "storage_layout")
    line = next(x for x in text.splitlines() if "realize g" in x)
    assert "+9)" in line
