"""Copies for later iterations of a loop go on while threads use what was copied before."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import children_of, rebuild, walk
from compiler.lower.emulation import emulated
from tests.codegen.ptxas import NEEDS_PTXAS, usage
from tests.ptx.text import PtxError

from .programs import by_ptx, lowered, on_device, some_slow

X, Y, XO, YO, XI, YI = hl.vars("x y xo yo xi yi")
KO, KI = hl.RVar("ko"), hl.RVar("ki")
ASYNC = hl.MemoryType.GPUSharedAsync
SIZE = (8, 8)
Image = np.ndarray[Any, Any]
A = np.random.default_rng(1).integers(-9, 9, (8, 40), np.int32)


def sums(
    step: int = 4,
    fold: int | None = None,
    taps: int = 1,
    depth: int | None = 16,
    memory: Any = ASYNC,
    forward: bool = True,
    again: bool = False,
) -> hl.Func:
    """Sums along rows, of which a block copies `step` columns at once; of each column's `taps`
    neighbours, too. Rows are as long as the caller says where `depth` doesn't."""
    a, tile, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("tile"), hl.Func("f")
    n = hl.Param(hl.Int(32), "n")
    k = hl.RDom([(0, n if depth is None else depth)], "k")
    tile[X, Y] = a[X, Y]
    f[X, Y] = 0
    place = k.x if forward else 39 - k.x
    f[X, Y] += sum(
        (tile[place + i, Y] * (X + 1 + i) for i in range(1, taps)), tile[place, Y] * (X + 1)
    )
    f.gpu_tile(X, Y, XI, YI, 4, 4)
    update = f.update().split(k.x, KO, KI, step, hl.TailStrategy.GuardWithIf)
    update.tile(X, Y, X, Y, XI, YI, 4, 4).reorder(KI, XI, YI, KO, X, Y)
    update.gpu_blocks(X, Y).gpu_threads(XI, YI)
    tile.compute_at(f, KO).store_at(f, X).store_in(memory)
    if again:
        tile.split(X, XO, X, 3, hl.TailStrategy.RoundUp).reorder(X, Y, XO)
    tile.gpu_threads(X, Y)
    if fold is not None:
        tile.fold_storage(X, fold)
    return f


def expected(taps: int = 1, depth: int = 16) -> Image:
    columns = np.arange(1, 9)
    made = [np.outer(A[:, i : depth + i].sum(1), columns + i) for i in range(taps)]
    return np.asarray(sum(made[1:], made[0]))


def waits(fn: s.LoweredFunction) -> list[int]:
    """How many groups go on behind each wait inside of a loop, in order."""
    loops = [x for k in fn.kernels for x in walk(k.body) if isinstance(x, s.For)]
    found = (x for loop in loops for x in walk(loop.body) if isinstance(x, s.AwaitCopies))
    return [x.pending for x in found]


def barriers(fn: s.LoweredFunction) -> int:
    return sum(isinstance(x, s.Barrier) for k in fn.kernels for x in walk(k.body))


def outcomes(fn: s.LoweredFunction, **scalars: Any) -> list[Image]:
    emulation = replace(fn, body=emulated(fn.body, fn.kernels, backwards=True), kernels=())
    name = fn.args[-1].name
    ways = (fn, None), (fn, by_ptx(fn, 80)), (emulation, None)
    return [on_device(f, {"a": A}, {name: SIZE}, way, **scalars)[0][name] for f, way in ways]


FOLDS: dict[str, tuple[dict[str, Any], int]] = {
    "of itself": ({}, 1), "two steps": ({"fold": 8}, 1), "three steps": ({"fold": 12}, 2),
    "four steps": ({"fold": 16}, 3), "not whole steps": ({"fold": 11}, 1),
    "neighbours": ({"taps": 3}, 2), "neighbours, by hand": ({"taps": 3, "fold": 16}, 2),
    "a column a step": ({"step": 1, "fold": 4}, 3),
}  # fmt: skip
"""How a ring is folded, and how many steps early what is copied."""


