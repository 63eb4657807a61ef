"""`RDom`, `RVar` and inline reductions are the real Halide package's, mistakes too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .both import BOTH, assert_same, cases

TEXTS = cases("""
r.x; r[0]; r[1]; r[-1]; len(r); r + 1; r.x.min(); r.x.extent(); r.x.name(); r.defined()
hl.RDom([]).dimensions(); hl.RDom([(0, 1)] * 5).dimensions(); hl.RDom([(0, 1)] * 2) + 1
hl.RDom([(0.5, 1)]); hl.RDom([(hl.u8(3), hl.u8(4))]).x.min(); hl.RDom([(0, hl.i64(3))]).x.extent()
hl.RDom([(0, 2 ** 40)]); hl.RDom((0, 3)); hl.RDom([0, 3]); hl.RDom(0, 3); hl.RDom([(x, 3)])
hl.RDom([hl.Range(0, 3)]).x.min(); hl.RDom(hl.Buffer(hl.UInt(8), [3, 4])).y.extent()
hl.RDom(hl.ImageParam(hl.UInt(8), 2)).y.extent(); hl.RDom().defined(); r.where(x); r.where(r.x < 2)
hl.RVar("a").name(); hl.RVar("a").min(); hl.RVar(r).name(); r.same_as(r)
hl.RDom([(0, p)]).x.extent()
hl.Range(0, 3).extent; hl.Range((0, 3)).min; hl.Range().min
hl.sum(x); hl.sum(r); hl.sum(u8); hl.sum(hl.u8(r)); hl.argmax(hl.u8(r)); hl.maximum(hl.u8(r))
hl.sum(r, x); hl.sum(r, u8); hl.product(hl.u8(r)); hl.argmax(r, u8); hl.sum((r, x))
hl.sum(r, x, "n")
hl.sum(hl.u8(r.x) + hl.RDom([(0, 2)]).x); hl.minimum(hl.f64(r.x)); hl.sum(hl.u8(r), name="n")
hl.maximum(r.x < 1)
""")


def names(hl: Any) -> dict[str, Any]:
    x = hl.Var("x")
    r = hl.RDom([(0, 3)], "r")
    return {"x": x, "u8": hl.u8(x), "r": r, "p": hl.Param(hl.Int(32), "p")}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", TEXTS)
def test_a_domain_is_halides(text: str) -> None:
    assert_same(text, names)


def realized(make: Any, size: list[int]) -> None:
    """make(hl, buffer) gives the same numbers under both packages."""
    image = np.random.default_rng(4).integers(0, 256, (7, 9), dtype=np.uint8)
    results = []
    for hl in BOTH:
        given = make(hl, hl.Buffer(image)).realize(size)
        results.append(
            [np.array(g) for g in (given if isinstance(given, (list, tuple)) else [given])]
        )
    for theirs, ours in zip(*results, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("name", ["sum", "product", "maximum", "minimum", "argmax", "argmin"])
def test_an_inline_reduction_gives_halides_numbers(name: str) -> None:
    def make(hl: Any, b: Any) -> Any:
        x, f = hl.Var("x"), hl.Func("f")
        r = hl.RDom([(0, 5), (1, 4)])
        # No negative values: the real package's argmin finds none of those.
        f[x] = getattr(hl, name)(hl.i32(b[x + r.x, r.y]) * 3)
        return f

    realized(make, [4])


def test_a_reduction_inside_of_another_sees_its_variables() -> None:
    def make(hl: Any, b: Any) -> Any:
        x, f = hl.Var("x"), hl.Func("f")
        outer, inner = hl.RDom([(0, 3)]), hl.RDom([(0, 4)])
        f[x] = hl.sum(outer, hl.maximum(inner, hl.i32(b[x + inner, outer])))
        return f

    realized(make, [5])


def test_bounds_may_depend_on_parameters_and_predicates_on_data() -> None:
    def make(hl: Any, b: Any) -> Any:
        x, f = hl.Var("x"), hl.Func("f")
        n = hl.Param(hl.Int(32), "n", 4)
        r = hl.RDom([(1, n), (0, n - 1)])
        r.where(b[r.x, r.y] > 100)
        r.where(r.x != r.y)
        f[x] = 0
        f[x] += hl.select(r.x > x, hl.i32(b[r.x, r.y]), 1)
        return f

    realized(make, [6])


def test_a_domain_over_an_image_covers_it() -> None:
    def make(hl: Any, b: Any) -> Any:
        x, f, r = hl.Var("x"), hl.Func("f"), hl.RDom(b)
        f[x] = hl.u32(0)
        f[hl.i32(b[r.x, r.y]) / 16] += hl.u32(1)
        return f

    realized(make, [16])


def test_five_dimensions_run_in_order() -> None:
    def make(hl: Any, b: Any) -> Any:
        x, f = hl.Var("x"), hl.Func("f")
        r = hl.RDom([(0, 2), (0, 3), (0, 2), (1, 2), (0, 2)])
        f[x] = 1
        f[x] = f[x] * 3 + r[0] + 5 * r[1] - r[2] * r[3] + 7 * r[4]
        return f

    realized(make, [2])
