"""The default schedule of sums, chains, channels and scans, told by the loops that it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import children_of

from .machines import WIDE

X, Y, C = hl.vars("x y c")
A, B = (hl.ImageParam(hl.Float(32), 2, name) for name in "ab")
PLANES = hl.ImageParam(hl.Float(32), 3, "planes")


def matrix_product() -> hl.Func:
    k, product, f = hl.RDom([(0, A.width())], "k"), hl.Func("product"), hl.Func("f")
    product[X, Y] += A[k.x, Y] * B[X, k.x]
    f[X, Y] = hl.max(product[X, Y], 0)
    return f


def by_channels() -> hl.Func:
    """A stage that all channels share, read a row up and down."""
    shared, f = hl.Func("shared"), hl.Func("f")
    shared[X, Y] = hl.sqrt(PLANES[X, Y, 0] * PLANES[X, Y, 1] + PLANES[X, Y, 2])
    f[X, Y, C] = PLANES[X, Y, C] * (shared[X, Y] + shared[X, Y + 1])
    return f


def chain() -> hl.Func:
    """Far more rows of halo than one strip would compute again."""
    last = hl.Func("stage_0")
    last[X, Y] = hl.sqrt(A[X, Y])
    for number in range(1, 9):
        f = hl.Func(f"stage_{number}")
        f[X, Y] = sum((last[X, Y + i] * (i + 1) for i in range(4)), hl.f32(0))
        last = f
    return last


def scan() -> hl.Func:
    r, f = hl.RDom([(1, 30)], "r"), hl.Func("f")
    f[X, Y] = A[X, Y]
    f[X, r.x] += f[X, r.x - 1]
    return f


def nest(f: hl.Func) -> list[tuple[str, ...]]:
    """For each assignment (with the stage that it is of first) the kinds of loops around it."""
    found: list[tuple[str, ...]] = []

    def walk(stmt: s.Stmt, around: tuple[str, ...]) -> None:
        if isinstance(stmt, s.Provide):
            found.append((stmt.func.split("$")[0], *around))
        if isinstance(stmt, s.For):
            around = (*around, f"{stmt.name.split('.s', 1)[0].split('$')[0]}:{stmt.kind}")
        for child in children_of(stmt):
            walk(child, around)

    seen: dict[str, Any] = {}
    schedule_and_lower(
        [f.function], "f", WIDE, None, lambda name, body: seen.setdefault(name, body)
    )
    walk(seen["schedule_stages"], ())
    return found


def test_a_product_of_matrices_is_summed_in_registers() -> None:
    start, update, _ = nest(matrix_product())
    assert start[:2] == update[:2] == ("product", "f:parallel")
    inside = [kind for kind in update if kind.startswith("product:")]
    assert inside[-4:] == ["product:serial", *["product:unrolled"] * 2, "product:vectorized"]


def test_what_channels_share_is_computed_once_in_each_strip() -> None:
    shared, f = nest(by_channels())
    assert shared.count("f:parallel") == 1 and "f:serial" not in shared
    assert f.count("f:parallel") == 1


def test_a_long_chain_makes_several_groups_of_strips() -> None:
    made = nest(chain())
    parallel = [[x for x in loops if x.endswith(":parallel")] for loops in made]
    assert all(len(loops) == 1 for loops in parallel)
    assert len(made) == 9 and 1 < len({loops[0] for loops in parallel}) < 9


def test_a_scan_runs_over_vectors_side_by_side() -> None:
    _, update = nest(scan())
    assert update == ("f", "f:parallel", "f:serial", "f:serial", "f:vectorized")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("make", [matrix_product, by_channels, chain, scan])
def test_the_plain_schedule_has_the_same_values(
    make: Callable[[], hl.Func], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    A.set(hl.Buffer(rng.integers(0, 9, (80, 80)).astype(np.float32)))
    B.set(hl.Buffer(rng.integers(0, 9, (80, 80)).astype(np.float32)))
    PLANES.set(hl.Buffer(rng.integers(0, 9, (3, 80, 80)).astype(np.float32)))

    def results() -> list[np.ndarray]:
        f = make()
        return [np.array(f.realize(whole(size))) for size in ((1, 1), (17, 5), (70, 31))]

    def whole(size: tuple[int, int]) -> list[int]:
        if make is scan:
            return [size[0], 31]
        return [*size, 3] if make is by_channels else list(size)

    ours = results()
    monkeypatch.setenv("LIFT_DEFAULT_SCHEDULE", "off")
    for one, other in zip(ours, results(), strict=True):
        np.testing.assert_array_equal(one, other)
