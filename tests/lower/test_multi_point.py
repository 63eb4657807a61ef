"""`scatter` and `gather`: several points are updated at once, as by the real Halide."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import compiler

from .both_packages import Program, assert_same, assert_same_refusal, inputs


def line(update: str) -> Program:
    """f(x) = x * x under one update; `g` is another stage, r has 7 steps."""

    def program(hl: Any, i: SimpleNamespace) -> Any:
        f, g, t, r = hl.Func("f"), hl.Func("g"), hl.Func("t"), hl.RDom([(0, 7)], "r")
        f[i.x], g[i.x], t[i.x] = i.x * i.x, i.x * 5, (i.x, i.x * 2)
        exec(update, vars(i) | {"hl": hl, "f": f, "g": g, "t": t, "r": r, "a": i.a})
        return (t if update.startswith("t") else f).realize([16])

    return program


UPDATES = [
    "f[hl.scatter([0, 1])] = hl.gather([10, 20])",
    "f[hl.scatter((0, 1))] = 3",
    "f[hl.scatter([0, 1])] = hl.gather([f[1], f[0]])",
    "f[hl.scatter([0, 1])] = f[hl.gather([1, 0])] + hl.gather([100, 200])",
    "f[hl.scatter([0, 1, 2])] += hl.gather([1, 2, 3])",
    "f[hl.scatter([0, 0, 2])] += 7",
    "f[hl.scatter([3, 3])] = hl.gather([1, 2])",
    "f[3] = hl.gather([1, 2])",
    "f[hl.scatter([r, 15 - r])] = f[hl.gather([15 - r, r])]",
    "f[hl.gather([r, 15 - r])] = hl.scatter([f[15 - r], f[r]])",
    "f[hl.scatter([r])] = hl.gather([f[r + 1]])",
    "f[hl.scatter([0, 1])] = hl.select(f[hl.gather([3, 4])] > 9, hl.gather([5, 6]), 9)",
    "f[hl.scatter([hl.clamp(f[2], 0, 9), hl.clamp(f[3], 0, 9)])] = hl.gather([f[3], f[2]])",
    "f[hl.scatter([2, hl.clamp(f[2], 0, 9)])] = hl.gather([9, 8])",
    "f[hl.scatter([0, 1])] = hl.gather([g[3], g[4]])",
    "f[hl.scatter([0, 1])] = g[hl.gather([3, 4])]",
    "f[hl.scatter([0, 1])] = g[hl.gather([3, 4])]\ng.compute_root()",
    "f[hl.scatter([r, r + 8])] = g[hl.gather([r, r + 3])] + g[r]\ng.compute_at(f, r.x)",
    "f[hl.scatter([r, r + 8])] = hl.i32(a[hl.gather([r, 2 * r]), 3])",
    "f[hl.scatter([r, r + 8])] = hl.i32(a[r, 3])\nf.update().unroll(r)",
    "f[hl.scatter([r, r + 8])] = hl.i32(a[r, 3])\n"
    "f.update().allow_race_conditions().vectorize(r.x, 4)",
    "t[hl.scatter([0, 1])] = (hl.gather([1, 2]), hl.gather([3, 4]))",
    "t[hl.scatter([0, 1])] = (t[hl.gather([1, 0])][1], t[hl.gather([1, 0])][0])",
    "t[hl.scatter([r, 9])] = (t[hl.gather([9, r])][0] + 1, 7)",
]


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("update", UPDATES)
def test_all_values_are_read_before_any_is_written(update: str) -> None:
    assert_same(line(update))


PLANE = [
    "h[hl.scatter([0, 1]), y] = hl.gather([h[1, y], h[0, y]])",
    "h[hl.scatter([0, 1]), y] = hl.gather([h[1, y], h[0, y]])\nh.update().vectorize(y, 8)",
    "h[x, hl.scatter([0, 1])] = hl.gather([h[x, 1], h[x, 0]])",
    "h[x, hl.scatter([0, 1])] = hl.gather([h[x, 1], h[x, 0]])\nh.update().vectorize(x, 8)",
    "h[x, hl.scatter([0, 1])] = h[x, hl.gather([1, 0])]\nh.update().parallel(x)",
    "h[x, hl.scatter([0, 1])] = h[x, hl.gather([1, 0])]\nh.vectorize(x, 4)\n"
    "h.compute_at(k, v).update().vectorize(x, 4)",
    "h[x, hl.scatter([0, 1])] = h[x, hl.gather([1, 0])]\nh.store_root().compute_at(k, v)",
    "h[hl.scatter([0, 1]), hl.scatter([2, 3])] = hl.gather([50, 60])",
    "h[hl.scatter([r, r + 1]), y] = h[hl.gather([r + 1, r]), y]\nh.update().reorder(y, r.x)",
    "h[hl.scatter([0, 1]), r] = hl.gather([h[1, r], h[0, r]])\nh.update().vectorize(r.x)",
]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("update", PLANE)
def test_points_of_a_plane_are_updated_under_schedules(update: str) -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        h, k, r = hl.Func("h"), hl.Func("k"), hl.RDom([(0, 8)], "r")
        h[i.x, i.y] = i.x + 10 * i.y
        exec(update.split("\n")[0], vars(i) | {"hl": hl, "h": h, "r": r})
        k[i.u, i.v] = h[i.u, i.v] + h[i.u + 1, i.v]
        if "compute_" not in update:
            h.compute_root()
        exec("\n".join(update.split("\n")[1:]), vars(i) | {"hl": hl, "h": h, "k": k, "r": r})
        return k.realize([16, 9])

    assert_same(program)


def test_a_value_of_several_parts_at_one_place_is_its_last() -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        f = hl.Func("f")
        f[i.x] = hl.gather([i.x, i.x + 1])
        return f.realize([5])

    assert_same(program)


REFUSED = {
    "f[hl.scatter([0, 1, 2])] = hl.gather([1, 2])": "Expression tuples of mismatched sizes",
    "f[hl.scatter([0, hl.gather([1, 2])])] = 3": "Can't nest an expression tuple inside another",
    "f[hl.scatter([0, 1])] = hl.gather([x, y])": 'Undefined variable "x"',
    "f[hl.scatter([0, 1])] = hl.gather([1.5, 2])": "has type float32, but pure definition has",
    "f[hl.scatter([r, 0])] += 1\nf.update().parallel(r)": "race condition",
}


@pytest.mark.parametrize("update", REFUSED)
def test_what_halide_refuses_is_refused(update: str) -> None:
    assert_same_refusal(line(update), REFUSED[update])


@pytest.mark.parametrize("made", ["gather([])", "scatter([])", "gather([1, 2.5])"])
def test_no_points_and_mixed_types_are_refused(made: str) -> None:
    """The real package crashes over the former, and mixes up bits over the latter."""
    with pytest.raises(compiler.HalideError, match=r"at least one point|must have one type"):
        eval(f"hl.{made}", {"hl": compiler})


@pytest.mark.parametrize("directive", ["atomic().parallel(r)", "rfactor(r, u)"])
def test_steps_of_several_points_are_not_taken_at_once(directive: str) -> None:
    """The real package takes them."""
    program = line(f"f[hl.scatter([r, 0])] += 1\nf.update().{directive}")
    with pytest.raises(compiler.HalideError, match="can't prove associativity"):
        program(compiler, inputs(compiler))


def test_points_that_lie_outside_of_the_output_are_refused_when_run() -> None:
    x, f = compiler.Var("x"), compiler.Func("f")
    f[x] = x
    f[compiler.scatter([0, 20])] = 3
    with pytest.raises(compiler.HalideError, match="is accessed at 20, which is beyond the max"):
        f.realize(compiler.Buffer(compiler.Int(32), [16]))
