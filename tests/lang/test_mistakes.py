"""What the real package refuses, we refuse, naming the user's line."""

from __future__ import annotations

from typing import Any

import halide
import numpy as np
import pytest

import compiler


def unbound_image(hl: Any) -> None:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f, x = hl.Func("f"), hl.Var("x")
    f[x] = image[x, 0]
    f.realize([3])


def out_of_bounds(hl: Any) -> None:
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    image.set(hl.Buffer(np.zeros(3, np.uint8)))
    f, x = hl.Func("f"), hl.Var("x")
    f[x] = image[x + 1]
    f.realize([3])


def unbounded(hl: Any) -> None:
    image = hl.ImageParam(hl.Int(32), 1, "image")
    image.set(hl.Buffer(np.zeros(3, np.int32)))
    f, x = hl.Func("f"), hl.Var("x")
    f[x] = image[image[x]]
    f.realize([3])


def defined(hl: Any, text: str) -> Any:
    names = {"hl": hl, "f": hl.Func("f"), "x": hl.Var("x"), "y": hl.Var("y"), "np": np}
    names["r"] = hl.RDom([(0, 3)])
    exec(text, names)
    return names


MISTAKES = [
    "f[x] = y",
    "f[3] = x",
    "f[x, x] = x",
    "f[r.x] = 3",
    "f.realize([3])",
    "f[x] = x; f.realize([3, 4])",
    "f[x] = hl.u8(1); f[x] = 3",
    "f[x] = hl.u8(1); f[x, y] = hl.u8(3)",
    "f[x] = x; f[x, y]",
    "f[x] = x; f.vectorize(y)",
    "f[x] = x; f.realize([3]); f[x] = 3",
    "b = hl.Buffer(hl.UInt(8), [4]); f[x] = x; f.realize(b)",
    "p = hl.Param(hl.UInt(8), 'p'); p.set(300)",
    "p = hl.Param(hl.UInt(8), 'p'); f[x] = p; f.realize([3])",
    "p = hl.ImageParam(hl.UInt(8), 2, 'p'); p[x]",
    "p = hl.ImageParam(hl.UInt(8), 1, 'p'); p.set(hl.Buffer(np.zeros(3, np.int32)))",
    "f[x] = x; f.split(x, x, x, 8)",
    "f[x] = 0; f[x] += r; f.update().vectorize(r.x)",
]


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_refused_as_by_halide(text: str) -> None:
    for hl in (halide, compiler):
        with pytest.raises(hl.HalideError):
            defined(hl, text)


@pytest.mark.parametrize("program", [unbound_image, out_of_bounds, unbounded])
def test_a_bad_image_is_refused_as_by_halide(program: Any) -> None:
    for hl in (halide, compiler):
        with pytest.raises(hl.HalideError):
            program(hl)


def test_the_message_names_the_users_line() -> None:
    f, x, y = compiler.Func("f"), compiler.Var("x"), compiler.Var("y")
    with pytest.raises(compiler.HalideError, match=r"test_mistakes\.py:\d+: Undefined variable"):
        f[x] = y


def test_the_message_names_dimension_and_ranges() -> None:
    with pytest.raises(
        compiler.HalideError, match=r"at 3, which is beyond the max \(2\) in dimension 0"
    ):
        out_of_bounds(compiler)


def test_an_unknown_directive_is_refused_not_ignored() -> None:
    f, x = compiler.Func("f"), compiler.Var("x")
    f[x] = x
    with pytest.raises(compiler.HalideError, match="not supported"):
        f.hexagon(x)
