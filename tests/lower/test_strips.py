"""Stages read a few rows up and down are computed strip by strip, in narrow scratch memory."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import compiler as hl
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import children_of, walk

from .machines import WIDE

X, Y = hl.vars("x y")


SOURCE = hl.ImageParam(hl.UInt(8), 2, "source")
ROWS = hl.Param(hl.Int(32), "rows")


def rows_of_three() -> hl.Func:
    """A stage that is worth storing: horizontal sums, at most 255 after the division."""
    tmp = hl.Func("tmp")
    tmp[X, Y] = (hl.i32(SOURCE[X, Y]) + SOURCE[X + 1, Y] + SOURCE[X + 2, Y]) / 3
    return tmp


def stencil() -> hl.Func:
    tmp, f = rows_of_three(), hl.Func("f")
    f[X, Y] = hl.u8((tmp[X, Y] + tmp[X, Y + 1] + tmp[X, Y + 2]) / 3)
    return f


def clamped() -> hl.Func:
    tmp, f = rows_of_three(), hl.Func("f")
    above, below = hl.max(Y - 1, 0), hl.min(Y + 1, ROWS - 1)
    f[X, Y] = hl.u8((tmp[X, above] + tmp[X, Y] + tmp[X, below]) / 3)
    return f


def chained() -> hl.Func:
    first, second, f = rows_of_three(), hl.Func("second"), hl.Func("f")
    second[X, Y] = (first[X, Y] + first[X, Y + 1]) / 2 + 1
    f[X, Y] = hl.u8(hl.absd(second[X, Y + 1], second[X, Y]) + hl.abs(first[X, Y + 1]) / 7)
    return f


def summed() -> hl.Func:
    tmp, f, r = rows_of_three(), hl.Func("f"), hl.RDom([(0, 5)], "r")
    f[X, Y] = hl.u8(hl.sum(tmp[X, Y + r]) / 5)
    return f


def every_second() -> hl.Func:
    tmp, f = rows_of_three(), hl.Func("f")
    f[X, Y] = hl.u8((tmp[X, 2 * Y] + tmp[X, 2 * Y + 1]) / 2)
    return f


def transposed() -> hl.Func:
    tmp, f = rows_of_three(), hl.Func("f")
    f[X, Y] = hl.u8((tmp[Y, X] + tmp[Y, X + 1]) / 2)
    return f


def far_apart() -> hl.Func:
    tmp, f = rows_of_three(), hl.Func("f")
    f[X, Y] = hl.u8((tmp[X, Y] + tmp[X, Y + 9]) / 2)
    return f


def upside_down() -> hl.Func:
    tmp, f = rows_of_three(), hl.Func("f")
    f[X, Y] = hl.u8((tmp[X, ROWS - Y] + tmp[X, Y]) / 2)
    return f


IN_STRIPS = [stencil, clamped, chained, summed, every_second]
AT_THE_ROOT = [transposed, far_apart, upside_down]


def scratch(f: hl.Func) -> dict[str, tuple[bool, str]]:
    """For each allocation: does it lie in a parallel loop, and its element type."""
    found: dict[str, tuple[bool, str]] = {}

    def visit(stmt: s.Stmt, inside: bool) -> None:
        if isinstance(stmt, s.Allocate):
            found[stmt.buffer.split("$")[0]] = (inside, str(stmt.type))
        inside = inside or (isinstance(stmt, s.For) and stmt.kind == "parallel")
        for child in children_of(stmt):
            visit(child, inside)

    visit(schedule_and_lower([f.function], "f", WIDE).body, False)
    return found


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("build", IN_STRIPS)
def test_a_stage_read_a_few_rows_around_lies_in_the_strips(build: Callable[[], hl.Func]) -> None:
    found = scratch(build())
    assert "tmp" in found
    assert all(inside for inside, _ in found.values()), found


@pytest.mark.parametrize("build", AT_THE_ROOT)
def test_a_stage_read_elsewhere_stands_whole(build: Callable[[], hl.Func]) -> None:
    assert scratch(build())["tmp"][0] is False


def test_a_stage_of_two_outputs_stands_whole() -> None:
    tmp, f, g = rows_of_three(), hl.Func("f"), hl.Func("g")
    f[X, Y] = tmp[X, Y] + tmp[X, Y + 1]
    g[X, Y] = tmp[X, Y + 1] - tmp[X, Y]
    body = schedule_and_lower([f.function, g.function], "f", WIDE).body
    strips = [x for x in walk(body) if isinstance(x, s.For) and x.kind == "parallel"]
    assert not any(isinstance(x, s.Allocate) for strip in strips for x in walk(strip))


def test_scratch_is_as_narrow_as_its_values() -> None:
    assert scratch(stencil())["tmp"][1] == "uint8"
    assert scratch(chained())["second"][1] == "uint16"


def test_scratch_of_unknown_values_keeps_its_type() -> None:
    tmp, f, gain = hl.Func("tmp"), hl.Func("f"), hl.Param(hl.Int(32), "gain")
    tmp[X, Y] = (hl.i32(SOURCE[X, Y]) + SOURCE[X + 1, Y] + SOURCE[X + 2, Y]) * gain / 3
    f[X, Y] = hl.u8((tmp[X, Y] + tmp[X, Y + 1] + tmp[X, Y + 2]) / 3)
    assert scratch(f)["tmp"][1] == "int32"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("build", [*IN_STRIPS, *AT_THE_ROOT])
def test_values_are_those_of_everything_inlined(
    build: Callable[[], hl.Func], monkeypatch: pytest.MonkeyPatch
) -> None:
    SOURCE.set(hl.Buffer(np.random.default_rng(9).integers(0, 256, (150, 150), np.uint8)))
    made: list[list[np.ndarray]] = []
    for mode in ("on", "off"):
        monkeypatch.setenv("LIFT_DEFAULT_SCHEDULE", mode)
        f, values = build(), []
        for width, height in ((1, 1), (5, 67), (40, 31), (9, 64)):
            ROWS.set(height)
            values.append(np.array(f.realize([width, height])))
        made.append(values)
    for one, other in zip(*made, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("build", "rows"),
    [(stencil, 72), (clamped, 70), (chained, 72), (summed, 74), (every_second, 140)],
)
def test_strips_read_no_row_that_the_whole_does_not(
    build: Callable[[], hl.Func], rows: int
) -> None:
    ROWS.set(70)
    SOURCE.set(hl.Buffer(np.zeros((rows, 42), np.uint8)))
    f = build()
    f.realize([40, 70])
    SOURCE.set(hl.Buffer(np.zeros((rows - 1, 42), np.uint8)))
    with pytest.raises(hl.HalideError, match="dimension 1"):
        f.realize([40, 70])
