"""Updates that keep what they have found skip the rest of their domain, block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk
from compiler.lower.searches import BLOCK

from .machines import Machine

SIZES = (1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK - 1, 3 * BLOCK)


def search(dimensions: int = 1) -> tuple[hl.Func, hl.ImageParam]:
    """How many columns there are up to the first 7, or 0; of an image whether there is one."""
    a = hl.ImageParam(hl.UInt(8), dimensions, "a")
    first, out = hl.Func("first"), hl.Func("out")
    first[()] = hl.i32(0)
    if dimensions == 1:
        r = hl.RDom([(0, a.width())], "r")
        first[()] = hl.select((first[()] == 0) & (a[r.x] == 7), r.x + 1, first[()])
    else:
        r = hl.RDom([(0, a.width()), (0, a.height())], "r")
        first[()] = hl.select((first[()] == 0) & (a[r.x, r.y] == 7), 1, first[()])
    first.compute_root()
    out[()] = first[()]
    return out, a


def value(out: hl.Func, a: hl.ImageParam, image: Any) -> int:
    a.set(hl.Buffer(image))
    return int(np.asarray(out.realize([])))


def blocks(out: hl.Func) -> list[s.For]:
    """The loops over blocks that are made of it."""
    machine = Machine(256)
    body = schedule_and_lower([out.function], "out", machine).body
    return [x for x in walk(body) if isinstance(x, s.For) and x.name.endswith(".block")]


@pytest.mark.parametrize("n", SIZES)
def test_the_first_is_found_wherever_it_is(n: int) -> None:
    out, a = search()
    image = np.zeros(n, np.uint8)
    assert value(out, a, image) == 0
    for at in {0, n // 2, BLOCK - 1, BLOCK, n - 1}:
        if at < n:
            image[:] = 0
            image[at] = 7
            assert value(out, a, image) == at + 1
            image[at:] = 7
            assert value(out, a, image) == at + 1


def test_of_an_image_rows_are_skipped_too() -> None:
    out, a = search(2)
    image = np.zeros((5, 2 * BLOCK + 3), np.uint8)
    assert value(out, a, image) == 0
    for place in ((0, 0), (0, BLOCK), (3, 2 * BLOCK + 2), (4, 1)):
        image[...] = 0
        image[place] = 7
        assert value(out, a, image) == 1
    assert len(blocks(out)) == 1


def test_other_updates_go_on_to_their_end() -> None:
    a = hl.ImageParam(hl.UInt(8), 1, "a")
    r = hl.RDom([(0, a.width())], "r")
    steps = {
        "the last": lambda f: hl.select(a[r.x] == 7, r.x, f[()]),
        "what grows": lambda f: hl.select(f[()] < 9, f[()] + a[r.x], f[()] + 1),
        "with the place": lambda f: hl.select(f[()] < r.x, r.x + a[r.x], f[()]),
        "or": lambda f: hl.select((f[()] < 0) | (a[r.x] == 3), r.x, f[()]),
        "what is found": lambda f: hl.select((f[()] < 0) & (a[r.x] == 3), r.x, f[()]),
    }
    for name, step in steps.items():
        f, out = hl.Func("f"), hl.Func("out")
        f[()] = hl.i32(-1)
        f[()] = step(f)
        f.compute_root()
        out[()] = f[()]
        assert len(blocks(out)) == (name == "what is found"), name
