"""`Param` and `ImageParam` are the real Halide package's: values, promises and mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler

from .both import BOTH, assert_same, cases

TEXTS = cases("""
p.type(); p.name(); p + 1; p * 1.5; p + x; hl.Param(hl.UInt(8), 300); hl.Param(hl.UInt(8), "q", 300)
hl.Param(hl.UInt(8), 1.5); hl.Param(hl.Bool(), 2); hl.Param(hl.Int(32), [1]); hl.Param(3)
hl.Param(hl.UInt(8)).set("s"); hl.Param(hl.UInt(8)).set(256); hl.Param(hl.UInt(64)).set(2 ** 63)
hl.Param(hl.Float(32)).set(np.float64(1.5)); hl.Param(hl.UInt(8)).set(np.uint8(3)); p.set(1.5)
p.set(x); p.set(3); p.set(3.0); p.min_value(); p.set_range(0, 10); p.set_min_value(hl.f32(x))
p.set_range(1.5, 2); p.set_estimate(3); hl.Param(hl.UInt(8)).set_estimate(300); p.set_estimate("s")
p[3]; p.logical_not(); hl.Param(hl.Bool()).logical_not(); hl.Param(hl.Float(32)).set(1e300)
i.width(); i.height(); i.left(); i.right(); i.top(); i.bottom(); i.channels(); i.dim(2); i.defined()
i.dim(0).min(); i.dim(1).extent(); i.dim(0).stride(); i.dim(1).max(); i.host_alignment(); i.type()
i.get().defined(); i.reset(); i.set(None); i.set(hl.Buffer(hl.UInt(16), [3, 4])); i.dimensions()
i[x, y]; i[x]; i[x, y, x]; i[x, 1.5]; i[hl.f32(x), y]; i[hl.u8(x), hl.i64(y)]; i[hl._]; i[1, 2]
i[hl.u32(x), y]; i[hl.i64(3), y]; i[hl.RDom([(0, 3)]), y]; i["a", y]
i.set_estimates([(0, 10)]).name(); i.set_estimates([(0, 10), (0, 20)]).name()
i.set_estimates([hl.Range(0, 10), hl.Range(0, 3)]).name(); i == i; hl.ImageParam(3, 2)
i.set_host_alignment(32).name(); i.trace_loads(); i.name()
""")


def names(hl: Any) -> dict[str, Any]:
    image = hl.ImageParam(hl.UInt(8), 2, "im")
    return {"x": hl.Var("x"), "y": hl.Var("y"), "p": hl.Param(hl.Int(32), "p"), "i": image}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", TEXTS)
def test_a_parameter_is_halides(text: str) -> None:
    assert_same(text, names)


@pytest.mark.parametrize("hl", BOTH, ids=["halide", "compiler"])
def test_a_value_out_of_its_range_is_reported(hl: Any) -> None:
    x, f, p = hl.Var("x"), hl.Func("f"), hl.Param(hl.Int(32), "p")
    f[x] = p + x
    p.set_range(0, 10)
    with pytest.raises(hl.HalideError, match="does not have a valid scalar value"):
        f.realize([2])
    p.set(20)
    with pytest.raises(hl.HalideError, match="Parameter p is 20 but must be at most 10"):
        f.realize([2])
    p.set(-1)
    with pytest.raises(hl.HalideError, match="Parameter p is -1 but must be at least 0"):
        f.realize([2])
    p.set(7)
    assert f.realize([2])[1] == 8


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("hl", BOTH, ids=["halide", "compiler"])
def test_parameters_of_all_types_reach_the_pipeline(hl: Any) -> None:
    values = [
        (hl.UInt(8), 200),
        (hl.Int(8), -100),
        (hl.UInt(16), 60000),
        (hl.Int(16), -30000),
        (hl.UInt(32), 4_000_000_000),
        (hl.Int(32), -2_000_000_000),
        (hl.UInt(64), 2**63 + 1),
        (hl.Int(64), -(2**62)),
        (hl.Float(32), 0.5),
        (hl.Float(64), 0.25),
        (hl.Bool(), True),
    ]
    for type, value in values:
        x, f, p = hl.Var("x"), hl.Func("f"), hl.Param(type, value)
        f[x] = p
        assert f.realize([1])[0] == value


@pytest.mark.parametrize("hl", BOTH, ids=["halide", "compiler"])
def test_an_image_read_through_a_wrapper_is_the_image(hl: Any) -> None:
    array = np.arange(12, dtype=np.uint8).reshape(3, 4)
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    image = hl.ImageParam(hl.UInt(8), 2)
    image.set(hl.Buffer(array))
    f[x, y] = image[x, y] + 1
    image.in_(f).compute_root()
    np.testing.assert_array_equal(np.array(f.realize([4, 3])), array + 1)


def test_the_wrapper_of_an_image_is_one_and_may_not_be_another() -> None:
    hl = compiler
    image, f, g = hl.ImageParam(hl.UInt(8), 1), hl.Func("f"), hl.Func("g")
    assert image.in_().name() == image.in_().name()
    assert image.in_(f).name() != image.in_(g).name()
    with pytest.raises(hl.HalideError, match="Redefinition"):
        image.in_([f, g])


def test_a_stride_may_be_promised_in_terms_of_an_extent() -> None:
    hl = compiler
    array = np.arange(12, dtype=np.uint8).reshape(3, 4)
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    image.dim(1).set_stride(image.dim(0).extent())
    f[x, y] = image[x, y]
    image.set(hl.Buffer(array))
    np.testing.assert_array_equal(np.array(f.realize([4, 3])), array)
    image.set(hl.Buffer(np.zeros((3, 8), np.uint8)[:, :4]))
    with pytest.raises(hl.HalideError, match="stride"):
        f.realize([4, 3])
