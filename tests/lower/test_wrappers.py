"""`in_` and `clone_in`: consumers read the stage that stands between."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import compiler as hl
from compiler.lower.wrappers import read_instead

from .both_packages import Program, assert_same


def three(hl: Any, i: SimpleNamespace) -> Any:
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[i.x] = i.x * 2
    g[i.x] = f[i.x] + f[i.x + 1]
    h[i.x] = g[i.x] + f[i.x]
    return f, g, h


def for_all(hl: Any, i: SimpleNamespace) -> Any:
    f, g, h = three(hl, i)
    f.in_().compute_root()
    f.compute_root()
    g.compute_root()
    return h.realize([8])


def for_one_and_for_the_others(hl: Any, i: SimpleNamespace) -> Any:
    f, g, h = three(hl, i)
    f.in_(g).compute_at(g, i.x).vectorize(i.x, 4)
    g.compute_root()
    others = f.in_()
    others.compute_root()
    others.in_().compute_root()
    return h.realize([8])


def a_clone(hl: Any, i: SimpleNamespace) -> Any:
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[i.x] = i.x * 2
    f[i.x] += 1
    f.compute_root()
    g[i.x] = f[i.x] + f[i.x + 1]
    h[i.x] = g[i.x] + f[i.x]
    f.clone_in(h).compute_root().vectorize(i.x, 4)
    g.compute_root()
    return h.realize([8])


def of_a_tuple_in_a_predicate(hl: Any, i: SimpleNamespace) -> Any:
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[i.x] = hl.Tuple([i.x * 2, i.x * 3])
    g[i.x] = f[i.x][0] + f[i.x + 1][1]
    h[i.x] = g[i.x] + f[i.x][1]
    r = hl.RDom([(0, 4)])
    r.where(f[r][0] > 2)
    h[i.x] += f[r][1]
    wrapper = f.in_([g, h])
    wrapper.compute_root()
    f.compute_root()
    g.compute_root()
    wrapper.in_(h).compute_root()
    return h.realize([8])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "program", [for_all, for_one_and_for_the_others, a_clone, of_a_tuple_in_a_predicate]
)
def test_values_are_halides(program: Program) -> None:
    assert_same(program)


def test_each_consumer_reads_its_own_wrapper() -> None:
    x = hl.Var("x")
    f, g, h = hl.Func("f"), hl.Func("g"), hl.Func("h")
    f[x] = x
    g[x] = f[x]
    h[x] = f[x] + g[x]
    one, others = f.in_(g), f.in_()
    assert read_instead(f.function, g.function) is one.function
    assert read_instead(f.function, h.function) is others.function
    assert read_instead(f.function, one.function) is f.function
    assert read_instead(f.function, others.function) is f.function


def test_a_stage_without_wrappers_is_read_itself() -> None:
    x = hl.Var("x")
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = x
    g[x] = f[x]
    assert read_instead(f.function, g.function) is f.function