@pytest.mark.parametrize("name", some_slow(FOLDS, ("two steps",)))
def test_later_steps_are_copied_while_one_is_used(name: str) -> None:
    how, early = FOLDS[name]
    fn = lowered(sums(**how))
    assert waits(fn) == [early - 1]
    assert barriers(fn) == 1
    text = kernels_ptx(fn.kernels, 80)
    assert f"cp.async.wait_group \t{early - 1};" in text or early == 1
    for made in outcomes(fn):
        np.testing.assert_array_equal(made, expected(how.get("taps", 1)))


@pytest.mark.parametrize("depth", some_slow(("0", "1", "3", "8", "9", "32"), ("9",)))
def test_any_number_of_steps(depth: str) -> None:
    fn = lowered(sums(fold=12, depth=None))
    assert waits(fn) == [1]
    for made in outcomes(fn, n=np.int32(int(depth))):
        np.testing.assert_array_equal(made, expected(depth=int(depth)))


@pytest.mark.slow
def test_devices_that_copy_nothing_so_store() -> None:
    fn = lowered(sums(fold=12))
    assert "cp.async" not in kernels_ptx(fn.kernels, 75)
    name = fn.args[-1].name
    made, _ = on_device(fn, {"a": A}, {name: SIZE}, by_ptx(fn, 75))
    np.testing.assert_array_equal(made[name], expected())


PLAIN: dict[str, dict[str, Any]] = {
    "a ring of one step": {"fold": 4}, "of one step and neighbours": {"fold": 6, "taps": 3},
    "backwards": {"forward": False},
    "what earlier steps have": {"taps": 3, "again": True},
    "no copies": {"memory": hl.MemoryType.GPUShared},
}  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_what_has_no_place_is_copied_when_it_is_needed(name: str) -> None:
    fn = lowered(sums(**PLAIN[name]))
    assert {*waits(fn)} == (set() if name == "no copies" else {0})
    assert barriers(fn) == 2
    assert not any(isinstance(x, s.CommitCopies) for x in walk(fn.kernels[-1].body))
    if name != "backwards":
        made, _ = on_device(fn, {"a": A}, {fn.args[-1].name: SIZE})
        np.testing.assert_array_equal(made[fn.args[-1].name], expected(PLAIN[name].get("taps", 1)))


def rows() -> hl.Func:
    """A block's rows one after the other, and a ring in each."""
    a, tile, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("tile"), hl.Func("f")
    k = hl.RDom([(0, 16)], "k")
    tile[X, Y] = a[X, Y]
    f[X, Y] = 0
    f[X, Y] += tile[k.x, Y] * (X + 1)
    f.split(X, X, XI, 8).reorder(XI, Y, X).gpu_blocks(X).gpu_threads(XI)
    f.update().split(k.x, KO, KI, 4).split(X, X, XI, 8).reorder(KI, XI, KO, Y, X)
    f.update().gpu_blocks(X).gpu_threads(XI)
    tile.compute_at(f, KO).store_at(f, Y).store_in(ASYNC).gpu_threads(X)
    return f


def test_a_ring_begins_when_nobody_reads_the_one_before() -> None:
    fn = lowered(rows())
    assert waits(fn)[-1:] == [0] and barriers(fn) == 2
    for made in outcomes(fn):
        np.testing.assert_array_equal(made, expected())


def changed(fn: s.LoweredFunction, change: Any) -> s.LoweredFunction:
    def visit(stmt: s.Stmt) -> s.Stmt:
        made = rebuild(stmt, tuple(map(visit, children_of(stmt))), lambda e: e)
        return change(made)  # type: ignore[no-any-return]

    kernels = tuple(replace(k, body=visit(k.body)) for k in fn.kernels)
    return replace(fn, kernels=kernels)


BROKEN: dict[str, Any] = {
    "one group too many goes on": lambda x: (
        s.AwaitCopies(x.pending + 1) if isinstance(x, s.AwaitCopies) else x
    ),
    "nobody waits": lambda x: s.Block(()) if isinstance(x, s.AwaitCopies) else x,
    "no barrier": lambda x: s.Block(()) if isinstance(x, s.Barrier) else x,
    "no groups": lambda x: s.Block(()) if isinstance(x, s.CommitCopies) else x,
}


