"""What lies around an image is what the real Halide package puts there."""

from __future__ import annotations

from typing import Any

import halide
import numpy as np
import pytest

import compiler
from tests.lang.both import BOTH

IMAGE = np.arange(12, dtype=np.uint8).reshape(3, 4)
KINDS = ["repeat_edge", "repeat_image", "mirror_image", "mirror_interior"]
LOW, SIZE = -11, 25


def around(hl: Any, make: Any) -> np.ndarray:
    """make(hl, image, buffer, stage) over a square much larger than the image."""
    x, y = hl.Var("x"), hl.Var("y")
    buffer = hl.Buffer(IMAGE)
    image = hl.ImageParam(hl.UInt(8), 2)
    image.set(buffer)
    stage = hl.Func("stage")
    stage[x, y] = hl.u8(x + 10 * y)
    made = make(hl, image, buffer, stage)
    out = hl.Buffer(hl.UInt(8), [SIZE, SIZE])
    out.set_min([LOW, LOW])
    made.realize(out)
    return np.array(out)


def assert_as_halides(make: Any) -> None:
    theirs, ours = (around(hl, make) for hl in BOTH)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kind", KINDS)
def test_an_image_goes_on_as_halides(kind: str) -> None:
    assert_as_halides(lambda hl, i, b, f: getattr(hl.BoundaryConditions, kind)(i))


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "bounds", [[(2, 4), (1, 3)], [(-3, 1), (0, 2)], [(0, 4)]], ids=["inside", "column", "x only"]
)
def test_a_stage_goes_on_from_given_bounds_as_halides(kind: str, bounds: Any) -> None:
    assert_as_halides(lambda hl, i, b, f: getattr(hl.BoundaryConditions, kind)(f, bounds))


def test_a_dimension_with_an_undefined_range_is_not_bounded() -> None:
    assert_as_halides(
        lambda hl, i, b, f: hl.BoundaryConditions.repeat_edge(f, [hl.Range(), hl.Range(0, 3)])
    )


@pytest.mark.slow
def test_a_constant_lies_around_as_halides() -> None:
    conditions = [
        lambda hl, i, b, f: hl.BoundaryConditions.constant_exterior(i, 7),
        lambda hl, i, b, f: hl.BoundaryConditions.constant_exterior(b, 300),
        lambda hl, i, b, f: hl.BoundaryConditions.constant_exterior(f, 7, [(1, 4), (0, 3)]),
        lambda hl, i, b, f: hl.BoundaryConditions.constant_exterior(f, 7, [(1, 4)]),
    ]
    for make in conditions:
        assert_as_halides(make)


def test_stages_of_several_values_have_boundaries() -> None:
    results = []
    for hl in BOTH:
        x, f = hl.Var("x"), hl.Func("f")
        f[x] = (hl.u8(x), hl.f32(x) * 2.0)
        edge = hl.BoundaryConditions.repeat_edge(f, [(2, 3)])
        results.append([np.array(b) for b in edge.realize([8])])
    for theirs, ours in zip(*results, strict=True):
        np.testing.assert_array_equal(ours, theirs)


MISTAKES = {
    "repeat_edge(f)": TypeError,
    "repeat_edge(3)": TypeError,
    "repeat_edge(f, [(0, 4)] * 3)": ValueError,
    "repeat_edge(f, [(0, hl.Expr())])": ValueError,
    "constant_exterior(f, 7)": TypeError,
    "constant_exterior(i, x)": "HalideError",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_what_halide_refuses_is_refused(text: str) -> None:
    for hl in (halide, compiler):
        x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
        f[x, y] = x
        i = hl.ImageParam(hl.UInt(8), 2)
        wanted = MISTAKES[text] if not isinstance(MISTAKES[text], str) else hl.HalideError
        with pytest.raises(wanted):
            eval("hl.BoundaryConditions." + text, {"hl": hl, "f": f, "i": i, "x": x})
