"""`atomic`: updates of threads that meet are whole; others cost nothing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk

from .both_packages import Program, assert_same
from .machines import PLAIN


def a_histogram_by_threads(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 37), (0, 20)])
    f[i.x] = 0
    f[hl.i32(i.a[r.x, r.y])] += 1
    f.update().atomic().parallel(r.y)
    return f.realize([256])


def a_tuple_by_threads_and_lanes(hl: Any, i: SimpleNamespace) -> Any:
    f, r = hl.Func("f"), hl.RDom([(0, 37), (0, 20)])
    bin = hl.i32(i.a[r.x, r.y])
    f[i.x] = hl.Tuple([0, 0])
    f[bin] = hl.Tuple([f[bin][0] + 1, f[bin][1] + f[bin][0] * 0 + 2])
    f.update().atomic(override_associativity_test=True).parallel(r.y).vectorize(r.x, 4)
    return f.realize([256])


@pytest.mark.parametrize("program", [a_histogram_by_threads, a_tuple_by_threads_and_lanes])
def test_values_are_halides(program: Program) -> None:
    assert_same(program)


def atomics(schedule: Any) -> int:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f, x, r = hl.Func("f"), hl.Var("x"), hl.RDom([(0, 32), (0, 20)])
    f[x] = 0
    f[x] += hl.i32(image[r.x, r.y]) * x
    schedule(f.update().atomic(), r, x)
    body = schedule_and_lower([f.function], "f", PLAIN).body
    return sum(isinstance(st, s.Atomic) for st in walk(body))


def test_threads_over_a_reduction_are_atomic() -> None:
    assert atomics(lambda u, r, x: u.parallel(r.y)) > 0


def test_lanes_alone_are_not() -> None:
    assert atomics(lambda u, r, x: u.vectorize(r.x, 8)) == 0


def test_threads_over_points_of_their_own_are_not() -> None:
    assert atomics(lambda u, r, x: u.vectorize(r.x, 8).parallel(x)) == 0
