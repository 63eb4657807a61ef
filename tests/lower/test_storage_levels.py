"""Storage and computation at levels of their own, as the real Halide places and refuses them."""

from __future__ import annotations

import re

import halide
import pytest

import compiler

from .staged import check, message, pipeline, statement

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
]


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
