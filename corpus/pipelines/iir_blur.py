"""A recursive blur: first-order filters down and up the columns, then the same along the rows.

A causal and an anticausal filter of first order along each axis, as in recursive-filters-2015,
sections 2 and 7. Rows are filtered as the columns of the transposed image, so that both passes run
along consecutive memory.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from .images import photograph
from .linear.schedules import turned_by_blocks
from .program import Algorithm, Array, Program, Size, Values, stream


def build(hl: ModuleType) -> Algorithm:
    x, y, c = hl.vars("x y c")
    input, alpha = hl.ImageParam(hl.Float(32), 3, "input"), hl.Param(hl.Float(32), "alpha")

    def down_and_up(source: Any, height: Any, name: str) -> Any:
        """Each pixel becomes `alpha` of itself and the rest of the neighbour before it."""
        blur = hl.Func(name)
        down, up = hl.RDom([(1, height - 1)], "down"), hl.RDom([(0, height - 1)], "up")
        here, back = height - 2 - up.x, height - 1 - up.x
        blur[x, y, c] = hl.undef(hl.Float(32))  # every row is written by the updates
        blur[x, 0, c] = source[x, 0, c]
        blur[x, down.x, c] = alpha * source[x, down.x, c] + (1 - alpha) * blur[x, down.x - 1, c]
        blur[x, here, c] = alpha * blur[x, here, c] + (1 - alpha) * blur[x, back, c]
        return blur, down, up

    columns, *along_columns = down_and_up(input, input.height(), "columns")
    turned = hl.Func("turned")
    turned[x, y, c] = columns[y, x, c]
    rows, *along_rows = down_and_up(turned, input.width(), "rows")
    output = hl.Func("output")
    output[x, y, c] = rows[y, x, c]
    return Algorithm(
        [input, alpha], [output],
        columns=columns, along_columns=along_columns, turned=turned,
        rows=rows, along_rows=along_rows, output=output,
    )  # fmt: skip


def inputs(size: Size, seed: int = 0) -> dict[str, Any]:
    return {"input": photograph(size, seed), "alpha": 0.125}


def reference(values: Values) -> tuple[Array, ...]:
    alpha = values["alpha"]
    blur = values["input"].astype(np.float64)
    for axis in (1, 2):
        lines = np.moveaxis(blur, axis, 0)  # a view: filtering it filters blur
        for i in range(1, len(lines)):
            lines[i] = alpha * lines[i] + (1 - alpha) * lines[i - 1]
        for i in range(len(lines) - 2, -1, -1):
            lines[i] = alpha * lines[i] + (1 - alpha) * lines[i + 1]
    return (blur.astype(np.float32),)


def strips(hl: ModuleType, a: Algorithm, lanes: int) -> None:
    """Strips of columns stay in cache for both directions and are transposed on their way out."""
    x, y, c, strip, row, block, column, part = hl.vars("x y c strip row block column part")
    passes = (a.columns, a.along_columns, a.turned), (a.rows, a.along_rows, a.output)
    for blur, (down, up), turned in passes:
        turned.compute_root().split(y, strip, row, 32).split(x, block, column, lanes)
        turned.split(row, part, row, lanes).reorder(column, row, part, block, strip, c)
        turned.fuse(strip, c, strip).parallel(strip).vectorize(column).unroll(row)
        blur.in_().compute_at(turned, part).vectorize(x).unroll(y)
        blur.compute_at(turned, strip)
        blur.update(0).vectorize(x, lanes)
        blur.update(1).reorder(x, down.x).vectorize(x, lanes).unroll(x)
        blur.update(2).reorder(x, up.x).vectorize(x, lanes).unroll(x)
    stream(a.output)


def x86(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=16)


def arm(hl: ModuleType, a: Algorithm) -> None:
    strips(hl, a, lanes=4)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """A thread filters a column; tiles are transposed in the memory of a block."""
    x, c, column = hl.vars("x c column")
    passes = (a.columns, a.along_columns, a.turned), (a.rows, a.along_rows, a.output)
    for blur, (down, up), turned in passes:
        blur.compute_root()
        guarded = hl.TailStrategy.GuardWithIf
        blur.update(0).gpu_tile(x, column, 64, guarded).gpu_blocks(c)
        for number, along in enumerate((down, up), 1):
            blur.update(number).reorder(along.x, x, c)
            blur.update(number).gpu_tile(x, column, 64, guarded).gpu_blocks(c)
        turned_by_blocks(hl, turned.compute_root(), blur.in_())


PROGRAM = Program(
    name="iir_blur",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(1536, 2560, 3),
    test_size=(67, 43, 3),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
    # A step rounds thrice (two products, a sum), each by at most 2**-24 of a value below 1, and
    # keeps 7/8 of the error that it got: at most 3 * 8 * 2**-24 stay, four times over.
    tolerance=96 * 2.0**-24,
)
