"""Shapes without elements: what a call would touch, as the real package answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler
from tests.lang.both import assert_same


def names(hl: Any) -> dict[str, Any]:
    x, y = hl.Var("x"), hl.Var("y")
    a, b, c = (hl.ImageParam(hl.UInt(8), 1, f"image_{n}") for n in "abc")

    def func(value: Any) -> Any:
        f = hl.Func("f")
        f[x] = value
        return f

    def shape(buffer: Any) -> list[tuple[int, int, int]]:
        dims = [buffer.dim(d) for d in range(buffer.dimensions())]
        return [(d.min(), d.extent(), d.stride()) for d in dims]

    def asked(*sizes: int) -> Any:
        return hl.Buffer.make_bounds_query(hl.UInt(8), list(sizes))

    def inferred(f: Any, *images: Any) -> list[Any]:
        f.infer_input_bounds([4])
        return [shape(image.get()) for image in images]

    def called(f: Any, images: Any, *buffers: Any) -> list[Any]:
        f.compile_to_callable(images)(*buffers)
        return [shape(buffer) for buffer in buffers]

    return {
        "x": x, "y": y, "a": a, "b": b, "c": c, "func": func, "asked": asked, "shape": shape,
        "inferred": inferred, "called": called, "size": lambda n: hl.Buffer(hl.UInt(8), [n]),
    }  # fmt: skip


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(
    "text",
    [
        "called(func(a[x] + a[x + 2]), [a], asked(1), size(10))",
        "called(func(a[x + 1]).vectorize(x, 8), [a], size(4), asked(6))",
        "called(func(a[x + 1]).vectorize(x, 8), [a], asked(0), asked(6))",
        "called(func(a[x + 1]).bound(x, 0, 16), [a], asked(0), asked(16))",
        "called(func((a[x + 1], a[x + 2])), [a], asked(0), asked(6), size(6))",
        "a.dim(0).set_bounds(0, 20); inferred(func(a[x]), a)",
        "a.dim(0).set_min(b.dim(0).min() - 1); a.dim(0).set_extent(b.dim(0).extent() + 2); "
        "inferred(func(a[x] + b[x + 1]), a, b)",
        "inferred(func(a[a.width() - 1 - x]), a)",
        "inferred(func(a[x + a.width()]), a)",
        "inferred(func(a[x] + b[x + a.width()] + c[x + b.width()]), a, b, c)",
        "inferred(func(hl.BoundaryConditions.repeat_edge(a)[x]), a)",
        "q = asked(6); f = func(hl.u8(x)); f.realize(q); shape(q)",
    ],
)
def test_the_answer_is_halides(text: str) -> None:
    ours = assert_same(text.replace("; ", "\n"), names)
    assert not ours.error


def test_a_query_changes_no_memory() -> None:
    x = compiler.Var("x")
    image = compiler.ImageParam(compiler.UInt(8), 1)
    f = compiler.Func()
    f[x] = image[x]
    out = np.full(6, 77, np.uint8)
    query = compiler.Buffer.make_bounds_query(compiler.UInt(8), [0])
    f.compile_to_callable([image])(query, compiler.Buffer(out))
    assert (out == 77).all()
    assert query.dim(0).extent() == 6


def test_regions_that_never_settle_are_refused() -> None:
    x = compiler.Var("x")
    image = compiler.ImageParam(compiler.UInt(8), 1)
    f = compiler.Func()
    f[x] = image[x + image.dim(0).min() + 1]
    with pytest.raises(compiler.HalideError, match="settle"):
        f.infer_input_bounds([4])


def test_a_strided_image_gets_memory_in_that_order() -> None:
    x, y, c = compiler.vars("x y c")
    image = compiler.ImageParam(compiler.UInt(8), 3)
    image.dim(0).set_stride(3)
    image.dim(2).set_stride(1)
    f = compiler.Func()
    f[x, y, c] = image[x, y, c] + 1
    f.infer_input_bounds([4, 2, 3])
    made = image.get()
    assert [made.dim(d).stride() for d in range(3)] == [3, 12, 1]
    f.realize([4, 2, 3])


def test_a_query_has_no_elements_to_compute_with() -> None:
    x = compiler.Var("x")
    f = compiler.Func()
    f[x] = compiler.Buffer.make_bounds_query(compiler.UInt(8), [4])[x]
    out = np.full(4, 7, np.uint8)
    f.realize(compiler.Buffer(out))
    assert (out == 7).all()
