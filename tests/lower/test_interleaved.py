"""Interleaved pixels: channels next to each other, treated alike or differently."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import stmts as s
from compiler.ir.nodes import Load, Ramp, postorder
from compiler.ir.stmt_transform import walk

from .machines import WIDE

C, X, Y = hl.vars("c x y")


def image(name: str, channels: int) -> hl.ImageParam:
    made = hl.ImageParam(hl.UInt(8), 3, name)
    made.dim(0).set_bounds(0, channels)
    made.dim(1).set_stride(channels)
    return made


def uniform(channels: int) -> tuple[hl.Func, list[hl.ImageParam]]:
    a, b = image("a", channels), image("b", channels)
    f = hl.Func("f")
    f[C, X, Y] = hl.u8(hl.i32(a[C, X, Y]) * hl.i32(b[C, X, Y]) / 255)
    return promised(f, channels), [a, b]


def with_alpha(channels: int) -> tuple[hl.Func, list[hl.ImageParam]]:
    a, b = image("a", channels), image("b", channels)
    f = hl.Func("f")
    alpha = hl.i32(b[channels - 1, X, Y])
    mixed = (hl.i32(b[C, X, Y]) * alpha + hl.i32(a[C, X, Y]) * (255 - alpha)) / 255
    f[C, X, Y] = hl.u8(hl.select(channels - 1 == C, hl.i32(a[C, X, Y]), mixed))
    return promised(f, channels), [a, b]


def promised(f: hl.Func, channels: int) -> hl.Func:
    f.output_buffer().dim(0).set_bounds(0, channels)
    f.output_buffer().dim(1).set_stride(channels)
    return f


def expected(kind: Any, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    p, q = a.astype(int), b.astype(int)
    if kind is uniform:
        return p * q // 255
    alpha = q[..., -1:]
    made = (q * alpha + p * (255 - alpha)) // 255
    made[..., -1] = p[..., -1]
    return made


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("channels", [2, 3, 4])
@pytest.mark.parametrize("kind", [uniform, with_alpha])
def test_interleaved_pixels_are_right(kind: Any, channels: int) -> None:
    f, inputs = kind(channels)
    for width in (1, 31, 64, 131):
        rng = np.random.default_rng(width)
        arrays = [rng.integers(0, 256, (5, width, channels), dtype=np.uint8) for _ in inputs]
        for parameter, array in zip(inputs, arrays, strict=True):
            parameter.set(hl.Buffer(array))
        padded = np.full((5, width + 3, channels), 77, np.uint8)
        f.realize(hl.Buffer(padded[:, :width]))
        np.testing.assert_array_equal(padded[:, :width], expected(kind, *arrays))
        assert (padded[:, width:] == 77).all()


def test_channels_treated_alike_are_one_dense_run() -> None:
    f, _ = uniform(4)
    fn = schedule_and_lower([f.function], "f", WIDE)
    wide = [st for st in walk(fn.body) if isinstance(st, s.Store) and st.index.type.lanes > 1]
    wide = [st for st in wide if st.predicate is None]
    loads = [e for st in wide for e in postorder(st.value) if isinstance(e, Load)]
    indices = [st.index for st in wide] + [load.indices[0] for load in loads]
    assert len(indices) == 3
    assert all(isinstance(i, Ramp) and str(i.stride) == "1" for i in indices), indices


def vector_stores(f: hl.Func) -> list[s.Store]:
    body = schedule_and_lower([f.function], "f", WIDE).body
    return [st for st in walk(body) if isinstance(st, s.Store) and isinstance(st.index, Ramp)]


def test_channels_treated_differently_are_unrolled() -> None:
    f, _ = with_alpha(3)
    stores = vector_stores(f)
    assert len(stores) == 3
    assert all(str(st.index.stride) == "3" for st in stores if isinstance(st.index, Ramp))
    assert isinstance(stores[2].value, Load), "the select on the channel is decided"


def test_channels_that_differ_little_are_lanes_of_one_vector() -> None:
    main, tail = vector_stores(with_alpha(4)[0])
    assert main.predicate is None and tail.predicate is not None
    assert all(str(st.index.stride) == "1" for st in (main, tail) if isinstance(st.index, Ramp))


def test_channels_that_differ_much_are_unrolled() -> None:
    a = image("a", 4)
    f = hl.Func("f")
    own = [a[i, X, Y] * (a[(i + 1) % 4, X, Y] ^ (a[(i + 2) % 4, X, Y] + i)) for i in range(4)]
    f[C, X, Y] = hl.mux(C, own)
    assert len(vector_stores(promised(f, 4))) == 4


def test_a_channel_that_is_left_out_is_a_lane_that_is_off() -> None:
    a = image("a", 4)
    f = hl.Func("f")
    f[C, X, Y] = a[C, X, Y] * a[3, X, Y]
    f.output_buffer().dim(0).set_bounds(0, 3)
    f.output_buffer().dim(1).set_stride(4)
    stores = vector_stores(f)
    assert stores and all(st.predicate is not None for st in stores)
    assert all(str(st.index.stride) == "1" for st in stores if isinstance(st.index, Ramp))


def test_a_buffer_of_another_layout_is_refused() -> None:
    f, inputs = uniform(4)
    for parameter in inputs:
        parameter.set(hl.Buffer(np.zeros((4, 8, 4), np.uint8)))
    planar = np.zeros((4, 4, 8), np.uint8).transpose(1, 2, 0)
    with pytest.raises(hl.HalideError, match=r"Constraint violated: .*stride.0"):
        f.realize(hl.Buffer(planar))
