"""Sums of bytes into one number add eight of them to each lane at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk

from .machines import Machine

WIDTHS = (0, 1, 63, 64, 65, 200)


def summed(term: Any, kind: hl.Type) -> tuple[hl.Func, tuple[hl.ImageParam, ...], hl.Param]:
    """The sum of what `term` makes of two images of bytes, over so many columns of all rows."""
    images = tuple(hl.ImageParam(hl.UInt(8), 2, name) for name in "ab")
    columns = hl.Param(hl.Int(32), "columns")
    r = hl.RDom([(0, columns), (0, images[0].height())], "r")
    out = hl.Func("out")
    out[()] = hl.cast(kind, 3)
    out[()] += hl.cast(kind, term(*(image[r.x, r.y] for image in images)))
    return out, images, columns


def has_blocks(out: hl.Func, sums_bytes: bool = True) -> bool:
    """Whether it has a loop over vectors of bytes."""
    machine = Machine(256, sums_bytes=sums_bytes)
    body = schedule_and_lower([out.function], "out", machine).body
    return any(isinstance(x, s.Allocate) and x.buffer.endswith(".bytes") for x in walk(body))


@pytest.mark.parametrize("kind", [hl.UInt(16), hl.Int(32), hl.UInt(64)])
def test_sums_wrap_as_the_numbers_do(kind: hl.Type) -> None:
    out, images, columns = summed(lambda a, b: hl.absd(a, b), kind)
    assert has_blocks(out)
    values = np.random.default_rng(1).integers(0, 256, (2, 7, 200), np.uint8)
    for image, own in zip(images, values, strict=True):
        image.set(hl.Buffer(own))
    for width in WIDTHS:
        columns.set(width)
        a, b = values[:, :, :width].astype(np.int64)
        found = int(np.asarray(out.realize([])).item())
        assert (found - 3 - int(abs(a - b).sum())) % 2 ** kind.bits() == 0


def test_a_sum_of_anything_else_stays_as_it_is() -> None:
    """Of bytes in bytes, of wider numbers, of what the place itself has."""
    assert not has_blocks(summed(lambda a, b: a, hl.UInt(8))[0])
    assert not has_blocks(summed(lambda a, b: hl.u16(a) + b, hl.UInt(32))[0])
    assert not has_blocks(summed(lambda a, b: hl.cast(hl.Int(8), a), hl.Int(32))[0])
    assert not has_blocks(summed(lambda a, b: a, hl.UInt(32))[0], sums_bytes=False)
    assert has_blocks(summed(lambda a, b: a, hl.UInt(32))[0])


def test_what_the_sum_itself_places_is_read_step_by_step() -> None:
    image = hl.ImageParam(hl.UInt(8), 1, "a")
    r = hl.RDom([(0, 200)], "r")
    out = hl.Func("out")
    out[()] = hl.u32(0)
    out[()] += hl.u32(image[hl.i32(out[()] % 7) + r.x])
    assert not has_blocks(out)
