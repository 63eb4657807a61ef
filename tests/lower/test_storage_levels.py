"""Storage and computation at levels of their own, as the real Halide places and refuses them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import halide
import numpy as np
import pytest

import compiler
from compiler.ir.stmt_printer import stmt_to_text

from .staged import check, message, pipeline, statement

BOTH = (halide, compiler)

PLACED = [
    "g.compute_root(); f.compute_at(g, y)",
    "g.compute_at(h, y); f.store_at(h, y).compute_at(g, x); e.store_at(h, y).compute_at(f, x)",
    "h.tile(x, y, xo, yo, xi, yi, 16, 4); g.compute_at(h, xo); f.store_at(h, xo).compute_at(g, y)",
    "h.rename(x, u); g.compute_at(h, u)",
    "h.fuse(x, y, u); g.compute_at(h, u)",
    "h.fuse(x, y, u).split(u, u, z, 5); g.compute_at(h, u)",
    "g.compute_at(h, hl.Var.outermost())",
    "g.compute_root(); f.store_root().compute_at(g, y)",
    "g.compute_at(h, y).hoist_storage_root()",
    "h.split(y, yo, yi, 8); g.store_at(h, yo).compute_at(h, yi).hoist_storage_root()",
    "h.split(y, yo, yi, 8, T.RoundUp).parallel(yo); g.compute_at(h, yi).hoist_storage(h, yo)",
    "h.tile(x, y, xo, yo, xi, yi, 16, 4, T.GuardWithIf); g.compute_at(h, xo).hoist_storage(h, yo); "
    "f.store_at(h, xo).compute_at(g, y).vectorize(x, 8, T.GuardWithIf).hoist_storage_root()",
    "h.vectorize(x, 8, T.GuardWithIf).unroll(y, 2, T.GuardWithIf); "
    "g.compute_at(h, y).hoist_storage_root()",
    "g.compute_at(h, y).reorder_storage(y, x).align_storage(x, 16).hoist_storage_root()",
    "h.specialize(hl.Param(hl.Int(32), 'p', 1) > 0).unroll(x, 2, T.GuardWithIf); "
    "g.compute_at(h, x).hoist_storage(h, y)",
]


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("schedule", PLACED)
def test_where_a_stage_is_stored_and_computed_changes_no_value(schedule: str) -> None:
    check(schedule)


MISPLACED = [
    "g.compute_at(h, z)",
    "f.compute_at(g, x)",
    "g.compute_at(h, x); f.compute_at(h, y); e.compute_at(g, x)",
    "g.compute_root(); e.compute_at(g, y)",
    "g.compute_at(h, y).store_at(h, x)",
    "g.compute_root().store_at(h, y)",
    "g.store_root()",
    "g.compute_root(); f.compute_at(g, y).store_at(h, y)",
    "g.compute_root().hoist_storage(h, y)",
    "g.store_root().compute_at(h, y).hoist_storage(h, y)",
    "g.compute_at(h, y).hoist_storage(f, y)",
]


@pytest.mark.parametrize("schedule", MISPLACED)
def test_a_level_that_does_not_hold_all_uses_is_refused_in_halides_words(schedule: str) -> None:
    theirs = message(halide, schedule)
    assert theirs != "no error"
    assert message(compiler, schedule) == theirs


@pytest.mark.parametrize(
    "schedule",
    [
        "h.parallel(y); g.store_root().compute_at(h, y)",
        "h.parallel(y); g.compute_at(h, y).hoist_storage_root()",
        "h.parallel(y); g.compute_at(h, y); f.store_root().compute_at(g, y)",
    ],
)
def test_threads_may_not_share_what_each_computes(schedule: str) -> None:
    for hl in (halide, compiler):
        assert "potential race condition" in message(hl, schedule)


NESTS = [
    "g.compute_root(); f.compute_at(g, y)",
    "h.tile(x, y, xo, yo, xi, yi, 16, 4).parallel(yo); "
    "g.compute_at(h, xo).split(y, yo, yi, 5).unroll(yi)",
    "h.fuse(x, y, u).parallel(u)",
    "h.rename(x, u)",
    "h.bound(x, 0, 64).split(x, xo, xi, 8)",
    "g.compute_at(h, hl.Var.outermost())",
    "f.compute_root(); e.compute_root().compute_with(f, y)",
]


@pytest.mark.parametrize("schedule", NESTS)
def test_loop_nests_are_printed_as_halide_prints_them(
    schedule: str, capfd: pytest.CaptureFixture[str]
) -> None:
    made = []
    for hl in (compiler, halide):
        try:
            pipeline(hl, schedule).print_loop_nest()
            captured = capfd.readouterr()
            made.append(re.sub(r"\$\d+", "", captured.out + captured.err))
        except hl.HalideError:
            made.append("refused")
    assert made[0] == made[1]


def test_storage_stands_at_its_own_level() -> None:
    text = statement("g.store_root().compute_at(h, y)", "schedule_stages")
    assert text.index("realize g") < text.index("for h.s0.y") < text.index("produce g")


def test_nothing_is_computed_for_steps_beyond_the_last() -> None:
    text = statement("h.split(y, yo, yi, 4, T.GuardWithIf); g.compute_at(h, yi)", "schedule_stages")
    assert text.index("if h.s0.y.yo") < text.index("produce g")


HOISTED = [
    ("g.compute_at(h, x).hoist_storage_root()", "allocate g", "for h.s0.y", "for h.s0.x"),
    ("g.compute_at(h, x).hoist_storage(h, y)", "for h.s0.y", "allocate g", "for h.s0.x"),
    ("g.compute_at(h, x)", "for h.s0.y", "for h.s0.x", "allocate g"),
    (
        "h.split(y, yo, yi, 4); g.store_at(h, yo).compute_at(h, yi).hoist_storage_root()",
        "allocate g", "for h.s0.y.yo", "for h.s0.y.yi",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("schedule", *"abc"), HOISTED)
def test_memory_is_allocated_once_at_the_level_where_it_is_hoisted_to(
    schedule: str, a: str, b: str, c: str
) -> None:
    text = statement(schedule, "flatten")
    assert text.index(a) < text.index(b) < text.index(c)
    assert text.count("allocate g") == 1


def _triangle(hl: Any, index: Callable[[Any, Any], Any]) -> Any:
    """`g` reads `f` up to `index(x, y)` in row y; its memory is hoisted out of the rows."""
    x, y = hl.Var("x"), hl.Var("y")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x * 2
    g[x, y] = f[index(x, y)] + f[0]
    f.compute_at(g, y).hoist_storage_root()
    return g


@pytest.mark.slow
def test_hoisted_memory_is_large_enough_for_the_largest_round() -> None:
    for index in (lambda x, y: x * y, lambda x, y: x * (40 - y), lambda x, y: x + y * y % 37):
        theirs, ours = (np.array(_triangle(hl, index).realize([9, 50])) for hl in BOTH)
        np.testing.assert_array_equal(ours, theirs)
    seen: list[str] = []
    g = _triangle(compiler, lambda x, y: x * (40 - y))
    g.bound(compiler.Var("x"), 0, 9).bound(compiler.Var("y"), 0, 50)
    g.lowered("", None, None, lambda name, body: seen.append(stmt_to_text(body)))
    # x * (40 - y) - 0 is longest for y = 0 and x = 8; for y = 49, below 0, at -72.
    sizes = {int(n) for text in seen for n in re.findall(r"allocate f\S*\[\w+ \* (\d+)", text)}
    assert sizes and min(sizes) >= 321


def test_memory_of_unlimited_size_is_not_hoisted() -> None:
    with pytest.raises(compiler.HalideError, match=r"no limit is known of the extent .* of dim"):
        _triangle(compiler, lambda x, y: x / (y - 5)).realize([5, 4])
