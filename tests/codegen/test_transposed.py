"""Recursions along rows run in blocks that are transposed in registers, and give what rows give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.affine import distance
from compiler.codegen.transposed import Transposition, transpositions
from compiler.ir import I32, I64, Add, Cast, Mul, Neg, Sub, Variable, const
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk

Array = np.ndarray[Any, Any]
X, Y = hl.vars("x y")
TARGETS = ["x86-64-linux-sse41", "x86-64-linux-avx2", "x86-64-linux-avx512_skylake"]
TYPES = {
    "uint8": hl.UInt(8), "int16": hl.Int(16), "int32": hl.Int(32),
    "float32": hl.Float(32), "float64": hl.Float(64),
}  # fmt: skip
SIZES = [(4, 1), (5, 3), (16, 16), (33, 20), (70, 67), (100, 35)]


def recursion(kind: str, order: int, backward: bool, in_place: bool) -> tuple[hl.Func, Any, Any]:
    """f(x) = a(x) - 3 f(x - 1) + f(x - 2): nothing that may be combined in another order."""
    type = TYPES[kind]
    a, width = hl.ImageParam(type, 2, "a"), hl.Param(hl.Int(32), "width")
    f, r = hl.Func("f"), hl.RDom([(0, hl.max(width - order, 0))], "r")
    f[X, Y] = a[X, Y]
    place = (lambda k: width - 1 - r.x - k) if backward else (lambda k: r.x + k)
    new = f[place(order), Y] if in_place else a[place(order), Y]
    for k in range(1, order + 1):
        new = new + hl.cast(type, [-3, 1, 2][k - 1]) * f[place(order - k), Y]
    f[place(order), Y] = new
    return f, a, width


def expected(a: Array, order: int, backward: bool) -> Array:
    f = a.copy()
    width = a.shape[1]
    with np.errstate(all="ignore"):
        for x in range(order, width):
            at = (lambda k: width - 1 - k) if backward else (lambda k: k)
            new = a[:, at(x)]
            for k in range(1, order + 1):
                factor = a.dtype.type([-3 % 256 if a.dtype == np.uint8 else -3, 1, 2][k - 1])
                new = new + factor * f[:, at(x - k)]
            f[:, at(x)] = new
    return f


def pixels(kind: str, width: int, height: int) -> Array:
    rng = np.random.default_rng(width * height)
    if kind.startswith("float"):
        return rng.standard_normal((height, width)).astype(kind) / 64
    return rng.integers(0, 100, (height, width)).astype(kind)


@pytest.mark.sampled
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("in_place", [False, True])
def test_a_recursion_along_rows_is_the_recursion(
    target: str, kind: str, order: int, backward: bool, in_place: bool
) -> None:
    f, a, width = recursion(kind, order, backward, in_place)
    for size in SIZES:
        image = pixels(kind, *size)
        a.set(hl.Buffer(image))
        width.set(size[0])
        out = np.zeros_like(image)
        f.realize(hl.Buffer(out), hl.Target(target))
        np.testing.assert_array_equal(out, expected(image, order, backward))


def found_in(f: hl.Func, *inputs: Any) -> list[Transposition]:
    body = f.lowered().body
    blocks = [x for x in walk(body) if isinstance(x, s.Block)]
    parts = [part for x in blocks for part in transpositions(x.stmts)]
    return [part for part in parts if isinstance(part, Transposition)]


def scheduled(step: int = 16, read: int = 1) -> hl.Func:
    a, width = hl.ImageParam(hl.Float(32), 2, "a"), hl.Param(hl.Int(32), "width")
    f, r = hl.Func("f"), hl.RDom([(1, width - 2)], "r")
    f[X, Y] = a[X, Y]
    f[r.x, Y] = a[r.x, Y] * 0.5 + f[r.x - read, Y]
    yo, yi, ro, ri = hl.Var("yo"), hl.Var("yi"), hl.RVar("ro"), hl.RVar("ri")
    tail = hl.TailStrategy.GuardWithIf
    update = f.update()
    update.split(Y, yo, yi, 16, tail).split(r.x, ro, ri, step, tail)
    update.reorder(yi, ri, ro, yo).vectorize(yi).unroll(ri)
    return f


def test_vectors_across_rows_that_are_unrolled_along_them_are_transposed() -> None:
    found, *_ = found_in(scheduled())
    assert len(found.stores) == 16 and len(found.forwarded) == 15


def test_a_column_that_is_read_before_it_is_written_is_that_of_before() -> None:
    found, *_ = found_in(scheduled(read=-1))
    assert not found.forwarded


def test_places_that_are_counted_from_the_end_lie_a_constant_apart() -> None:
    block = Variable("block", I32)
    last = Add(Neg(Mul(Cast(I64, block), const(16, I64))), const(2047, I64))
    before = Sub(const(2040, I64), Cast(I64, Mul(block, const(16))))
    assert distance(last, before) == -7
    assert distance(last, Add(const(2040, I64), Cast(I64, Mul(block, const(16))))) is None


def test_few_columns_are_left_as_they_are() -> None:
    assert not found_in(scheduled(step=2))


@pytest.mark.parametrize("pitch", [100, -100, 117, 3, 1])
def test_rows_may_lie_in_any_order_and_share_elements(pitch: int) -> None:
    """Where rows share elements the blocks go row by row: each row is that of its input."""
    f, a, width = recursion("int32", 1, False, True)
    image = pixels("int32", 100, 40)
    a.set(hl.Buffer(image))
    width.set(100)
    memory = np.zeros(100 * 40 + 40 * abs(pitch) + 100, np.int32)
    begin = 39 * 100 + 39 if pitch < 0 else 0
    strides = (pitch * 4, 4)
    view = np.lib.stride_tricks.as_strided(memory[begin:], (40, 100), strides)
    f.realize(hl.Buffer(view))
    if abs(pitch) >= 100:
        np.testing.assert_array_equal(view, expected(image, 1, False))


def test_what_lies_around_the_image_is_not_touched() -> None:
    f, a, width = recursion("float32", 1, False, True)
    image = pixels("float32", 67, 35)
    a.set(hl.Buffer(image))
    width.set(67)
    memory = np.full((37, 80), 7, np.float32)
    f.realize(hl.Buffer(memory[1:36, 5:72]))
    np.testing.assert_array_equal(memory[1:36, 5:72], expected(image, 1, False))
    memory[1:36, 5:72] = 7
    assert (memory == 7).all()