@pytest.mark.parametrize("name", some_slow(BROKEN, ("one group too many goes on", "no barrier")))
def test_what_is_not_waited_for_is_found(name: str) -> None:
    fn = changed(lowered(sums(fold=12)), BROKEN[name])
    whole = {fn.args[-1].name: SIZE}
    for launcher in (None, by_ptx(fn, 80)):
        with pytest.raises((AssertionError, PtxError)):
            on_device(fn, {"a": A}, whole, launcher)


def product(fold: int) -> hl.Func:
    """A product of matrices, tiles of both of which are copied early, and whose sums are in
    registers."""
    a, b = hl.ImageParam(hl.Int(32), 2, "a"), hl.ImageParam(hl.Int(32), 2, "b")
    k = hl.RDom([(0, a.width())], "k")
    p, f = hl.Func("p"), hl.Func("f")
    p[X, Y] = 0
    p[X, Y] += a[k.x, Y] * b[X, k.x]
    f[X, Y] = p[X, Y]
    f.tile(X, Y, XO, YO, XI, YI, 16, 8, hl.TailStrategy.GuardWithIf)
    f.gpu_blocks(XO, YO).gpu_threads(XI, YI)
    p.compute_at(f, XO).store_in(hl.MemoryType.Register).gpu_threads(X, Y)
    p.bound_extent(X, 16).bound_extent(Y, 8)
    p.update().split(k.x, KO, KI, 4, hl.TailStrategy.GuardWithIf).reorder(KI, X, Y, KO)
    p.update().gpu_threads(X, Y)
    for image, along in ((a, 0), (b, 1)):
        tile = image.in_()
        tile.compute_at(p, KO).store_at(f, XO).store_in(ASYNC)
        tile.fold_storage(tile.args()[along], fold).gpu_threads(*tile.args())
    return f


@pytest.mark.parametrize("fold", some_slow((8, 12), (12,)))
def test_tiles_of_both_factors_are_copied_early(fold: int) -> None:
    fn = lowered(product(fold))
    assert waits(fn) == [fold // 4 - 2]
    assert barriers(fn) == 1
    b = np.random.default_rng(3).integers(-9, 9, (40, 19), np.int32)
    b = np.concatenate([b, np.zeros((40, 21), np.int32)], 1)
    a = np.concatenate([A, A])
    name = fn.args[-1].name
    for launcher in (None, by_ptx(fn, 80)):
        made, _ = on_device(fn, {"a": a, "b": b}, {name: (32, 16)}, launcher)
        np.testing.assert_array_equal(made[name], (a @ b)[:, :32])


def check(seed: int, with_ptx: bool) -> int:
    """How many steps early a random program copies; its values are those of the definition."""
    pick = random.Random(seed)
    step, taps = pick.choice((1, 2, 3, 4, 5)), pick.choice((1, 1, 2, 3, 4))
    depth = pick.choice((1, 2, 7, 12, 16, 30))
    if taps > 1:
        # Of shorter last steps no number of threads is known.
        depth = step * pick.randint(1, 7)
    fold = pick.choice((None, step + taps - 1 + pick.randint(0, 12)))
    fn = lowered(sums(step, fold, taps, depth if taps > 1 else pick.choice((depth, None))))
    name = fn.args[-1].name
    for launcher in (None, by_ptx(fn, 80)) if with_ptx else (None,):
        made, _ = on_device(fn, {"a": A}, {name: SIZE}, launcher, n=np.int32(depth))
        np.testing.assert_array_equal(made[name], expected(taps, depth), f"seed {seed}")
    early = any(isinstance(x, s.CommitCopies) for k in fn.kernels for x in walk(k.body))
    return max(waits(fn)) + 1 if early else 0


def test_random_rings() -> None:
    assert len({check(seed, seed < 2) for seed in range(10)}) > 2


@pytest.mark.slow
def test_many_random_rings() -> None:
    assert {check(seed, seed % 5 == 0) for seed in range(100, 300)} >= {0, 1, 2, 3, 4}


@NEEDS_PTXAS
@pytest.mark.parametrize("capability", (80, 90))
def test_ptxas_takes_groups(capability: int) -> None:
    fn = lowered(sums(fold=16))
    for taken in usage(kernels_ptx(fn.kernels, capability), capability).values():
        assert taken.spilled == taken.stack == 0
