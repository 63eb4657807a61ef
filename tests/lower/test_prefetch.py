"""`prefetch`: what later iterations read is asked for, and no value changes."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import postorder
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk

from .both_packages import assert_same
from .machines import PLAIN


def lowered(schedule: Any) -> s.Stmt:
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f, g, x, y = hl.Func("f"), hl.Func("g"), hl.Var("x"), hl.Var("y")
    g[x, y] = hl.i32(image[x, y]) + 1
    f[x, y] = g[x, y] + g[x, y + 1]
    g.compute_root()
    schedule(f, g, image, x, y)
    body: s.Stmt = schedule_and_lower([f.function], "f", PLAIN).body
    return body


def prefetches(schedule: Any) -> list[s.Prefetch]:
    return [st for st in walk(lowered(schedule)) if isinstance(st, s.Prefetch)]


def test_a_stage_is_asked_for_in_rows() -> None:
    (one,) = prefetches(lambda f, g, image, x, y: f.prefetch(g, y, y, 2))
    assert one.buffer.startswith("g")
    assert any("s0.y" in str(e) for e in postorder(one.index))


def test_what_is_asked_for_is_as_far_ahead_as_the_directive_says() -> None:
    begins = []
    for ahead in (2, 5):
        body = lowered(lambda f, g, image, x, y, ahead=ahead: f.prefetch(g, y, y, ahead))
        (rows,) = (st for st in walk(body) if isinstance(st, s.For) and ".ahead." in st.name)
        begins.append(re.sub(r"\$\d+", "", str(rows.min)))
    assert begins[0].replace("2", "5") == begins[1] != begins[0]


@pytest.mark.parametrize(("strategy", "asks"), [("Clamp", True), ("NonFaulting", False)])
def test_only_what_an_image_has_is_asked_for_where_that_is_wished(
    strategy: str, asks: bool
) -> None:
    ways = getattr(hl.PrefetchBoundStrategy, strategy)
    (one,) = prefetches(lambda f, g, image, x, y: g.prefetch(image, y, y, 4, ways))
    assert ("image.extent" in str(one.index)) == asks


def test_an_image_is_asked_for() -> None:
    (one,) = prefetches(lambda f, g, image, x, y: g.prefetch(image, y, y, 4))
    assert one.buffer == "image"


def test_without_the_directive_nothing_is() -> None:
    assert prefetches(lambda f, g, image, x, y: None) == []


@pytest.mark.parametrize("strategy", ["Clamp", "GuardWithIf", "NonFaulting"])
def test_values_are_halides(strategy: str) -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        image = hl.ImageParam(hl.UInt(8), 2, "image")
        image.set(i.a)
        f, g = hl.Func("f"), hl.Func("g")
        g[i.x, i.y] = hl.i32(image[i.x, i.y]) + 1
        f[i.x, i.y] = g[i.x, i.y] + g[i.x, i.y + 1]
        g.compute_root().prefetch(image, i.y, i.y, 4, getattr(hl.PrefetchBoundStrategy, strategy))
        f.prefetch(g, i.y, i.y, 2).vectorize(i.x, 8)
        return f.realize([40, 20])

    assert_same(program)
