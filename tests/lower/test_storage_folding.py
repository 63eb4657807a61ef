"""Rings: storage of a moving window."""

from __future__ import annotations

import re

import halide
import pytest

import compiler

from .staged import check, message, statement

FOLDED = [
    "g.compute_root(); f.store_root().compute_at(g, y).fold_storage(y, 3)",
    "g.compute_root(); f.store_root().compute_at(g, y).fold_storage(y, 4); h.vectorize(x, 8)",
    "g.compute_root().reorder(y, x); f.store_root().compute_at(g, x).fold_storage(x, 2)",
    "g.compute_root(); f.store_root().compute_at(g, y).fold_storage(x, 4)",
    "g.compute_root().fold_storage(y, 2)",
]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("schedule", FOLDED)
def test_folding_by_hand_changes_no_value(schedule: str) -> None:
    check(schedule)


def test_a_ring_that_is_too_small_is_refused() -> None:
    schedule = "g.compute_root(); f.store_root().compute_at(g, y).fold_storage(y, 2)"
    ours, theirs = (message(hl, schedule).split(" accessed")[0] for hl in (compiler, halide))
    assert ours == theirs
    assert ours.startswith("The fold factor (2) of dimension y of f is too small")


def realized(text: str, stage: str) -> str:
    found = re.search(rf"realize {stage}\((.*)\):", text)
    assert found is not None
    return found.group(1)


def test_whole_rows_lie_in_a_ring_of_a_power_of_two() -> None:
    schedule = "g.compute_root(); f.store_root().compute_at(g, y)"
    assert realized(statement(schedule, "bind"), "f").endswith("[0, +4)")
    in_strips = "h.split(y, yo, yi, 8); g.store_at(h, yo).compute_at(h, yi)"
    assert realized(statement(in_strips, "bind"), "g").endswith("[0, +2)")


def test_storage_inside_of_the_loop_is_not_folded() -> None:
    schedule = "g.compute_root(); f.compute_at(g, y)"
    assert "+3)" in realized(statement(schedule, "bind"), "f")
    assert "%" not in statement(schedule, "bind")


def test_a_window_that_jumps_back_is_not_folded() -> None:
    x, y = compiler.vars("x y")
    f, g = compiler.Func("f"), compiler.Func("g")
    f[x, y] = x + 10 * y
    g[x, y] = f[x, y % 4] + f[x, 7 - y]
    f.store_root().compute_at(g, y)
    made = g.realize([3, 8])
    assert all(
        made[i, j] == 2 * i + 10 * (j % 4) + 10 * (7 - j) for i in range(3) for j in range(8)
    )


def test_a_window_that_moves_backwards_is_folded() -> None:
    for hl in (compiler, halide):
        x, y = hl.Var("x"), hl.Var("y")
        f, g = hl.Func("f"), hl.Func("g")
        f[x, y] = x + 10 * y
        g[x, y] = f[x, 20 - y] + f[x, 21 - y]
        f.store_root().compute_at(g, y)
        made = g.realize([3, 8])
        assert all(made[i, j] == 2 * i + 410 - 20 * j for i in range(3) for j in range(8))
